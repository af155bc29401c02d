import { expect } from 'chai';
import { ChainedTable, MOST_ENTRIES } from './chained-table.ts';
import { becomeFresh } from '../fresh.ts';
import { identityHash, identityNumber, keepIdentity } from './hashing.ts';
import { existingKeyword, keyword } from './keyword.ts';
import { KeyIndex } from './key-index.ts';
import { vector } from './vector.ts';
import { WideTable } from './wide-table.ts';

/** As many as fit into no one table of the engine. */
const MANY = 3 * MOST_ENTRIES + 7;

describe('tables that grow past what one of the engine may hold', () => {
  for (const [title, nameOf] of [
    ['end differently', (i: number) => `n${i}`],
    ['all end alike', (i: number) => `${i}n`],
    ['may be empty', (i: number) => 'x'.repeat(i % 7) + (i < 7 ? '' : i)],
  ] as const) {
    it(`find every name that was added, and no other, where names ${title}`, () => {
      const table = new WideTable<string, number>();
      for (let i = 0; i < MANY; i += 1) table.add(nameOf(i), i);
      for (let i = 0; i < MANY; i += 1) if (table.get(nameOf(i)) !== i) throw new Error(`${nameOf(i)} is lost`);
      for (const absent of ['n', 'n-1', '-1n', `n${MANY}`, `${MANY}n`]) expect(table.get(absent)).to.equal(undefined);
    });
  }

  it('number keys of every kind, as the language tells them apart', () => {
    const index = new KeyIndex();
    const keys: readonly ((i: number) => unknown)[] = [
      (i) => i,
      (i) => -16 * i - 1,
      (i) => `${i}`,
      (i) => BigInt(i) + 2n ** 60n,
      (i) => keyword(null, `${i}`),
      (i) => vector([i]),
    ];
    for (let i = 0; i < MOST_ENTRIES; i += 1)
      for (const [at, key] of keys.entries()) expect(index.indexOf(key(i))).to.equal(i * keys.length + at);
    for (const i of [0, 7, MOST_ENTRIES - 1])
      for (const [at, key] of keys.entries()) expect(index.indexOf(key(i))).to.equal(i * keys.length + at);
    expect(index.keys.length).to.equal(MOST_ENTRIES * keys.length);
  });

  it('keep the order of their keys, know their size, and let go of what is removed', () => {
    const table = new ChainedTable<object, number>();
    const keys = Array.from({ length: MANY }, () => ({}));
    for (const [i, key] of keys.entries()) table.add(key, i);
    expect(table.size).to.equal(MANY);
    expect(table.keys().every((key, i) => key === keys[i])).to.equal(true);
    for (const key of keys.slice(2)) table.delete(key);
    expect([table.size, table.keys().length]).to.deep.equal([2, 2]);
    expect(keys.slice(0, 4).map((key) => table.get(key))).to.deep.equal([0, 1, undefined, undefined]);
    expect(keys.slice(0, 4).map((key) => table.has(key))).to.deep.equal([true, true, false, false]);
  });

  it('intern keywords: one object for each name', () => {
    const made = Array.from({ length: MANY }, (_, i) => keyword('tables', `k${i}`));
    expect(
      made.every((each, i) => each === keyword('tables', `k${i}`) && each === existingKeyword(`tables/k${i}`)),
    ).to.equal(true);
    expect(existingKeyword('tables/k-1')).to.equal(null);
  });

  it('number objects: each its own, for as long as it lives', () => {
    becomeFresh();
    const objects = Array.from({ length: MANY }, () => ({}));
    const hashes = objects.map(identityHash);
    expect(new Set(hashes).size).to.equal(MANY);
    expect(
      objects.every((object, i) => identityHash(object) === hashes[i] && identityNumber(object) === i + 1),
    ).to.equal(true);
    keepIdentity(objects[0] ?? {}, 77);
    expect(identityNumber(objects[0] ?? {})).to.equal(1);
    becomeFresh();
    expect(identityNumber(objects[0] ?? {})).to.equal(null);
  });
});
