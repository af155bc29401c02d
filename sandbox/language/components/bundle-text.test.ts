import { expect } from 'chai';
import type { Bundle } from '../bundle.ts';
import { readBundle, writeBundle } from './bundle-text.ts';
import { compileComponent } from './compile-component.ts';
import { newSession } from '../link/new-session.ts';
import { component } from '../testing/guest-under-test.ts';

const COMMON = { isPrivate: false, signature: null, type: null };

describe('the text of a bundle', () => {
  it('brings back what was written, common or not', () => {
    const bundle: Bundle = {
      components: [
        {
          id: 'a',
          source: `(ns a.b)\n(defn f\n "\u{1f600}" [])(def c 1)`,
          places: 'AAbC',
          code: 'return [\n"\\n\u00e9"];\n',
          namespaces: [
            {
              name: 'a.b',
              doc: 'Two\nlines',
              definitions: [
                {
                  ...COMMON,
                  name: 'f',
                  kind: 'function',
                  arities: { fixed: [0, 2], variadicFrom: 3 },
                  source: '(defn f\n "\u{1f600}" [])',
                  start: 9,
                  signature: '(x :int) -> :any',
                },
                {
                  ...COMMON,
                  name: 'c',
                  kind: 'constant',
                  arities: null,
                  source: '(def c 1)',
                  start: 26,
                  isPrivate: true,
                  type: ':int',
                },
                {
                  ...COMMON,
                  name: 'v',
                  kind: 'function',
                  arities: { fixed: [], variadicFrom: 0 },
                  source: '',
                  start: 0,
                },
              ],
            },
            { name: 'empty', doc: null, definitions: [] },
          ],
        },
        { id: 'z', source: '', code: '', places: '', namespaces: [] },
      ],
      exports: [
        {
          ref: 'a.b/c',
          kind: 'constant',
          arities: [],
          variadic_from: null,
          requirements: ['tool:x'],
          effect: 'read',
          declared_effect: 'read',
          visibility: 'discoverable',
        },
        {
          ref: 'a.b/f',
          kind: 'function',
          arities: [0, 2],
          variadic_from: 3,
          requirements: [],
          effect: 'unknown',
          declared_effect: null,
          visibility: 'prompt',
        },
        {
          ref: 'a.b/v',
          kind: 'function',
          arities: [],
          variadic_from: 0,
          requirements: [],
          effect: 'unknown',
          declared_effect: null,
          visibility: 'prompt',
        },
      ],
    };
    expect(readBundle(writeBundle(bundle))).to.deep.equal(bundle);
  });

  it('is packed when it is long, and comes back all the same', () => {
    const bundle = (source: string): Bundle => ({
      components: [{ id: 'a', source, code: '', places: '', namespaces: [] }],
      exports: [],
    });
    const rest = writeBundle(bundle('')).length + '00000'.length;
    const short = bundle('é'.repeat(1_000_000 - 1 - rest));
    const long = bundle('é'.repeat(1_000_000 - rest));
    expect(writeBundle(short)).to.have.length(999_999);
    expect(writeBundle(long)).to.have.length.below(1500);
    for (const each of [short, long]) expect(readBundle(writeBundle(each))).to.deep.equal(each);
  });

  it('brings back generated code to the letter', () => {
    const source = `(ns a) (defn f [x] ":f_f v_f ()()\\n:f" x) (defn- g [& xs] xs) (defn h ([] 1) ([x y] (fn self [z] (if x (self y) #(f %)))))
      (def k (fn [a b c] "){" [a b c])) (def ^{:doc "d"} n (let [q 1] (fn named [] q)))`;
    const { code } = compileComponent(component('a', source), new Map(), newSession().builtins);
    const text = writeBundle({ components: [{ id: 'a', source: '', code, places: '', namespaces: [] }], exports: [] });
    expect(readBundle(text).components[0]?.code).to.equal(code);
    expect(text.length).to.be.below(code.length);
  });
});
