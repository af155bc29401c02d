import { expect } from 'chai';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { exportFact } from '../../documents/testing/application-tree.ts';
import type { Bundle } from './bundles.ts';
import { explainEntry } from './explain-entry.ts';

function bundle(source: string, exports: readonly ExportFact[] = [], namespace = 'main'): Bundle {
  const main = {
    id: 'main',
    dependencies: [],
    bytes: Buffer.from(source),
    sourceName: 'main.clj',
    sourceHash: '',
    origin: 'local' as const,
  };
  return {
    hash: 'a',
    code: '',
    exports,
    namespaces: [{ name: namespace, component: 'main', doc: null }],
    components: [main],
  };
}

function explainFault(entry: string, of: Bundle | null) {
  const [fault] = explainEntry(entry, of, ({ sourceName }) => ({ file: sourceName, opens: null })).faults;
  if (fault === undefined) throw new Error('an entry has one fault');
  const { place, problem, remedy } = fault;
  return [
    place === null
      ? null
      : `${place.file}:${String(place.line)}:${String(place.column)}+${String(place.excerpt?.length)}`,
    problem,
    remedy,
  ];
}

const WRITE = 'write (defn run [input] …)';
const DEFINE = 'define it with (defn NAME [input] …)';
const run = (facts: Partial<ExportFact>): ExportFact =>
  exportFact({ ref: 'main/run', kind: 'function', arities: [], variadic_from: null, ...facts });

describe('why an entry is none (documents.md §12.8)', () => {
  const cases: readonly (readonly [string, string, Bundle | null, readonly (string | null)[]])[] = [
    [
      'no argument',
      'main/run',
      bundle('(ns main)\n (defn ^{:doc "é"} x [] 1)\n(defn run\n [] 1)', [run({ arities: [0] })]),
      ['main.clj:3:1+9', 'main/run takes 0 arguments; an entry takes one, the input', WRITE],
    ],
    [
      'two or more',
      'main/run',
      bundle('(ns main)\n(defn run [a b & c] 1)', [run({ arities: [], variadic_from: 2 })]),
      ['main.clj:2:1+9', 'main/run takes 2 or more arguments; an entry takes one, the input', WRITE],
    ],
    [
      'a value',
      'main/run',
      bundle('(ns main)\n(def run 1)', [run({ kind: 'constant' })]),
      ['main.clj:2:1+8', 'main/run is a value, not a function', WRITE],
    ],
    [
      'a private function',
      'main/run',
      bundle('(ns main)\n(defn- run [input] 1)'),
      ['main.clj:2:1+10', 'main/run is private', 'define it with defn, without ^:private'],
    ],
    [
      'a misspelt function',
      'main/run',
      bundle('(ns main)\n(defn runs [x] 1)', [run({ ref: 'main/runs', arities: [1] })]),
      [
        'main.clj:1:1+8',
        'the namespace main has no function with the name that the manifest gives',
        `set "entry" to main/runs; or ${DEFINE}`,
      ],
    ],
    [
      'another function',
      'main/run',
      bundle('(ns main)', [run({ ref: 'main/work', variadic_from: 0 }), run({ ref: 'main/other', arities: [2] })]),
      [
        'main.clj:1:1+8',
        'the namespace main has no function with the name that the manifest gives',
        `set "entry" to main/work; or ${DEFINE}`,
      ],
    ],
    [
      'no function',
      'main/run',
      bundle('(ns main)'),
      ['main.clj:1:1+8', 'the namespace main has no function with the name that the manifest gives', DEFINE],
    ],
    [
      'a definition in no form that is known',
      'main/run',
      bundle('#_ (defn run [])', [run({ arities: [0] })]),
      [null, 'main/run takes 0 arguments; an entry takes one, the input', WRITE],
    ],
    [
      'a namespace that is not named as its component',
      'main/run',
      bundle(';; é\n(ns app.core)', [], 'app.core'),
      [
        'main.clj:2:1+12',
        'the component main declares the namespace app.core, not main',
        'write (ns main), or set "entry" to a function of app.core',
      ],
    ],
    [
      'a namespace that nobody declares',
      'other/run',
      bundle('(ns main)'),
      [
        'main.clj:1:1+8',
        'no component declares the namespace of the entry',
        'set "entry" to a function of main, or declare that namespace',
      ],
    ],
    [
      'no component',
      'main/run',
      null,
      [
        null,
        'the workflow has no component',
        'list the component that defines the entry: a function of one argument, the input',
      ],
    ],
  ];
  for (const [what, entry, of, expected] of cases) {
    it(what, () => {
      expect(explainFault(entry, of)).to.deep.equal(expected);
    });
  }
});
