import { expect } from 'chai';
import { stateOf } from './shared-state.ts';

describe('state of a module that two files of the program would have a copy of', () => {
  for (const [source, names] of [
    ['let count = 0; export function next() { return count++; }', ['count']],
    ['export let current: string | null = null;', ['current']],
    ['const known = new Map<string, number>();', ['known']],
    ['const waiting: string[] = [];', ['waiting']],
    ['export const live = new WeakSet<object>();', ['live']],
    ['const stop = new AbortController();', ['stop']],
    ["const NAMES = new Set(['a']); const LIST = ['a']; const limit = 4;", []],
    ['export function f() { let n = 0; const seen = new Map(); return [n, seen]; }', []],
    ['export type T = { a: string }; export const table = { a: 1 } as const;', []],
  ] as const) {
    it(`is ${names.length === 0 ? 'none' : names.join(', ')} in ${source}`, () => {
      expect(stateOf(source)).to.deep.equal(names);
    });
  }
});
