import { expect } from 'chai';
import { complete } from './complete.ts';

const NAMES = [
  'map',
  'mapv',
  'mapcat',
  'clojure.string/join',
  'clojure.string/split',
  'tickets/breached?',
  'data/tickets',
  'tool/find',
  'tool/fetch',
  '/',
  '<',
];
const session = { names: async () => NAMES };

describe('completion of a line (cli.md §11)', () => {
  const rows: readonly (readonly [line: string, words: readonly string[], part: string])[] = [
    ['(ma', ['map', 'mapcat', 'mapv'], 'ma'],
    ['(map', ['mapcat', 'mapv'], 'map'],
    ['[1 {:a (clo', ['clojure.string/'], 'clo'],
    ['(clojure.string/', ['clojure.string/join', 'clojure.string/split'], 'clojure.string/'],
    ["'clojure.string/j", ['clojure.string/join'], 'clojure.string/j'],
    ['(tickets/b', ['tickets/breached?'], 'tickets/b'],
    ['(count da', ['data/'], 'da'],
    ['data/', ['data/tickets'], 'data/'],
    ['(tool/f', ['tool/fetch', 'tool/find'], 'tool/f'],
    ['t', ['tickets/', 'tool/'], 't'],
    [':', [':help', ':more', ':quit', ':exit'], ':'],
    ['  :q', [':quit'], ':q'],
    ['(get m :q', [], ':q'],
    ['(ma ', [], ''],
    ['', [], ''],
    ['(nothing-like-it', [], 'nothing-like-it'],
  ];
  for (const [line, words, part] of rows) {
    it(JSON.stringify(line), async () => {
      expect(await complete(line, session, ['help', 'more', 'quit', 'exit'])).to.deep.equal([words, part]);
    });
  }

  it('shows no more than two hundred', async () => {
    const many = { names: async () => Array.from({ length: 300 }, (_, nth) => `name-${String(nth)}`) };
    const [words] = await complete('(name', many, []);
    expect(words).to.have.length(200);
  });
});
