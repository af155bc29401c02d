import * as fc from 'fast-check';
import { JsonFloat, jsonInteger, type JsonObject, type JsonValue } from './value.ts';

/** Well-formed strings, among them the keys that plain objects treat specially. */
export const arbitraryKey: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '1',
    '0',
    '',
    'é',
    '\u{1F600}',
    '\uFFFD',
    '"',
    '\\',
    '\u0001',
  ),
);

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  arbitraryKey,
  fc.maxSafeInteger().map((integer) => integer + 0),
  fc.bigInt().map(jsonInteger),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((float) => new JsonFloat(float)),
  fc.integer({ min: -20, max: 20 }).map((float) => new JsonFloat(float)),
);

/** Every kind of JSON value, for property tests. */
export const arbitraryJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 6 }),
    fc
      .uniqueArray(fc.tuple(arbitraryKey, tie('value')), { maxLength: 12, selector: ([key]) => key })
      .map((members): JsonObject => new Map(members)),
  ),
})).value;

/**
 * Whether some key of a JSON text is written with an escape. Such a text is no test of ours against JSON.parse: V8
 * 13.6 may take the key for one that it met earlier in the same place (after `{"a":0,"\\":0}` it reads
 * `{"a":0,"\n":0}` with the key `\`).
 */
export function hasEscapedKey(text: string): boolean {
  return /\\(?:[^"\\]|\\.)*"\s*:/.test(text);
}
