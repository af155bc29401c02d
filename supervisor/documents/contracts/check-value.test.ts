import { expect } from 'chai';
import * as fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { checkContractValue, chosenViolation } from './check-value.ts';
import { compileContract } from './compile.ts';

function json(plain: unknown) {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new Error('a test writes JSON');
  return value;
}

function rootOf(schema: unknown) {
  const compiled = compileContract(json(schema));
  if (!compiled.ok) throw new Error(compiled.faults[0].rule);
  return compiled.schema.root;
}

function verdict(schema: unknown, value: unknown): string {
  const chosen = chosenViolation(checkContractValue(rootOf(schema), json(value)));
  return chosen === null ? 'ok' : `${chosen.rule} ${JSON.stringify(chosen.path)}`;
}

const a = (schema: object, more: object = {}) => ({ type: 'object', properties: { a: schema }, ...more });
const branch = (tag: string) => ({
  type: 'object',
  properties: { kind: { type: 'string', const: tag }, [tag]: { type: 'integer' } },
  required: ['kind', tag],
  additionalProperties: false,
});
const union = { oneOf: [branch('x'), branch('y')] };

describe('a value against its contract (documents.md §4)', () => {
  const cases: readonly (readonly [string, unknown, unknown, string])[] = [
    ['admits what fits', a({ type: 'integer' }), { a: 1 }, 'ok'],
    ['takes an integral float for an integer', a({ type: 'integer', maximum: 1e300 }), { a: 1e200 }, 'ok'],
    ['refuses a fraction', a({ type: 'integer' }), { a: 1.5 }, 'type "/a"'],
    ['refuses an undeclared property at its parent', a({ type: 'integer' }), { secret: 1 }, 'unknown_property ""'],
    [
      'admits an undeclared property of an open object',
      a({ type: 'integer' }, { additionalProperties: true }),
      { b: 1 },
      'ok',
    ],
    [
      'names the lowest missing property',
      { type: 'object', properties: { b: { type: 'null' }, a: { type: 'null' } }, required: ['b', 'a'] },
      {},
      'required "/a"',
    ],
    [
      'tells the first fault below the root',
      a({ type: 'integer' }, { required: ['a'] }),
      { secret: 1 },
      'required "/a"',
    ],
    ['counts code points', a({ type: 'string', maxLength: 1 }), { a: '😀' }, 'ok'],
    ['refuses a long text', a({ type: 'string', maxLength: 1 }), { a: 'ab' }, 'max_length "/a"'],
    ['compares const by number', a({ type: 'number', const: 1 }), { a: 1.0 }, 'ok'],
    ['refuses another const', a({ type: 'string', const: 'x' }), { a: 'secret' }, 'const "/a"'],
    [
      'compares lists and objects by their parts',
      a({ type: ['object', 'null'], additionalProperties: true, const: { x: [1, { y: null }] } }),
      { a: { x: [1.0, { y: null }] } },
      'ok',
    ],
    ['refuses a longer list', a({ type: 'array', const: [1] }), { a: [1, 2] }, 'const "/a"'],
    [
      'refuses an object with another name',
      a({ type: 'object', additionalProperties: true, const: { x: 1 } }),
      { a: { y: 1 } },
      'const "/a"',
    ],
    [
      'refuses an object with one name more',
      a({ type: 'object', additionalProperties: true, enum: [{ x: 1 }, [1]] }),
      { a: { x: 1, y: 1 } },
      'enum "/a"',
    ],
    ['refuses another member', a({ type: 'string', enum: ['x', 'y'] }), { a: 'secret' }, 'enum "/a"'],
    [
      'counts indexes of declared arrays',
      a({ type: 'array', items: { type: 'integer' } }),
      { a: [1, 'x'] },
      'type "/a/1"',
    ],
    ['admits any items where none are declared', a({ type: 'array' }), { a: [1, 'x', { y: [] }] }, 'ok'],
    ['asserts digests', a({ type: 'string', format: 'sha256' }), { a: `sha256:${'0'.repeat(63)}g` }, 'pattern "/a"'],
    ['admits null where it may stand', a({ type: ['null', 'string'] }), { a: null }, 'ok'],
    ['chooses the branch by its tag', union, { kind: 'y', y: 1 }, 'ok'],
    ['tells faults of the chosen branch only', union, { kind: 'y', y: 'z' }, 'type "/y"'],
    ['tells an unknown tag at the discriminator', union, { kind: 'secret' }, 'enum "/kind"'],
    ['tells a missing tag at the discriminator', union, { x: 1 }, 'required "/kind"'],
    ['refuses a union value that is no object', union, 'secret', 'type ""'],
  ];
  for (const [title, schema, value, expected] of cases) {
    it(title, () => {
      expect(verdict(schema, value)).to.equal(expected);
    });
  }

  it('checks a property called __proto__ like any other', () => {
    const compiled = compileContract(
      json({ type: 'object', properties: { ['__proto__']: { type: 'integer' } }, additionalProperties: true }),
    );
    if (!compiled.ok) throw new Error('the contract was refused');
    const { root } = compiled.schema;
    expect(checkContractValue(root, json({ ['__proto__']: 1 }))).to.have.length(0);
    expect(checkContractValue(root, json({ ['__proto__']: {} }))).to.have.length(1);
  });

  it('agrees with a general validator on whether a value fits', () => {
    const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'x', 'xy', null, true, 0.5));
    const leaf = fc.oneof(
      fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null') }),
      fc.record({
        type: fc.constant('integer'),
        minimum: fc.integer({ min: -2, max: 0 }),
        maximum: fc.integer({ min: 0, max: 2 }),
      }),
      fc.record({ type: fc.constant('string'), minLength: fc.constantFrom(0, 1), maxLength: fc.constantFrom(1, 2) }),
      fc.record({ type: fc.constantFrom(['null', 'string'], ['integer', 'null']) }),
      fc.record({
        type: fc.constant('number'),
        enum: fc.uniqueArray(fc.integer({ min: -2, max: 2 }), { minLength: 1 }),
      }),
    );
    const node = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.constantFrom(1, 2) }),
        fc.record({
          type: fc.constant('object'),
          // The peer passes over a schema's property called __proto__; ours is tried above.
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { noNullPrototype: true }),
          additionalProperties: fc.boolean(),
        }),
      ),
    })).schema;
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value')),
      ),
    })).value;
    const ajv = new Ajv2020({ strict: false, ownProperties: true });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b'), node),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
        (properties, input) => {
          const schema = { type: 'object', properties, additionalProperties: false };
          const compiled = compileContract(json(schema));
          fc.pre(compiled.ok);
          const expected = ajv.compile(Object(plainFromJson(compiled.schema.normalised)))(plainFromJson(json(input)));
          expect(checkContractValue(compiled.schema.root, json(input)).length === 0).to.equal(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
