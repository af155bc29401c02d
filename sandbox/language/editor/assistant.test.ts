import { expect } from 'chai';
import { Assistant, type Neighbours } from './assistant.ts';
import { outlineOf } from './outline.ts';
import { textTree } from './text-tree.ts';
import { Vocabulary } from './vocabulary.ts';

const vocabulary = new Vocabulary();
const OTHER =
  '(ns other "Others." {:visibility :prompt})\n(defn help\n  "Helps."\n  {:signature "(a :int) -> :int"}\n  [a & more]\n  a)\n(defn- hidden [] 1)\n(def ^{:doc "Forty."} forty 40)';
const neighbours: Neighbours = { entries: outlineOf(OTHER, textTree(OTHER)).entries, tools: ['send'], data: ['limit'] };

/** An assistant for a text, and the offset of its `|`. */
function at(marked: string): { readonly assistant: Assistant; readonly offset: number; readonly source: string } {
  const offset = marked.indexOf('|');
  const source = marked.replace('|', '');
  return { assistant: new Assistant(source, vocabulary, neighbours), offset, source };
}

function labels(marked: string): readonly string[] {
  const { assistant, offset } = at(marked);
  return assistant.completions(offset).items.map(({ label }) => label);
}

describe('completion', () => {
  const CASES: readonly (readonly [title: string, text: string, some: readonly string[], none: readonly string[]])[] = [
    ['locals first', '(ns n) (defn f [value other] (g va|))', ['value', 'vals'], ['other']],
    ['functions and forms of the language', '(ns n) (defn f [] (re|))', ['reduce', 'recur', 're-find'], ['map']],
    ['definitions of the text', '(ns n) (defn- mine [] 1) (defn g [] (mi|))', ['mine', 'min'], []],
    ['no local of another function', '(defn f [value] 1) (defn g [] val|)', [], ['value']],
    ['exports behind an alias', '(ns n (:require [other :as o])) (def a (o/|))', ['o/help', 'o/forty'], ['o/hidden']],
    ['exports behind a namespace', '(ns n) (def a (other/h|))', ['other/help'], ['other/hidden']],
    ['functions of a library', '(ns n) (def a (str/upp|))', ['str/upper-case'], []],
    ['namespaces that can be required', '(ns n (:require [ot|]))', ['other'], []],
    ['tools', '(ns n) (defn f [] (tool/|)) (defn g [] (tool/fetch {}))', ['tool/send', 'tool/fetch'], []],
    ['granted data', '(ns n) (def a data/|)', ['data/limit'], []],
    ['keywords of the text', '(ns n) (def a {:apple 1}) (def b (:ap| a))', [':apple'], [':ap']],
    ['prefixes', '(ns n (:require [other :as oth])) (def a (ot|))', ['oth/', 'other/'], []],
    ['nothing in a string', '(def a "re|")', [], ['reduce']],
    ['nothing in a comment', '; re|', [], ['reduce']],
    ['in a text in the making', '(ns n)\n(defn f [value]\n  (g (h va|\n\n(defn k [] 1)', ['value'], []],
    ['by letters in their order', '(ns n) (def a (rdc|))', ['reduce'], ['map']],
  ];
  for (const [title, text, some, none] of CASES) {
    it(`offers ${title}`, () => {
      const found = labels(text);
      if (some.length > 0) expect(found).to.include.members([...some]);
      for (const label of none) expect(found).to.not.include(label);
    });
  }

  it('replaces the whole token', () => {
    const { assistant, offset } = at('(red|uce f)');
    expect(assistant.completions(offset).place).to.deep.equal({ start: 1, end: 7 });
  });

  it('is bounded', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `(def a${String(index)} 1)`).join('\n');
    expect(labels(`(ns n)\n${names}\n(def b a|)`)).to.have.length(250);
  });
});

describe('what is known of a name', () => {
  it('is the text and the signature of an export', () => {
    const { assistant, offset } = at('(ns n) (def a (other/he|lp 1))');
    expect(assistant.describe(offset)).to.deep.include({
      title: 'other/help',
      shapes: ['(help a & more)'],
      doc: 'Helps.',
      signature: '(a :int) -> :int',
    });
  });

  it('is that of a function or a form of the language', () => {
    for (const [text, shape] of [
      ['(ma|p f x)', '(map f)'],
      ['(le|t [])', '(let [bindings*] body*)'],
    ] as const) {
      const { assistant, offset } = at(text);
      expect(assistant.describe(offset)?.shapes).to.include(shape);
    }
  });

  it('is a local where there is one of the name', () => {
    const { assistant, offset } = at('(let [map 1] ma|p)');
    expect(assistant.describe(offset)?.doc).to.equal('A local.');
  });

  it('is nothing for what nobody knows', () => {
    for (const text of ['(unheard|-of)', '1|', '"a|"', '|']) {
      const { assistant, offset } = at(text);
      expect(assistant.describe(offset)).to.equal(null);
    }
  });
});

describe('help with a call', () => {
  const CASES: readonly (readonly [text: string, shape: string, argument: number])[] = [
    ['(ns n) (def a (other/help |))', '(other/help a & more)', 0],
    ['(ns n) (def a (other/help 1 |))', '(other/help a & more)', 1],
    ['(ns n) (def a (other/help 1 (|', '', -1],
    ['(reduce f |)', '(reduce f coll)', 1],
    ['(let |)', '(let [bindings*] body*)', 0],
  ];
  for (const [text, shape, argument] of CASES) {
    it(`says how ${text} goes on`, () => {
      const { assistant, offset } = at(text);
      const help = assistant.callHelp(offset);
      if (argument < 0) expect(help).to.equal(null);
      else {
        expect(help?.shapes.map((one) => one.text)).to.include(shape);
        expect(help?.argument).to.equal(argument);
      }
    });
  }
});

describe('definitions', () => {
  it('are found for locals, for those of the text and for those of other namespaces', () => {
    const { assistant, source } = at(
      '(ns n (:require [other :as o]))\n(defn f [value] value)\n(def g (f (o/help 1)))|',
    );
    const of = (text: string): unknown => assistant.definition(source.lastIndexOf(text));
    expect(of('value)')).to.deep.equal({ place: { start: source.indexOf('value'), end: source.indexOf('value') + 5 } });
    expect(of('f (o')).to.deep.equal({ place: { start: source.indexOf('f ['), end: source.indexOf('f [') + 1 } });
    expect(of('o/help')).to.have.nested.property('entry.name', 'help');
    expect(of('1)')).to.equal(null);
  });

  it('are referred to under aliases and by referred names', () => {
    const { assistant } = at(
      '(ns n (:require [other :as o :refer [help]]))\n(def g [(o/help 1) (help 2) (other/help 3)])|',
    );
    expect(assistant.referencesTo('other', 'help')).to.have.length(3);
  });

  it('make the outline of a text', () => {
    const { assistant } = at(
      '(ns n)\n(declare late)\n(defmulti m :k)\n(defrecord R [a])\n(defprotocol P (go [this] "Goes."))\n(def f (fn [x] x))|',
    );
    expect(assistant.outline.map(({ name, kind }) => `${kind} ${name}`)).to.deep.equal([
      'namespace n',
      'declared late',
      'multimethod m',
      'record R',
      'function ->R',
      'function map->R',
      'protocol P',
      'method go',
      'function f',
    ]);
  });
});
