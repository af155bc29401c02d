import { expect } from 'chai';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { arbitraryJson } from '../../../contract/json/arbitrary-json.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { JsonFloat } from '../../../contract/json/value.ts';
import { FIXED_LIMITS } from '../../../contract/limits/catalogue.ts';
import { plainResult } from './plain-result.ts';

const trap = (): never => {
  throw new Error('code of the result was run');
};

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

describe('what a function returned (runtime.md §5 step 14)', () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'null'],
    ['plain data', { a: [1, 'x', null, true], b: { c: 1.5 } }, '{"a":[1,"x",null,true],"b":{"c":1.5}}'],
    ['a member that is undefined', { a: undefined, b: 1 }, '{"b":1}'],
    ['a Map', new Map([['a', 1]]), '{"a":1}'],
    ['big integers', 2n ** 70n, '1180591620717411303424'],
    ['a float that keeps its class', new JsonFloat(1), '1.0'],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['a key that is a name of its own', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    [
      'the same object twice',
      (() => {
        const shared = { a: 1 };
        return [shared, shared];
      })(),
      '[{"a":1},{"a":1}]',
    ],
    ['50 levels', nested(50), `${'['.repeat(49)}1${']'.repeat(49)}`],
  ];
  for (const [title, returned, text] of rows) {
    it(`takes ${title}`, () => {
      const result = plainResult(returned, 1_000_000);
      expect(result.kind === 'value' ? canonicalJson(result.value) : result.kind).to.equal(text);
    });
  }

  const cyclic: unknown[] = [];
  cyclic.push({ cyclic });
  const refused: readonly (readonly [string, unknown])[] = [
    ['a symbol', Symbol('x')],
    ['a function', trap],
    ['infinity', Infinity],
    ['half a character', '\ud800'],
    ['half a character as key', { '\ud800': 1 }],
    ['a symbol key', { [Symbol('x')]: 1 }],
    ['a cycle', cyclic],
    ['a getter', Object.defineProperty({}, 'a', { enumerable: true, get: trap })],
    ['a getter in an array', Object.defineProperty([1], 0, { enumerable: true, get: trap })],
    ['a hole', Array.from<number>({ length: 1 }).concat(Array(2))],
    ['a proxy', new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap })],
    ['a proxy of an array', new Proxy([], { get: trap })],
    [
      'an instance',
      new (class Own {
        readonly a = 1;
      })(),
    ],
    [
      'a subclass of Map',
      new (class Own extends Map<string, number> {
        override entries(): MapIterator<[string, number]> {
          return trap();
        }
      })(),
    ],
    ['a Map with other keys', new Map([[1, 1]])],
    ['a typed array', new Uint8Array(2)],
    ['51 levels', nested(51)],
  ];
  for (const [title, returned] of refused) {
    it(`refuses ${title}, without running any of it`, () => {
      expect(plainResult(returned, 1_000_000)).to.deep.equal({ kind: 'invalid' });
    });
  }

  it('takes an integer of as many digits as the limit table says, and no longer one', () => {
    const beyond = 10n ** BigInt(FIXED_LIMITS.integer_digits);
    const kindOf = (value: bigint) => plainResult([value], 2_000_000).kind;
    for (const value of [beyond / 10n, beyond - 1n])
      expect([kindOf(value), kindOf(-value)]).to.deep.equal(['value', 'value']);
    for (const value of [beyond, beyond * 10n ** 1_000_000n])
      expect([kindOf(value), kindOf(-value)]).to.deep.equal(['invalid', 'invalid']);
  });

  it('stops reading what is surely too large', () => {
    let read = 0;
    const huge = Array.from({ length: 1_000_000 }, () => 'x'.repeat(10));
    const counting = new Map(
      huge.slice(0, 1000).map((text, index) => [
        String(index),
        {
          text,
          get never() {
            read += 1;
            return 1;
          },
        },
      ]),
    );
    for (const value of [huge, 'x'.repeat(1001), 2n ** 40_000n, counting])
      expect(plainResult(value, 1000).kind).to.be.oneOf(['too_large', 'invalid']);
    expect(read).to.equal(0);
    expect(plainResult(huge, 1000)).to.deep.equal({ kind: 'too_large' });
  });

  it('gives every JSON value back, and never calls one too large that is not', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        const text = canonicalJson(value);
        const result = plainResult(value, utf8Length(text));
        expect(result.kind === 'value' ? canonicalJson(result.value) : result.kind).to.equal(text);
      }),
      { numRuns: 300 },
    );
  });
});
