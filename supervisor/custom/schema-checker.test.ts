import { expect } from 'chai';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { Verdict } from '../broker/capability.ts';
import { openSchemaChecker } from './schema-checker.ts';
import type { SchemaChecker } from './schema-checker.ts';
import { boundedSchema } from './schema.ts';
import type { JsonSchema } from './schema.ts';

describe('checking values in a thread (runtime.md §5 step 4)', () => {
  let checker: SchemaChecker;
  before(() => {
    checker = openSchemaChecker();
  });
  after(async () => {
    await checker.close();
  });

  function check(schema: JsonSchema, plain: unknown, timeoutMs = 20_000): Promise<Verdict> {
    const value = jsonFromPlain(plain);
    if (value === undefined) throw new Error('this test checks JSON');
    return checker.check(boundedSchema(schema, 'the schema'), value, timeoutMs);
  }

  const ORDER = { type: 'object', properties: { id: { type: 'string', pattern: '^o-\\d+$' }, count: { type: 'integer', maximum: 9 }, kind: { enum: ['secret'] } }, required: ['id'], additionalProperties: false };

  const rows: readonly (readonly [string, unknown, Verdict])[] = [
    ['a value that fits', { id: 'o-1', count: 9 }, { status: 'valid' }],
    ['a missing member, by its declared name', {}, { status: 'invalid', violations: [new Map([['rule', 'required'], ['schema_path', '#/required'], ['missing', 'id']])] }],
    ['a bound', { id: 'o-1', count: 10 }, { status: 'invalid', violations: [new Map<string, string | number>([['rule', 'maximum'], ['schema_path', '#/properties/count/maximum'], ['limit', 9]])] }],
    ['an undeclared member, which is not named', { id: 'o-1', password: 1 }, { status: 'invalid', violations: [new Map([['rule', 'additionalProperties'], ['schema_path', '#/additionalProperties']])] }],
    ['an enum, whose members are not told', { id: 'o-1', kind: 'x' }, { status: 'invalid', violations: [new Map([['rule', 'enum'], ['schema_path', '#/properties/kind/enum']])] }],
  ];
  for (const [title, value, verdict] of rows) {
    it(title, async () => {
      expect(await check(ORDER, value)).to.deep.equal(verdict);
    });
  }

  it('takes an integral float for an integer and keeps strange keys', async () => {
    expect(await check({ type: 'integer' }, 5)).to.deep.equal({ status: 'valid' });
    expect(await check({ type: 'object', additionalProperties: false }, new Map([['__proto__', 1]]))).to.have.property('status', 'invalid');
  });

  it('gives up a value that takes too long and goes on with the next', async () => {
    const slow = check({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, 50);
    const next = check({ type: 'string' }, 'b');
    expect([await slow, await next]).to.deep.equal([{ status: 'unavailable' }, { status: 'valid' }]);
  });

  it('survives a value too deep for its stack', async () => {
    let deep: unknown = 0;
    for (let level = 0; level < 400; level += 1) deep = { next: deep };
    const verdict = await check({ $ref: '#/$defs/node', $defs: { node: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }] } } }, deep);
    expect(verdict).to.have.property('status', 'valid');
  });

  const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
    ['no schema', 5, /boolean or an object/],
    ['no JSON', { const: () => 1 }, /plain data/],
    ['a wrong keyword value', { type: 'strin' }, /no usable/],
    ['an endless size', { description: 'x'.repeat(65_536) }, /larger than/],
    ['another document', { $ref: 'https://example.org/schema' }, /another document/],
    ['a huge pattern', { type: 'string', pattern: 'a'.repeat(1025) }, /pattern longer/],
    ['a wrong pattern', { type: 'string', pattern: '(' }, /no usable/],
  ];
  for (const [title, schema, message] of REFUSED) {
    it(`refuses a schema that is ${title}`, () => {
      expect(() => boundedSchema(schema, 'the schema')).to.throw(TypeError, message);
    });
  }

  it('takes a schema of exactly the bytes that one may have', () => {
    const empty = '{"description":""}'.length;
    expect(boundedSchema({ description: 'x'.repeat(65_536 - empty) }, 'the schema').isAnything).to.equal(false);
    expect(() => boundedSchema({ description: 'x'.repeat(65_537 - empty) }, 'the schema')).to.throw(TypeError);
  });
});
