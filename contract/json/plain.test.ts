import { expect } from 'chai';
import * as fc from 'fast-check';
import { arbitraryJson, hasEscapedKey } from './arbitrary-json.ts';
import { canonicalJson } from './canonical.ts';
import { jsonFromPlain, plainFromJson } from './plain.ts';
import { isJsonArray, isJsonFloat, isJsonObject, JsonFloat, type JsonValue } from './value.ts';

describe('jsonFromPlain', () => {
  it('gives a JSON value back equal', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        expect(jsonFromPlain(value)).to.deep.equal(value);
      }),
    );
  });

  it('takes what JSON.parse makes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (plain) => {
        fc.pre(!hasEscapedKey(JSON.stringify(plain)));
        const value = jsonFromPlain(plain);
        expect(value).to.not.equal(undefined);
        expect(JSON.parse(canonicalJson(value ?? null))).to.deep.equal(JSON.parse(JSON.stringify(plain)));
      }),
    );
  });

  it('chooses number classes by value', () => {
    const cases: readonly (readonly [number | bigint, JsonValue])[] = [
      [1, 1],
      [-0, 0],
      [0.5, new JsonFloat(0.5)],
      [2 ** 53, new JsonFloat(2 ** 53)],
      [5n, 5],
      [2n ** 60n, 2n ** 60n],
    ];
    for (const [plain, value] of cases) {
      expect(jsonFromPlain(plain)).to.deep.equal(value);
      expect(Object.is(jsonFromPlain(plain), -0)).to.equal(false);
    }
  });

  it('takes objects without prototype and members called __proto__', () => {
    const bare: object = Object.assign(Object.create(null), { a: 1 });
    expect(jsonFromPlain(bare)).to.deep.equal(new Map([['a', 1]]));
    expect(jsonFromPlain(JSON.parse('{"__proto__":{"a":1}}'))).to.deep.equal(
      new Map([['__proto__', new Map([['a', 1]])]]),
    );
  });

  it('converts a value that stands in several places, in linear time', () => {
    let shared: unknown = 'leaf';
    for (let depth = 0; depth < 200; depth += 1) {
      shared = [shared, shared];
    }
    expect(jsonFromPlain(shared)).to.be.an('array');
  });

  const cycle: unknown[] = [];
  cycle.push(cycle, cycle);
  const refused: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['an undefined item', [undefined]],
    ['NaN', Number.NaN],
    ['an infinity', [-Infinity]],
    ['a lone surrogate', '\uD800'],
    ['a lone surrogate in a key', { '\uDC00': 1 }],
    ['a function', { a: () => 1 }],
    ['a symbol', Symbol('s')],
    ['a symbol key', { [Symbol('s')]: 1 }],
    ['a date', new Date(0)],
    ['a set', new Set()],
    ['bytes', new Uint8Array(1)],
    ['a map with other keys', new Map([[1, 1]])],
    ['a cycle', cycle],
    ['513 levels', nested(513)],
    ['endless levels', nested(1_000_000)],
  ];
  for (const [name, plain] of refused) {
    it(`refuses ${name}`, () => {
      expect(jsonFromPlain(plain)).to.equal(undefined);
    });
  }

  it('takes 512 levels', () => {
    expect(jsonFromPlain(nested(512))).to.be.an('array');
  });
});

describe('plainFromJson', () => {
  it('makes ordinary data of the same content', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        expect(JSON.stringify(plainFromJson(value))).to.equal(JSON.stringify(ordinary(value)));
      }),
    );
  });

  it('takes numbers of either class to the nearest number', () => {
    expect(plainFromJson([1, new JsonFloat(1.5), 2n ** 64n, 10n ** 400n])).to.deep.equal([1, 1.5, 2 ** 64, Infinity]);
  });

  it('gives objects no prototype', () => {
    const plain = plainFromJson(new Map([['__proto__', 1]]));
    expect(Object.getPrototypeOf(plain)).to.equal(null);
    expect(Object.entries(plain ?? {})).to.deep.equal([['__proto__', 1]]);
  });
});

/** The same data built by the language's own means. */
function ordinary(value: JsonValue): unknown {
  if (isJsonArray(value)) {
    return value.map(ordinary);
  }
  if (isJsonObject(value)) {
    return Object.fromEntries([...value].map(([key, member]) => [key, ordinary(member)]));
  }
  if (isJsonFloat(value)) {
    return value.value;
  }
  return typeof value === 'bigint' ? Number(value) : value;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    value = [value];
  }
  return value;
}
