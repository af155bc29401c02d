import { expect } from 'chai';
import { testEnvironment } from '../testing/builtins.ts';
import { AREAS } from './areas.ts';
import { builtinTable } from './table.ts';

describe('table of built-ins', () => {
  for (const { prefix, area, names, rows } of AREAS) {
    it(`lists the names of ${prefix}, ${area} (${names.trim().split(' ')[0] ?? ''} ...) as its rows have them`, () => {
      const made = rows(testEnvironment()).map(({ name }) => name);
      expect(names).to.equal(` ${made.join(' ')} `);
    });
  }

  it('has each name once', () => {
    const keys = builtinTable(testEnvironment()).keys();
    expect(keys).to.have.length(new Set(keys).size);
  });

  it('gives the same built-in each time, and none for a name it does not have', () => {
    const table = builtinTable(testEnvironment());
    expect(table.get('clojure.core/inc'))
      .to.equal(table.get('clojure.core/inc'))
      .and.to.include({ name: 'clojure.core/inc' });
    for (const name of [
      'inc',
      'clojure.core/',
      'clojure.core/inc dec',
      'clojure.core/no-such',
      'no.such/inc',
      '',
      '/',
      'clojure.core',
    ]) {
      expect(table.has(name), name).to.equal(false);
      expect(table.get(name), name).to.equal(undefined);
    }
    expect(table.get('clojure.core//')?.name).to.equal('clojure.core//');
  });

  it('makes a built-in of every key', () => {
    const table = builtinTable(testEnvironment());
    expect(table.values().map(({ name }) => name)).to.deep.equal(table.keys());
  });
});
