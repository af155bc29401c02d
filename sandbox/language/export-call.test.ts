import { expect } from 'chai';
import { createGuest } from '../guest/main.ts';
import { compileBundle } from './components/compile-bundle.ts';
import type { EvaluateReply } from '../../contract/sandbox-protocol.ts';

const COMPONENT = `(ns main "A component.")
(defn ok [input] (println "seen") {"n" (inc (get input "n"))})
(defn many [& all] (count all))
(defn one-or-two ([a] [a]) ([a b] [a b]))
(defn none [] 1)
(defn two [a b] [a b])
(defn- hidden [input] input)
(def constant 7)
(def table {"a" 1})
(defn divides [input] (/ 1 (get input "zero")))
(defn returns [input] (return {"r" input}))
(defn fails [input] (fail {"kind" "no" "in" input}))
(defn throws [input] (throw (ex-info "no" {:in input})))
(defn deep [input] (inc (deep input)))
(defn typed "Typed." {:signature "(input {n :int}) -> :int"} [input] (get input "n"))
(defn opens [input] (let [a (atom 0)] (swap! a inc) a))`;

function guest(): (source: string, show: boolean) => EvaluateReply {
  const compiled = compileBundle({
    operation: 'compile',
    environment: 'workflow',
    components: [{ id: 'main', source: COMPONENT, dependencies: [] }],
  });
  if (compiled.status !== 'compiled') throw new Error(JSON.stringify(compiled));
  const made = createGuest(() => '');
  made.handle(JSON.stringify({ operation: 'load', code: compiled.code }));
  return (source, show) => {
    const { code: _, ...reply } = JSON.parse(
      made.handle(
        JSON.stringify({
          operation: 'evaluate',
          environment: 'workflow',
          source,
          data: { input: '{"n":4,"zero":0}', other: '[1]' },
          tools: [],
          loop_iterations: null,
          projection: 'json',
          show_code: show,
        }),
      ),
    );
    return reply;
  };
}

describe('a program that calls an export', () => {
  const programs = [
    ...[
      'ok',
      'many',
      'one-or-two',
      'none',
      'two',
      'hidden',
      'constant',
      'table',
      'divides',
      'returns',
      'fails',
      'throws',
      'deep',
      'typed',
      'opens',
      'absent',
    ].map((name) => `(main/${name} data/input)`),
    '(main/ok data/other)',
    '(main/ok data/absent)',
    '(other/ok data/input)',
    '(ok data/input)',
    '(/ data/input)',
    '(main/ data/input)',
    ' (main/ok data/input)',
    '(main/ok  data/input)',
    '(main/ok data/input )',
    '(main/ok data/input) ',
    '(main/ok data/input data/other)',
    '(main/ok data/input',
    '(main/ok data/)',
    '(main/ok data/input));',
    '(main/ok data/input);)',
    '()',
    '',
    '(',
    'data/input',
    '(data/input data/input)',
    '(main/ok data/input)(main/many data/input)',
  ];
  for (const source of programs) {
    // The code is shown of compiled programs only.
    it(`answers as when it is compiled: ${source}`, () => {
      expect(guest()(source, false)).to.deep.equal(guest()(source, true));
    });
  }

  it('is the last value afterwards, and leaves the session as it was when it fails', () => {
    const evaluate = guest();
    evaluate('(main/ok data/input)', false);
    expect(evaluate('*1', true)).to.include({ outcome: 'continued', value: '{"n":5}' });
    evaluate('(main/fails data/input)', false);
    expect(evaluate('*1', true)).to.include({ outcome: 'continued', value: '{"n":5}' });
  });
});
