/** Every export of the shipped libraries, in the built program's isolates, against a kernel that answers by script. */
import { expect } from 'chai';
import type { Sandbox } from '../../pool/interface.ts';
import { bare, ok, play, refusal, startBuiltSandbox, type Script } from './library-program.ts';

interface Row {
  readonly source: string;
  readonly script?: Script;
  readonly ended: string;
  readonly calls?: readonly string[];
}

const UNKNOWN = refusal('protocol_error', 'unknown_mission');
const UNKNOWN_PRINTED = '{:status :error, :kind :protocol_error, :reason :unknown_mission, :retryable? false}';
const RECORD = ok({ evaluation_id: 'e1', outcome: 'returned', value: 42 });
const RECORD_PRINTED = '{"evaluation_id" "e1", "outcome" "returned", "value" 42}';

/** A route that answers with its value, or with its envelope as a value. */
function route(source: string, call: string, reply: unknown, printed: string): Row[] {
  return [
    { source, script: [ok(reply)], ended: `continued ${printed}`, calls: [call] },
    { source, script: [UNKNOWN], ended: `continued ${UNKNOWN_PRINTED}`, calls: [call] },
  ];
}

const KERNEL: readonly Row[] = [
  {
    source: '(kernel/eval "m" (program (+ 1 1)))',
    script: [RECORD],
    ended: `continued ${RECORD_PRINTED}`,
    calls: ['kernel-eval {"kind":"embedded","mission":"m","program":"(+ 1 1)"}'],
  },
  { source: '(kernel/eval "m" (program 1))', script: [UNKNOWN], ended: `continued ${UNKNOWN_PRINTED}` },
  { source: '(:outcome (kernel/eval "m" (program 1)))', script: [RECORD], ended: 'continued "returned"' },
  { source: '(kernel/eval "m" (program 1))', script: [], ended: 'runtime_limit_exceeded' },
  {
    source: '(kernel/eval-with "m" (program data/params) {:a-b [1]})',
    script: [RECORD],
    ended: `continued ${RECORD_PRINTED}`,
    calls: ['kernel-eval {"kind":"embedded","mission":"m","params":{"\u007f:a-b":[1]},"program":"data/params"}'],
  },
  ...route(
    '(kernel/eval-source "m" "(+ 1")',
    'kernel-eval {"kind":"source","mission":"m","source":"(+ 1"}',
    { outcome: 'evaluation_error' },
    '{"outcome" "evaluation_error"}',
  ),
  ...route(
    '(kernel/eval-source-with "m" "1" nil)',
    'kernel-eval {"kind":"source","mission":"m","params":null,"source":"1"}',
    { outcome: 'continued' },
    '{"outcome" "continued"}',
  ),
  ...route(
    '(kernel/check-source "m" "1")',
    'kernel-check-source {"mission":"m","source":"1"}',
    { outcome: 'valid' },
    '{"outcome" "valid"}',
  ),
  ...route(
    '(kernel/check-terminal-source "m" "1")',
    'kernel-check-source {"mission":"m","require":"terminal","source":"1"}',
    { outcome: 'invalid' },
    '{"outcome" "invalid"}',
  ),
  ...route('(kernel/mission-inventory "m")', 'kernel-mission-inventory {"mission":"m"}', '{}', '"{}"'),
  ...route('(kernel/mission-model-context "m")', 'kernel-mission-model-context {"mission":"m"}', '{}', '"{}"'),
  {
    source: '(kernel/validate-result {"a" 1.0})',
    script: [ok({ 'enforced?': true, 'valid?': true })],
    ended: 'continued {:enforced? true, :valid? true}',
    calls: ['kernel-result-contract {"value":{"a":1.0}}'],
  },
  {
    source: '(kernel/validate-result 1)',
    script: [ok({ 'enforced?': true, 'valid?': false, details: { path: '/a' } })],
    ended: 'continued {:enforced? true, :valid? false, :details {"path" "/a"}}',
  },
  {
    source: '(kernel/validate-result 1)',
    script: [refusal('protocol_error', 'invalid_result_contract_request')],
    ended:
      'failed {:status :error, :kind :protocol_error, :reason :invalid_result_contract_request, :retryable? false}',
  },
  {
    source: '(kernel/validate-phase-return "draft" nil)',
    script: [ok({ 'enforced?': true, 'valid?': true })],
    ended: 'continued {:enforced? true, :valid? true}',
    calls: ['kernel-result-contract {"phase_contract":"draft","value":null}'],
  },
  { source: '(kernel/validate-phase-return "x" 1)', script: [UNKNOWN], ended: `failed ${UNKNOWN_PRINTED}` },
  ...route('(kernel/result-contract-presentation)', 'kernel-result-contract {"presentation":true}', null, 'nil'),
  ...route(
    '(kernel/phase-return-contract-presentation "draft")',
    'kernel-result-contract {"phase_contract":"draft","presentation":true}',
    { type: ':int' },
    '{"type" ":int"}',
  ),
];

const LLM: readonly Row[] = [
  {
    source: '(llm/request {:messages [{:role "user" :content "é"}] :max-tokens nil})',
    script: [ok({ content: 'x' })],
    ended: 'continued {"content" "x"}',
    calls: ['llm-request {"messages":[{"content":"é","role":"user"}],"\u007f:max-tokens":null}'],
  },
  {
    source: '(:reason (llm/request {}))',
    script: [refusal('provider_error', 'rate_limited')],
    ended: 'continued :rate_limited',
    calls: ['llm-request {}'],
  },
];

const RUNTIME: readonly Row[] = [
  {
    source: '(runtime/usage)',
    script: [bare({ protocol_errors: 0, 'closed?': false })],
    ended: 'continued {"protocol_errors" 0, "closed?" false}',
    calls: ['runtime-usage {}'],
  },
  { source: '(runtime/remaining)', script: [bare(1234)], ended: 'continued 1234', calls: ['runtime-remaining {}'] },
];

const RESULT: readonly Row[] = [
  { source: '(result/ok nil)', ended: 'continued {:ok true, :value nil}' },
  { source: '(result/error :k "r")', ended: 'continued {:ok false, :kind :k, :reason "r"}' },
  {
    source:
      '[(result/ok? (result/ok 1)) (result/ok? (result/error 1 2)) (result/ok? {:ok "true"}) (result/ok? {:ok 1}) (result/ok? nil) (result/ok? 5) (result/ok? {"ok" true})]',
    ended: 'continued [true false false false false false true]',
  },
];

const ANNOTATE: readonly Row[] = [
  {
    source: '(workflow.event/annotate "progress" {:stage :planning})',
    script: [{ reply: 'envelope', envelope: { status: 'ok' } }],
    ended: 'continued {:status :ok}',
    calls: ['workflow-annotate {"data":{"stage":"planning"},"type":"progress"}'],
  },
  {
    source: '(workflow.event/annotate :agent-action {})',
    script: [ok(null)],
    ended: 'continued {:status :ok}',
    calls: ['workflow-annotate {"data":{},"type":"agent-action"}'],
  },
  {
    source: '(:kind (workflow.event/annotate "x" 1))',
    script: [refusal('invalid_annotation', 'invalid_workflow_annotation')],
    ended: 'continued :invalid_annotation',
  },
];

const FAULT = '(cap/fold-pages (fn [_] PAGE) conj [] {"max_pages" 1})';
const page = (text: string): string => FAULT.replace('PAGE', text);
/** Pages a to c of two items each, then the end. */
const PAGES = `(def pages {nil {"items" [1 2] "snapshot_hash" "h" "next_cursor" "b"} "b" {:items '(3 4) :snapshot_hash "h" :next_cursor "c"} "c" {"items" [] "snapshot_hash" "h" "next_cursor" nil}})`;
const failedBy = (kind: string, reason: string): string => `failed {:kind :${kind}, :reason :${reason}}`;

/** With every branch of a fold, row 61 of agent-library.md §14; those of `follow` stand in evidence.suite.ts. */
const CAP: readonly Row[] = [
  {
    source: '(cap/list)',
    script: [bare([{ name: 'find' }])],
    ended: 'continued [{"name" "find"}]',
    calls: ['cap-list {}'],
  },
  {
    source: '(cap/describe "find")',
    script: [bare(null)],
    ended: 'continued nil',
    calls: ['cap-describe {"name":"find"}'],
  },
  {
    source: '(cap/search "words")',
    script: [bare({ hits: [], total: 0 })],
    ended: 'continued {"hits" [], "total" 0}',
    calls: ['cap-search {"words":"words"}'],
  },
  { source: '(cap/unwrap! {:status :ok :value {"a" 1}})', ended: 'continued {"a" 1}' },
  { source: '(cap/unwrap! {"status" "ok" "value" 1})', ended: 'continued 1' },
  { source: '(cap/unwrap! {:status :error :kind :timeout})', ended: 'failed {:status :error, :kind :timeout}' },
  { source: '(cap/unwrap! {:value 1})', ended: 'failed {:value 1}' },
  { source: '(cap/unwrap! nil)', ended: 'failed nil' },
  { source: '(try (cap/unwrap! {:status :error}) (catch Throwable _ 1))', ended: 'failed {:status :error}' },

  {
    source: `${PAGES} (cap/fold-pages pages conj [] {"max_pages" 9})`,
    ended: 'continued {"value" [1 2 3 4], "pages" 3, "complete?" true, "next_cursor" nil, "snapshot_hash" "h"}',
  },
  {
    source: `${PAGES} (cap/fold-pages pages conj [] {:max-pages 2})`,
    ended: 'continued {"value" [1 2 3 4], "pages" 2, "complete?" false, "next_cursor" "c", "snapshot_hash" "h"}',
  },
  {
    source: `${PAGES} (cap/fold-pages pages conj [] {"max_pages" 1 "cursor" "b" "snapshot_hash" "h"})`,
    ended: 'continued {"value" [3 4], "pages" 1, "complete?" false, "next_cursor" "c", "snapshot_hash" "h"}',
  },
  {
    source: `${PAGES} (cap/fold-pages pages (fn [a x] (if (= x 3) (reduced a) (+ a x))) 0 {:max_pages 9})`,
    ended: 'continued {"value" 3, "pages" 2, "complete?" false, "next_cursor" "c", "snapshot_hash" "h"}',
  },
  {
    source: page('{"items" [1] "snapshot_hash" "h" "next_cursor" nil}').replace('conj', '(fn [_ x] (reduced x))'),
    ended: 'continued {"value" 1, "pages" 1, "complete?" false, "next_cursor" nil, "snapshot_hash" "h"}',
  },
  ...['0', '-1', 'nil', '1.0', '"1"'].map((count) => ({
    source: `(cap/fold-pages identity conj [] {"max_pages" ${count}})`,
    ended: failedBy('invalid-request', 'invalid-max-pages'),
  })),
  { source: '(cap/fold-pages identity conj [] nil)', ended: failedBy('invalid-request', 'invalid-max-pages') },
  ...['" "', '5'].map((cursor) => ({
    source: `(cap/fold-pages identity conj [] {"max_pages" 1 "cursor" ${cursor} "snapshot_hash" "h"})`,
    ended: failedBy('invalid-request', 'invalid-cursor'),
  })),
  {
    source: '(cap/fold-pages identity conj [] {"max_pages" 1 "cursor" "a"})',
    ended: failedBy('invalid-request', 'missing-snapshot-hash'),
  },
  ...[
    'nil',
    '5',
    '{}',
    '{"items" {} "snapshot_hash" "h" "next_cursor" nil}',
    '{"items" #{1} "snapshot_hash" "h" "next_cursor" nil}',
  ].map((text) => ({ source: page(text), ended: failedBy('invalid-response', 'invalid-items') })),
  ...['{"items" []}', '{"items" [] "snapshot_hash" "  "}'].map((text) => ({
    source: page(text),
    ended: failedBy('invalid-response', 'missing-snapshot-hash'),
  })),
  { source: page('{"items" [] "snapshot_hash" "h"}'), ended: failedBy('invalid-response', 'missing-next-cursor') },
  ...['""', '7'].map((cursor) => ({
    source: page(`{"items" [] "snapshot_hash" "h" "next_cursor" ${cursor}}`),
    ended: failedBy('invalid-response', 'invalid-cursor'),
  })),
  {
    source:
      '(cap/fold-pages (fn [_] {"items" [] "snapshot_hash" "x" "next_cursor" nil}) conj [] {"max_pages" 1 "cursor" "a" "snapshot_hash" "h"})',
    ended: failedBy('invalid-response', 'snapshot-changed'),
  },
  {
    source:
      '(cap/fold-pages (fn [c] {"items" [] "snapshot_hash" (if c "y" "x") "next_cursor" "b"}) conj [] {"max_pages" 2})',
    ended: failedBy('invalid-response', 'snapshot-changed'),
  },
  {
    source: '(cap/fold-pages (fn [_] {"items" [] "snapshot_hash" "h" "next_cursor" "b"}) conj [] {"max_pages" 3})',
    ended: failedBy('invalid-response', 'cursor-cycle'),
  },
  {
    source:
      '(cap/fold-pages (fn [_] {"items" [] "snapshot_hash" "h" "next_cursor" "a"}) conj [] {"max_pages" 3 "cursor" "a" "snapshot_hash" "h"})',
    ended: failedBy('invalid-response', 'cursor-cycle'),
  },
];

/** Library, then rows. */
const LIBRARIES: readonly (readonly [string, readonly Row[]])[] = [
  ['kernel', KERNEL],
  ['llm', LLM],
  ['runtime', RUNTIME],
  ['result', RESULT],
  ['workflow.event', ANNOTATE],
  ['cap', CAP],
];

describe('exports of the shipped libraries (agent-library.md §2, §12)', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  for (const [id, rows] of LIBRARIES) {
    describe(id, () => {
      for (const { source, script, ended, calls } of rows) {
        it(`${source} → ${ended}`, async () => {
          const played = await play(sandbox, [id], source, script);
          expect(played.ended, JSON.stringify(played.reply)).to.equal(ended);
          if (calls !== undefined) expect(played.calls).to.deep.equal(calls);
        });
      }
    });
  }

  it('a fold holds one page: the calls alternate with the steps', async () => {
    const source = `(cap/fold-pages (fn [c] (cap/unwrap! (cap/describe (str c)))) (fn [a x] (println x) (inc a)) 0 {"max_pages" 2})`;
    const body = (next: string | null) =>
      bare({ status: 'ok', value: { items: [next], snapshot_hash: 'h', next_cursor: next } });
    const played = await play(sandbox, ['cap'], source, [body('b'), body(null)]);
    expect(played.ended).to.equal(
      'continued {"value" 2, "pages" 2, "complete?" true, "next_cursor" nil, "snapshot_hash" "h"}',
    );
    expect(played.calls).to.deep.equal(['cap-describe {"name":""}', 'cap-describe {"name":"b"}']);
    expect(played.reply.prints).to.deep.equal(['b', 'nil']);
  });

  it('a signed export refuses a call with the wrong count of arguments before anything runs', async () => {
    expect((await play(sandbox, ['result'], '(result/ok)')).ended).to.equal('invalid_arity');
    expect((await play(sandbox, ['kernel'], '(kernel/eval "m")')).ended).to.equal('invalid_arity');
  });
});
