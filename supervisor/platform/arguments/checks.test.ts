import { expect } from 'chai';
import {
  anything,
  bytes,
  checkArguments,
  count,
  fits,
  flag,
  functionOr,
  listOf,
  mapOf,
  maybe,
  objectWith,
  membersBy,
  numberBetween,
  orNull,
  recordOf,
  nonEmptyText,
  textOfLength,
  withFunctions,
  wordOf,
  type Check,
} from './checks.ts';

const said = (check: Check, value: unknown): string | null => {
  try {
    checkArguments('call', { given: [value, check] });
    return null;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return error.message;
  }
};

describe('arguments of an embedding program (gateway.md §16)', () => {
  it('are numbers within their bounds, at each of them and one beyond', () => {
    for (const [value, isRight] of [
      [2, false],
      [3, true],
      [5, true],
      [6, false],
      [3.5, false],
      ['4', false],
    ] as const)
      expect(said(count(3, 5), value) === null, String(value)).to.equal(isRight);
    for (const [value, isRight] of [
      [0.99, false],
      [1, true],
      [99.5, true],
      [100, true],
      [100.01, false],
      [Number.NaN, false],
    ] as const)
      expect(said(numberBetween(1, 100), value) === null, String(value)).to.equal(isRight);
    for (const [value, isRight] of [
      ['', false],
      ['a', true],
      ['ab', true],
      ['abc', false],
    ] as const)
      expect(said(textOfLength(1, 2), value) === null, value).to.equal(isRight);
    expect(said(count(0), Number.MAX_SAFE_INTEGER)).to.equal(null);
    expect(said(count(0), Number.MAX_SAFE_INTEGER + 1)).to.equal('call: given is a whole number, 0 or more');
  });

  it('are named with the way to them', () => {
    const check = objectWith<{ a: unknown; list: unknown; map: unknown }>({
      a: maybe(objectWith<{ b: unknown }>({ b: flag })),
      list: maybe(listOf(nonEmptyText)),
      map: maybe(mapOf(nonEmptyText, bytes)),
    });
    expect(said(check, {})).to.equal(null);
    expect(said(check, { a: { b: 1 } })).to.equal('call: given.a.b is true or false');
    expect(said(check, { a: {} })).to.equal('call: given.a.b is true or false');
    expect(said(check, { list: ['x', ''] })).to.equal('call: given.list[1] is a text that is not empty');
    expect(said(check, { map: new Map([['x', 'y']]) })).to.equal('call: given.map.x is bytes (Uint8Array)');
    expect(said(check, { lists: [] })).to.equal('call: given has no member lists: did you mean list?');
    expect(said(check, { ['z'.repeat(100)]: 1 })).to.equal(`call: given has no member ${'z'.repeat(64)}…`);
  });

  it('are what one of several forms says', () => {
    const reference = membersBy('kind', {
      a: objectWith<{ kind: unknown; path: unknown }>({ kind: anything, path: nonEmptyText }),
      b: objectWith<{ kind: unknown }>({ kind: anything }),
    });
    expect(said(reference, { kind: 'b' })).to.equal(null);
    expect(said(reference, { kind: 'a' })).to.equal('call: given.path is a text that is not empty');
    expect(said(reference, { kind: 'b', path: 'x' })).to.equal('call: given has no member path');
    expect(said(reference, { kind: 'c' })).to.equal("call: given.kind is 'a' or 'b'");
    const either = functionOr(nonEmptyText, 'a path or a function');
    expect([said(either, 'x'), said(either, () => 1), said(either, 1)]).to.deep.equal([
      null,
      null,
      'call: given is a path or a function',
    ]);
    expect(
      [
        said(orNull(flag), null),
        said(orNull(flag), undefined),
        said(maybe(flag), undefined),
        said(maybe(flag), null),
      ].map((fault) => fault === null),
    ).to.deep.equal([true, false, true, false]);
    expect(said(wordOf('on', 'off'), 'On')).to.equal("call: given is 'on' or 'off'");
  });

  it('are objects of any class with the functions that are asked for, and no promise of one', () => {
    class Store {
      get(): null {
        return null;
      }
    }
    expect(said(withFunctions('get'), new Store())).to.equal(null);
    expect(said(withFunctions('get', 'put', 'scan'), new Store())).to.equal(
      'call: given is an object with the functions get, put and scan',
    );
    for (const value of [Promise.resolve({}), { then: () => undefined }, [], new Map(), null, 'x', () => 1])
      expect(said(recordOf(fits('there', () => true)), value)).to.match(/^call: given is an object/);
  });
});
