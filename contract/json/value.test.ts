import { expect } from 'chai';
import * as fc from 'fast-check';
import { integerOf, isJsonFloat, isJsonInteger, JsonFloat, jsonInteger } from './value.ts';

describe('JSON values', () => {
  it('hold no float that JSON cannot say', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(() => new JsonFloat(value)).to.throw(RangeError);
    }
  });

  it('hold a safe integer as number and any other as bigint', () => {
    const border = BigInt(Number.MAX_SAFE_INTEGER);
    expect(jsonInteger(border)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(jsonInteger(border + 1n)).to.equal(border + 1n);
    expect(jsonInteger(-border)).to.equal(Number.MIN_SAFE_INTEGER);
    expect(jsonInteger(-border - 1n)).to.equal(-border - 1n);
  });

  it('keep every integer exact', () => {
    fc.assert(fc.property(fc.bigInt(), (integer) => BigInt(jsonInteger(integer)) === integer));
  });

  it('tell an integral float from an integer, but not in a typed integer field', () => {
    expect(isJsonInteger(1)).to.equal(true);
    expect(isJsonInteger(new JsonFloat(1))).to.equal(false);
    expect(integerOf(new JsonFloat(1))).to.equal(1);
    expect(integerOf(new JsonFloat(-0))).to.equal(0);
    expect(integerOf(new JsonFloat(2 ** 53))).to.equal(2n ** 53n);
    expect(integerOf(new JsonFloat(1e300))).to.equal(BigInt(1e300));
    expect(integerOf(10n ** 30n)).to.equal(10n ** 30n);
    for (const other of [new JsonFloat(1.5), '1', true, null, [], new Map(), undefined]) {
      expect(integerOf(other)).to.equal(undefined);
    }
  });

  it('know a float that another copy of this module made, as the files of the program have them', async () => {
    const copy = './value.ts?copy';
    const other: { readonly JsonFloat: typeof JsonFloat } = await import(copy);
    const float = new other.JsonFloat(1.5);
    expect(float).not.to.be.instanceOf(JsonFloat);
    expect(isJsonFloat(float)).to.equal(true);
    for (const no of [null, undefined, 1.5, '1.5', [], new Map(), { value: 1.5 }, () => 1.5])
      expect(isJsonFloat(no)).to.equal(false);
  });
});
