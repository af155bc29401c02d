import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { formatSource } from './format.ts';

const root = join(import.meta.dirname, '../../../..');

function formatted(source: string): string {
  const made = formatSource(source);
  if (!made.ok) throw new Error(made.message);
  return made.text;
}

const LAYOUTS: readonly (readonly [title: string, before: string, after: string])[] = [
  ['an empty text', '', ''],
  ['blanks alone', ' \n\n ', ''],
  ['the end of the last line', '(def a 1)', '(def a 1)\n'],
  ['blanks at the ends of lines and forms', '( def  a [ 1  2 ] )  \n', '(def a [1 2])\n'],
  ['forms without a blank between them', '(f)(g[1]"a")', '(f) (g [1] "a")\n'],
  ['empty lines', '\n\n(a)\n\n\n\n(b)\n\n', '(a)\n\n(b)\n'],
  ['let', '(let [a 1\nb 2]\n(+ a\nb))', '(let [a 1\n      b 2]\n  (+ a\n     b))\n'],
  ['defn', '(defn f\n"doc"\n[x]\n(g x))', '(defn f\n  "doc"\n  [x]\n  (g x))\n'],
  ['defn with several arities', '(defn f\n([] 1)\n([x]\nx))', '(defn f\n  ([] 1)\n  ([x]\n   x))\n'],
  ['if', '(if a\nb\nc)', '(if a\n  b\n  c)\n'],
  ['if with its branch beside the test', '(if a b\nc)', '(if a b\n    c)\n'],
  ['cond', '(cond\na 1\n:else 2)', '(cond\n  a 1\n  :else 2)\n'],
  ['cond that begins beside its name', '(cond a 1\n:else 2)', '(cond a 1\n      :else 2)\n'],
  ['threading', '(-> x\n(f 1)\ng)', '(-> x\n    (f 1)\n    g)\n'],
  ['a call with its arguments below', '(f\na\nb)', '(f\n a\n b)\n'],
  ['a map that breaks', '{:a 1 :b 2\n:c 3}', '{:a 1\n :b 2\n :c 3}\n'],
  ['a map that breaks inside a pair alone', '{:a\n1 :b 2}', '{:a\n 1 :b 2}\n'],
  ['a map on one line', '{:a 1,:b 2}', '{:a 1, :b 2}\n'],
  ['a column of values', '(let [a   1\nbcd 2] (f   a))', '(let [a   1\n      bcd 2] (f a))\n'],
  ['a namespaced map', '#:n{:a 1\n:b 2}', '#:n{:a 1\n    :b 2}\n'],
  ['a short function', '(map #(let [a %]\na) xs)', '(map #(let [a %]\n        a) xs)\n'],
  ['quoted data', "'(let\na)", "'(let\n  a)\n"],
  ['letfn', '(letfn [(f [x]\nx)]\n(f 1))', '(letfn [(f [x]\n          x)]\n  (f 1))\n'],
  ['methods', '(reify P\n(m [this]\nthis))', '(reify P\n  (m [this]\n    this))\n'],
  ['a comment at the end of a line', '(f a   ;  as it is \nb)', '(f a   ;  as it is \n   b)\n'],
  ['a comment before a closer', '(f a ; x\n)', '(f a ; x\n   )\n'],
  ['comments on lines of their own', '(do\n;; one\n(f))\n;; two', '(do\n  ;; one\n  (f))\n;; two\n'],
  ['a string of several lines', '(f "a\n   b"   c)', '(f "a\n   b" c)\n'],
  ['metadata', '(def ^:private   x 1)', '(def ^:private x 1)\n'],
  ['what is discarded', '[1 #_ 2 3]', '[1 #_2 3]\n'],
  ['a tag', '#inst"2020-01-01"', '#inst "2020-01-01"\n'],
  ['ends of lines of Windows', '(do\r\n(f))\r\n', '(do\r\n  (f))\r\n'],
  ['wide characters', '(é😀 a\nb)', '(é😀 a\n    b)\n'],
  ['a byte order mark', '\uFEFF( a )', '\uFEFF(a)\n'],
];

describe('the formatter', () => {
  for (const [title, before, after] of LAYOUTS) {
    it(`lays out ${title}`, () => {
      expect(formatted(before)).to.equal(after);
      expect(formatted(after)).to.equal(after);
    });
  }

  it('reports where a text cannot be read, and changes nothing', () => {
    expect(formatSource('(a\n(b]')).to.deep.include({ ok: false, offset: 5 });
    expect(formatSource('"')).to.include({ ok: false });
  });

  const files = globSync(
    ['examples/**/*.clj', 'sandbox/{preludes,test}/**/*.clj', '{bench,conformance,scripts,supervisor}/**/*.clj'],
    { cwd: root },
  );

  it('knows the components of examples, the preludes and the expressions of the conformance suite', () => {
    expect(files.length).to.be.greaterThan(140);
  });

  it('leaves the components of examples as they are: they are laid out', () => {
    const others = files.filter((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return file.startsWith('examples/') && formatted(source) !== source;
    });
    expect(others, 'svc fmt lays them out').to.deep.equal([]);
  });

  for (const file of files) {
    it(`is stable for ${file}, and keeps its comments`, () => {
      const source = readFileSync(join(root, file), 'utf8');
      // Some expressions are there because they cannot be read: of those files, each line for itself.
      const texts = formatSource(source).ok ? [source] : source.split('\n');
      const readable = texts.filter((text) => formatSource(text).ok);
      expect(readable.length).to.be.greaterThan(texts.length * 0.8);
      for (const text of readable) {
        const once = formatted(text);
        expect(formatted(once)).to.equal(once);
        expect(once.match(/;.*/g)).to.deep.equal(text.match(/;.*/g));
      }
    });
  }

  it('is stable for any forms', () => {
    const atom = fc.constantFrom(
      'a',
      ':k',
      '1',
      '"s\n t"',
      '\\(',
      '#"r"',
      '%',
      'let',
      'defn',
      'cond',
      '->',
      'letfn',
      'reify',
    );
    const blank = fc.constantFrom(' ', '\n', ', ', ' ; c (\n', '\n\n\n', '\r\n', '\t', ' #_x ');
    const { form } = fc.letrec<{ form: string }>((tie) => ({
      form: fc.oneof(
        { maxDepth: 4, depthSize: 'medium' },
        atom,
        fc
          .tuple(fc.constantFrom('()', '[]'), fc.array(fc.tuple(tie('form'), blank)))
          .map(([delimiters, parts]) => `${delimiters[0] ?? ''}${parts.flat().join('')}${delimiters[1] ?? ''}`),
        fc
          .array(fc.tuple(blank, tie('form')), { maxLength: 3 })
          .map(
            (parts) =>
              `{${parts.map(([gap, value], index) => `${gap}:k${String(index)}${gap}${value}${gap}`).join('')}}`,
          ),
        fc.tuple(fc.constantFrom("'", '^:m ', '@'), tie('form')).map(([prefix, value]) => `${prefix}[${value}]`),
      ),
    }));
    fc.assert(
      fc.property(fc.array(fc.tuple(blank, form)), (parts) => {
        const once = formatSource(parts.flat().join(''));
        if (once.ok) expect(formatted(once.text)).to.equal(once.text);
      }),
      { numRuns: 500 },
    );
  });
});
