import { expect } from 'chai';
import { keywordKey, textKey } from '../../../contract/argument-keys.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { doAll } from '../../../contract/json/sliced.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { slicedNames } from './argument-names.ts';
import { normaliseArguments } from './arguments.ts';

const json = (plain: unknown): JsonValue => {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new Error('this is JSON');
  return value;
};
const object = (plain: unknown): JsonObject => {
  const value = json(plain);
  if (!isJsonObject(value)) throw new Error('this is an object');
  return value;
};
const k = keywordKey;

describe('the keys of a tool call (runtime.md §5)', () => {
  function named(input: unknown, schema: unknown): string {
    const answer = doAll(slicedNames(object(input), schema === null ? null : json(schema)));
    return answer.ok ? canonicalJson(answer.input) : `${answer.property}: ${answer.keys.join(' ')}`;
  }
  const props = (...names: readonly string[]): object => ({
    properties: Object.fromEntries(names.map((name) => [name, {}])),
  });

  const rows: readonly (readonly [string, unknown, unknown, string])[] = [
    [
      'a text is as it is written, whatever the schema has',
      { 'X-Trace-Id': 'a', 'per-page': 1 },
      props('X_Trace_Id', 'per_page'),
      '{"X-Trace-Id":"a","per-page":1}',
    ],
    ['a text that begins as a mark does', { [textKey('\u007f:a-b')]: 1 }, null, '{"\u007f:a-b":1}'],
    [
      'a keyword is the property of its name',
      { [k('per-page')]: 1 },
      props('per-page', 'per_page', 'perPage'),
      '{"per-page":1}',
    ],
    ['else the one with underscores', { [k('per-page')]: 1 }, props('perPage', 'per_page'), '{"per_page":1}'],
    ['else the one in camelCase', { [k('per-page-max')]: 1 }, props('perPageMax'), '{"perPageMax":1}'],
    ['else with underscores', { [k('per-page')]: 1 }, props('other'), '{"per_page":1}'],
    [
      'without a schema with underscores',
      { [k('a-b')]: { [k('c-d')]: 1, 'e-f': 2 } },
      null,
      '{"a_b":{"c_d":1,"e-f":2}}',
    ],
    ['below a property', { [k('a-b')]: { [k('c-d')]: 1 } }, { properties: { aB: props('cD') } }, '{"aB":{"cD":1}}'],
    [
      'below a text',
      { headers: { [k('x-id')]: 1, 'X-Trace-Id': 2 } },
      { properties: { headers: { additionalProperties: { type: 'string' } } } },
      '{"headers":{"X-Trace-Id":2,"x_id":1}}',
    ],
    [
      'in members that are not declared',
      { any: { [k('a-b')]: 1 } },
      { additionalProperties: props('aB') },
      '{"any":{"aB":1}}',
    ],
    [
      'in lists',
      { of: [{ [k('a-b')]: 1 }, { [k('a-b')]: 2 }] },
      { properties: { of: { prefixItems: [props('aB')], items: props('a-b') } } },
      '{"of":[{"aB":1},{"a-b":2}]}',
    ],
    ['through a reference', { [k('a-b')]: 1 }, { $ref: '#/$defs/x~1y', $defs: { 'x/y': props('aB') } }, '{"aB":1}'],
    [
      'through references in a circle',
      { next: { next: { [k('a-b')]: 1 } } },
      { $ref: '#', properties: { next: { $ref: '#' }, aB: {} } },
      '{"next":{"next":{"aB":1}}}',
    ],
    [
      'through parts',
      { [k('a-b')]: 1, [k('c-d')]: 2 },
      { allOf: [props('aB')], anyOf: [{ oneOf: [props('c-d')] }] },
      '{"aB":1,"c-d":2}',
    ],
    ['with a schema that is none', { [k('a-b')]: 1 }, { $ref: '#/%', properties: 7, allOf: {} }, '{"a_b":1}'],
    ['two of one property', { [k('a-b')]: 1, a_b: 2 }, null, 'a_b: :a-b "a_b"'],
    ['two keywords of one property', { [k('a-b')]: 1, [k('aB')]: 2 }, props('aB'), 'aB: :a-b :aB'],
    ['a text and a keyword of the same letters', { a: 1, [k('a')]: 2 }, null, 'a: "a" :a'],
    ['two of one property, below', { x: [{ [k('a-b')]: 1, a_b: 2 }] }, null, 'a_b: :a-b "a_b"'],
    ['two that the schema tells apart', { [k('a-b')]: 1, a_b: 2 }, props('a-b', 'a_b'), '{"a-b":1,"a_b":2}'],
  ];
  for (const [what, input, schema, expected] of rows)
    it(`${what}: ${expected}`, () => expect(named(input, schema)).to.equal(expected));

  for (const [bytes, isUsed] of [
    [-1, false],
    [0, true],
    [1, true],
  ] as const) {
    it(`are measured by their canonical form: ${bytes + 1} bytes beyond one less`, () => {
      const text = canonicalJson(json({ [k('a-b')]: 'x', [k('c-d')]: 'y' }));
      const size = '{"a_b":"x","c_d":"y"}'.length;
      expect(normaliseArguments(text, size + bytes, null)).to.have.property(isUsed ? 'input' : 'reason');
    });
  }
});
