import { expect } from 'chai';
import { dialectIn, wordsOf } from './identifiers.ts';

const NONE: ReadonlySet<string> = new Set();

describe('the words of a declared name', () => {
  for (const [name, words] of [
    ['askedRun', ['asked', 'run']],
    ['HTTPFate', ['http', 'fate']],
    ['KEPT_ENDED_MS', ['kept', 'ended', 'ms']],
    ['_told', ['told']],
    ['foretold', ['foretold']],
  ] as const) {
    it(`are ${words.join(', ')} in ${name}`, () => {
      expect(wordsOf(name)).to.deep.equal(words);
    });
  }
});

describe('dialect in declared names', () => {
  const found = (source: string, allowed = NONE): readonly string[] =>
    dialectIn('a.ts', source, allowed).map(({ line, name, word }) => `${line} ${name} ${word}`);

  for (const [source, names] of [
    ['export interface CallFate {}', ['1 CallFate fate']],
    ['type Surveyed = 1;\nclass LentRun {}', ['1 Surveyed surveyed', '2 LentRun lent']],
    ['function toldOf(fate: string): void {}', ['1 toldOf told', '1 fate fate']],
    ['const wasTold = () => 1;', ['1 wasTold told']],
    ['let [begun, { loan: share, ...untold }] = f();', ['1 begun begun', '1 untold untold']],
    ['class A {\n  #told = 1;\n  bury(): void {}\n}', ['2 told told', '3 bury bury']],
    [
      'interface A {\n  readonly sought: string;\n  lend(meant: number): void;\n}',
      ['2 sought sought', '3 lend lend', '3 meant meant'],
    ],
    ['export const KEPT_MAX = 1;\nexport function askedOf(): void {}', ['1 KEPT_MAX kept', '2 askedOf asked']],
    ['type Held = (taken: number) => void;', ['1 Held held']],
    ['const kept = 1; const askedAt = (given: number) => given;', ['1 askedAt asked']],
    ["import { told } from 'a';\nf({ fate: told });\nconst share = a.loan;", []],
  ] as const) {
    it(`is ${names.join(', ') || 'none'} in ${source.replaceAll('\n', ' ')}`, () => {
      expect(found(source)).to.deep.equal(names);
    });
  }

  it('may stay in names that are allowed', () => {
    expect(found('interface Line { readonly begunAt: number; begun: number }', new Set(['begunAt']))).to.deep.equal([
      '1 begun begun',
    ]);
  });
});
