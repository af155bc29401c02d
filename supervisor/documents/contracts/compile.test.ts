import { expect } from 'chai';
import { buildPointer } from '../../../contract/json/pointer.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { compileContract } from './compile.ts';

function json(plain: unknown) {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new Error('a test writes JSON');
  return value;
}

function verdict(plain: unknown): string {
  const compiled = compileContract(json(plain));
  return compiled.ok ? 'ok' : `${compiled.faults[0].rule} ${JSON.stringify(buildPointer(compiled.faults[0].path))}`;
}

const property = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
const branch = (tag: unknown, more: object = {}) => ({
  type: 'object',
  properties: { kind: { type: 'string', const: tag }, ...more },
  required: ['kind'],
  additionalProperties: false,
});
const nested = (depth: number): unknown => (depth === 1 ? { type: 'object' } : property(nested(depth - 1)));

describe('the contract profile (documents.md §4)', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['admits an empty object', { type: 'object' }, 'ok'],
    ['admits both dialects', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, 'ok'],
    [
      'refuses another dialect',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      'unsupported_dialect "/$schema"',
    ],
    [
      'refuses a dialect below the root',
      property({ $schema: 'x', type: 'string' }),
      'unsupported_keyword "/properties/a"',
    ],
    ['refuses what is no object', [], 'not_a_schema_object ""'],
    ['refuses a boolean schema', property(true), 'not_a_schema_object "/properties/a"'],
    ['ignores default and x-', property({ type: 'string', default: 1, 'x-mcp-header': 'A' }), 'ok'],
    ['refuses pattern', property({ type: 'string', pattern: 'a' }), 'unsupported_keyword "/properties/a"'],
    ['refuses a reference', property({ $ref: '#' }), 'unsupported_keyword "/properties/a"'],
    ['requires a type beside const', property({ const: 1 }), 'type_missing "/properties/a"'],
    ['refuses an unknown type', property({ type: 'any' }), 'unsupported_type "/properties/a/type"'],
    ['admits null and one other in any order', property({ type: ['string', 'null'] }), 'ok'],
    ['refuses two others', property({ type: ['string', 'integer'] }), 'unsupported_type "/properties/a/type"'],
    ['refuses null twice', property({ type: ['null', 'null'] }), 'unsupported_type "/properties/a/type"'],
    ['refuses a list of one', property({ type: ['string'] }), 'unsupported_type "/properties/a/type"'],
    ['refuses a nullable root', { type: ['object', 'null'] }, 'root_not_object ""'],
    ['refuses another root', { type: 'string' }, 'root_not_object ""'],
    ['refuses a title that is no text', { type: 'object', title: 1 }, 'invalid_keyword_value "/title"'],
    [
      'refuses inverted bounds',
      property({ type: 'integer', minimum: 2, maximum: 1 }),
      'bounds_inverted "/properties/a"',
    ],
    [
      'refuses inverted lengths',
      property({ type: 'string', minLength: 2, maxLength: 1 }),
      'bounds_inverted "/properties/a"',
    ],
    [
      'refuses a negative size',
      property({ type: 'array', minItems: -1 }),
      'invalid_keyword_value "/properties/a/minItems"',
    ],
    [
      'refuses a bound that is no number',
      property({ type: 'integer', minimum: '1' }),
      'invalid_keyword_value "/properties/a/minimum"',
    ],
    ['admits bounds of another type', property({ type: 'string', minimum: 1 }), 'ok'],
    [
      'refuses another format',
      property({ type: 'string', format: 'date' }),
      'unsupported_format "/properties/a/format"',
    ],
    [
      'refuses a format of a number',
      property({ type: 'integer', format: 'sha256' }),
      'keyword_not_applicable "/properties/a/format"',
    ],
    ['refuses an empty enum', property({ type: 'string', enum: [] }), 'invalid_keyword_value "/properties/a/enum"'],
    [
      'refuses equal members, whatever their class',
      property({ type: 'number', enum: [1, 1.5, 1] }),
      'invalid_keyword_value "/properties/a/enum"',
    ],
    [
      'refuses 257 members',
      property({ type: 'integer', enum: Array.from({ length: 257 }, (_, i) => i) }),
      'too_many_enum_members "/properties/a/enum"',
    ],
    [
      'refuses properties of a text',
      property({ type: 'string', properties: {} }),
      'keyword_not_applicable "/properties/a/properties"',
    ],
    ['refuses items of an object', { type: 'object', items: { type: 'string' } }, 'keyword_not_applicable "/items"'],
    [
      'refuses required that is not declared',
      { type: 'object', required: ['a'] },
      'required_property_undeclared "/required"',
    ],
    [
      'refuses required twice',
      { ...property({ type: 'null' }), required: ['a', 'a'] },
      'invalid_keyword_value "/required"',
    ],
    [
      'refuses a schema of additional properties',
      { type: 'object', additionalProperties: { type: 'string' } },
      'invalid_keyword_value "/additionalProperties"',
    ],
    [
      'refuses 129 properties',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`p${i}`, { type: 'null' }])),
      },
      'too_many_properties "/properties"',
    ],
    ['admits sixteen levels', nested(16), 'ok'],
    ['refuses seventeen levels', nested(17), `depth_exceeded "${'/properties/a'.repeat(16)}"`],
    [
      'escapes names in pointers',
      { type: 'object', properties: { 'a/b~c': {} } },
      'type_missing "/properties/a~1b~0c"',
    ],
    [
      'takes properties in byte order',
      { type: 'object', properties: { b: {}, a: { type: 'x' } } },
      'unsupported_type "/properties/a/type"',
    ],
    ['admits a union', { oneOf: [branch('a'), branch('b')] }, 'ok'],
    ['refuses a union of one', { oneOf: [branch('a')] }, 'union_branch_count "/oneOf"'],
    [
      'refuses a union of seventeen',
      { oneOf: Array.from({ length: 17 }, (_, i) => branch(`t${i}`)) },
      'union_branch_count "/oneOf"',
    ],
    ['refuses x- at the root of a union', { oneOf: [branch('a'), branch('b')], 'x-a': 1 }, 'unsupported_keyword ""'],
    ['refuses type beside oneOf', { type: 'object', oneOf: [branch('a'), branch('b')] }, 'unsupported_keyword ""'],
    [
      'refuses an open branch',
      { oneOf: [branch('a'), { ...branch('b'), additionalProperties: true }] },
      'union_branch_not_closed_object "/oneOf/1"',
    ],
    ['refuses equal tags', { oneOf: [branch('a'), branch('a')] }, 'union_discriminator_missing "/oneOf"'],
    [
      'refuses two discriminators',
      {
        oneOf: ['a', 'b'].map((tag) => ({
          ...branch(tag, { other: { type: 'string', const: tag } }),
          required: ['kind', 'other'],
        })),
      },
      'union_discriminator_missing "/oneOf"',
    ],
    [
      'refuses an optional discriminator',
      { oneOf: [branch('a'), { ...branch('b'), required: [] }] },
      'union_discriminator_missing "/oneOf"',
    ],
    ['refuses a long tag', { oneOf: [branch('a'), branch('b'.repeat(129))] }, 'union_discriminator_missing "/oneOf"'],
    ['refuses a nested union', property({ type: 'object', oneOf: [] }), 'unsupported_keyword "/properties/a"'],
    ['refuses a large schema', property({ type: 'string', enum: ['x'.repeat(65_536)] }), 'schema_too_large ""'],
  ];
  for (const [title, schema, expected] of cases) {
    it(title, () => {
      expect(verdict(schema)).to.equal(expected);
    });
  }

  it('finds every fault, each where it stands', () => {
    const compiled = compileContract(
      json({
        type: 'object',
        patern: 1,
        required: ['a', 'z'],
        description: 2,
        properties: {
          a: { type: 'text' },
          b: { minimum: 5, maximum: 1, type: 'number' },
          c: {},
          d: { type: 'array', items: { anyOf: [] } },
        },
      }),
    );
    expect(
      compiled.ok ? [] : compiled.faults.map(({ rule, path, at }) => `${rule} ${buildPointer(at ?? path)}`),
    ).to.deep.equal([
      'unsupported_keyword /patern',
      'invalid_keyword_value /description',
      'unsupported_type /properties/a/type',
      'bounds_inverted /properties/b/minimum',
      'type_missing /properties/c/type',
      'unsupported_keyword /properties/d/items/anyOf',
      'type_missing /properties/d/items/type',
      'required_property_undeclared /required/1',
    ]);
  });

  it('says of a broken branch nothing that only follows from it', () => {
    const compiled = compileContract(
      json({ oneOf: [{ type: 'objekt' }, { type: 'object', properties: { kind: { const: 'b' } } }] }),
    );
    expect(compiled.ok ? [] : compiled.faults.map(({ rule }) => rule)).to.deep.equal([
      'unsupported_type',
      'type_missing',
    ]);
  });

  it('tells the first fault in the order of the keywords', () => {
    const keywords: readonly (readonly [string, unknown, string])[] = [
      ['unknown', 1, 'unsupported_keyword "/properties/a"'],
      ['type', ['integer'], 'unsupported_type "/properties/a/type"'],
      ['title', 1, 'invalid_keyword_value "/properties/a/title"'],
      ['description', 1, 'invalid_keyword_value "/properties/a/description"'],
      ['minimum', 'x', 'invalid_keyword_value "/properties/a/minimum"'],
      ['minLength', -1, 'invalid_keyword_value "/properties/a/minLength"'],
      ['minItems', -1, 'invalid_keyword_value "/properties/a/minItems"'],
      ['format', 'x', 'unsupported_format "/properties/a/format"'],
      ['enum', [], 'invalid_keyword_value "/properties/a/enum"'],
      ['properties', 1, 'keyword_not_applicable "/properties/a/properties"'],
      ['items', 1, 'keyword_not_applicable "/properties/a/items"'],
      ['required', 1, 'keyword_not_applicable "/properties/a/required"'],
      ['additionalProperties', 1, 'keyword_not_applicable "/properties/a/additionalProperties"'],
    ];
    for (const [index, [, , expected]] of keywords.entries()) {
      const later = Object.fromEntries(
        keywords
          .slice(index)
          .map(([name, value]) => [name, value])
          .toReversed(),
      );
      expect(verdict(property({ type: 'string', ...later }))).to.equal(expected);
    }
  });

  it('normalises to one form and keeps what the gateway shows', () => {
    const compiled = compileContract(
      json({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        title: 'T',
        required: ['b', 'a'],
        properties: {
          title: { type: ['string', 'null'], description: 'D', 'x-mcp-header': 'H', default: 1 },
          a: { type: 'array', items: { type: 'object' } },
          b: { type: 'integer', const: 1, 'x-other': 1 },
        },
      }),
    );
    if (!compiled.ok) throw new Error(compiled.faults[0].rule);
    const { normalised, annotated, behaviour } = compiled.schema;
    expect(canonicalJson(normalised)).to.equal(
      '{"additionalProperties":false,"properties":{"a":{"items":{"additionalProperties":false,"type":"object"},"type":"array"},"b":{"const":1,"type":"integer"},"title":{"description":"D","type":["null","string"]}},"required":["a","b"],"title":"T","type":"object"}',
    );
    expect(canonicalJson(annotated)).to.contain('"x-mcp-header":"H"').and.not.contain('x-other');
    // A property may be called title; only the keyword is dropped.
    expect(canonicalJson(behaviour)).to.contain('"title":{"type":["null","string"]}').and.not.contain('"T"');
  });
});
