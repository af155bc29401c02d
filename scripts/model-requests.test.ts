import { expect } from 'chai';
import { unhandledRequests } from './model-requests.ts';

const BARE = '(defn run [i] (:content (llm/request {:messages []})))';
const PASSED_ON =
  '(defn run [i]\n  (let [a (llm/request i)]\n    (if (= :error (:status a))\n      (fail a)\n      a)))';

describe('requests to models in examples and pages (world.md §1.5)', () => {
  const rows: readonly (readonly [what: string, text: string, asked: number, unhandled: number])[] = [
    ['one that handles nothing', BARE, 1, 1],
    ['one of the capability that handles nothing', '(defn run [i] (tool/llm-request i))', 1, 1],
    ['one that only fails with what it was told', PASSED_ON, 1, 1],
    ['one that ends the run', '(defn run [i] (:content (llm/request! i)))', 1, 0],
    ['one of the capability that raises', '(defn run [i] (tool!/llm-request i))', 1, 0],
    ['one that has a word for the error', '(defn run [i] (let [a (llm/request i)] (or (:reason a) a)))', 1, 0],
    ['one that takes the error apart', '(let [{:keys [reason] :as a} (llm/request i)] (or reason a))', 1, 0],
    ['one that tries again', PASSED_ON.replace('a)))', '(if (:retryable? a) 1 a))))'), 1, 0],
    ['one whose answer a loop takes', '(agent.native/normalize (llm/request i) 64000)', 1, 0],
    ['one beside a form that handles another', `${BARE}\n(defn other [a] (:status a))`, 1, 1],
    ['none', '(defn run [i] "llm/request")', 0, 0],
  ];
  for (const [what, text, requested, unhandled] of rows) {
    it(what, () => {
      for (const [kind, whole] of [
        ['code', text],
        ['page', `Text\n\`\`\`clojure fragment\n${text}\n\`\`\`\n`],
      ] as const) {
        const found = unhandledRequests(whole, kind);
        expect([found.requested, found.unhandled.length], kind).to.deep.equal([requested, unhandled]);
      }
    });
  }

  it('in prose and in other blocks are no code', () => {
    expect(unhandledRequests(`\`(llm/request r)\`\n\`\`\`text\n${BARE}\n\`\`\`\n`, 'page').requested).to.equal(0);
  });
});
