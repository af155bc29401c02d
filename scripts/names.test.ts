import { expect } from 'chai';
import { exportedNames, faultsOfNames, severalMeanings } from './names.ts';

describe('exported names', () => {
  for (const [source, names] of [
    ['export function read(): void {}', ['read']],
    ['export async function read(): Promise<void> {}', ['read']],
    ['export function* faults(): Iterable<string> {}', ['faults']],
    ['export abstract class Place {}\nexport interface Step {}', ['Place', 'Step']],
    ["export type Refusal = 'a';\nexport const LIMIT = 4;\nexport let count = 0;", ['Refusal', 'LIMIT', 'count']],
    ['export function read(a: string): void;\nexport function read(a: number): void;', ['read']],
    ["export { read } from './read.ts';\nexport type * from './types.ts';", []],
    ['function read(): void {}\n// export const gone = 1;', []],
  ] as const) {
    it(`are ${names.join(', ') || 'none'} in ${source.replaceAll('\n', ' ')}`, () => {
      expect(exportedNames(source)).to.deep.equal(names);
    });
  }

  it('have several meanings where two files of one top folder declare them', () => {
    const files = new Map([
      ['supervisor/run/step.ts', 'export type Step = 1;\nexport type Alone = 1;'],
      ['supervisor/calls/step.ts', 'export type Step = 2;'],
      ['contract/step.ts', 'export type Alone = 2;'],
    ]);
    expect(severalMeanings(files)).to.deep.equal({
      supervisor: { Step: ['supervisor/calls/step.ts', 'supervisor/run/step.ts'] },
    });
  });
});

describe('the list of names with several meanings', () => {
  const listed = { cli: { Step: ['cli/a.ts', 'cli/b.ts'] } };
  for (const { rule, found, most = 1, expected } of [
    { rule: 'agrees with what is found', found: listed, expected: [] },
    {
      rule: 'is stale when a name has one meaning by now',
      found: {},
      expected: ['Step of cli is listed with cli/a.ts, cli/b.ts, and has one meaning'],
    },
    {
      rule: 'is stale when other files declare the name',
      found: { cli: { Step: ['cli/a.ts', 'cli/b.ts', 'cli/c.ts'] } },
      expected: ['Step of cli is listed with cli/a.ts, cli/b.ts, and is declared in cli/a.ts, cli/b.ts, cli/c.ts'],
    },
    {
      rule: 'allows no other name',
      found: { cli: { ...listed.cli, Turn: ['cli/a.ts', 'cli/c.ts'] } },
      expected: ['Turn of cli is declared in cli/a.ts, cli/c.ts'],
    },
    {
      rule: 'may not grow',
      found: listed,
      most: 0,
      expected: ['1 names are listed, and at most 0 may be'],
    },
    {
      rule: 'keeps its bound as it shrinks',
      found: listed,
      most: 2,
      expected: ['1 names are listed: lower the bound of 2'],
    },
  ]) {
    it(rule, () => {
      expect(faultsOfNames(found, listed, most)).to.deep.equal(expected);
    });
  }
});
