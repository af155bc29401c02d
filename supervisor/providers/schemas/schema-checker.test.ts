import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Verdict } from '../../calls/broker/capability.ts';
import { schemaChecker, type SchemaChecker } from './schema-checker.ts';
import { schemaThreads, type SchemaThreads } from './schema-threads.ts';
import { boundedSchema, type JsonSchema } from './bounded-schema.ts';

describe('checking values in a thread (runtime.md §5 step 4)', () => {
  let threads: SchemaThreads;
  let checker: SchemaChecker;
  before(() => {
    threads = schemaThreads();
    checker = schemaChecker(threads, 'a');
  });
  after(() => threads.close());

  function check(schema: JsonSchema, plain: unknown, timeoutMs = 20_000): Promise<Verdict> {
    const value = jsonFromPlain(plain);
    if (value === undefined) throw new Error('this test checks JSON');
    return checker.check(boundedSchema(schema, 'the schema'), SerializedJson.of(value), timeoutMs);
  }

  const ORDER = {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^o-\\d+$' },
      count: { type: 'integer', maximum: 9 },
      kind: { enum: ['secret'] },
    },
    required: ['id'],
    additionalProperties: false,
  };

  const rows: readonly (readonly [string, unknown, Verdict])[] = [
    ['a value that fits', { id: 'o-1', count: 9 }, { status: 'valid' }],
    [
      'a missing member, by its declared name',
      {},
      {
        status: 'invalid',
        violations: [
          new Map([
            ['rule', 'required'],
            ['schema_path', '#/required'],
            ['missing', 'id'],
          ]),
        ],
      },
    ],
    [
      'a bound',
      { id: 'o-1', count: 10 },
      {
        status: 'invalid',
        violations: [
          new Map<string, string | number>([
            ['rule', 'maximum'],
            ['schema_path', '#/properties/count/maximum'],
            ['limit', 9],
          ]),
        ],
      },
    ],
    [
      'an undeclared member, which is named with those that are declared',
      { id: 'o-1', password: 1 },
      {
        status: 'invalid',
        violations: [
          new Map<string, JsonValue>([
            ['rule', 'additionalProperties'],
            ['schema_path', '#/additionalProperties'],
            ['unknown', 'password'],
            ['allowed', ['count', 'id', 'kind']],
          ]),
        ],
      },
    ],
    [
      'an enum, whose members are those of the schema',
      { id: 'o-1', kind: 'x' },
      {
        status: 'invalid',
        violations: [
          new Map<string, JsonValue>([
            ['rule', 'enum'],
            ['schema_path', '#/properties/kind/enum'],
            ['members', ['secret']],
          ]),
        ],
      },
    ],
  ];
  for (const [title, value, verdict] of rows) {
    it(title, async () => {
      expect(await check(ORDER, value)).to.deep.equal(verdict);
    });
  }

  it('takes an integral float for an integer and keeps strange keys', async () => {
    expect(await check({ type: 'integer' }, 5)).to.deep.equal({ status: 'valid' });
    expect(await check({ type: 'object', additionalProperties: false }, new Map([['__proto__', 1]]))).to.have.property(
      'status',
      'invalid',
    );
  });

  it('survives a value too deep for its stack', async () => {
    let deep: unknown = 0;
    for (let level = 0; level < 400; level += 1) deep = { next: deep };
    const verdict = await check(
      {
        $ref: '#/$defs/node',
        $defs: {
          node: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }] },
        },
      },
      deep,
    );
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

describe('checking small values of simple schemas (runtime.md §5 step 4)', () => {
  const LIST = { type: 'array', items: { type: 'integer', maximum: 9 } };
  const checkedHere = (schema: JsonSchema): boolean => boundedSchema(schema, 'the schema').check !== null;

  it('is done in the calling thread, with the verdicts of the other', async () => {
    const threads = schemaThreads();
    const checker = schemaChecker(threads, 'a');
    const verdicts = async (plain: unknown): Promise<readonly Verdict[]> => {
      const value = jsonFromPlain(plain);
      if (value === undefined) throw new Error('this test checks JSON');
      const schema = boundedSchema(LIST, 'the schema');
      return Promise.all(
        [schema, { ...schema, check: null }].map((variant) => checker.check(variant, SerializedJson.of(value), 20_000)),
      );
    };
    for (const plain of [[], [1, 9], [10], ['a'], 'a', 5, null, new Map([['__proto__', 1]]), [2n ** 70n]]) {
      const [here, there] = await verdicts(plain);
      expect(here).to.deep.equal(there);
    }
    await threads.close();
  });

  it('holds for values up to a number of characters and parts', async () => {
    const requested: unknown[] = [];
    const checker = schemaChecker({ ask: async () => [], close: async () => undefined }, 'a');
    const schema = { ...boundedSchema(LIST, 'the schema'), check: (plain: unknown) => (requested.push(plain), []) };
    const countOf = async (value: JsonValue): Promise<number> => {
      await checker.check(schema, SerializedJson.of(value), 20_000);
      return requested.length;
    };
    expect(await countOf('x'.repeat(1023))).to.equal(1);
    expect(await countOf('x'.repeat(1024))).to.equal(1);
    expect(await countOf(Array.from({ length: 1023 }, () => 1))).to.equal(2);
    expect(await countOf(Array.from({ length: 1024 }, () => 1))).to.equal(2);
    expect(await countOf(new Map([['k'.repeat(1022), 1]]))).to.equal(3);
    expect(await countOf(new Map([['k'.repeat(1023), 1]]))).to.equal(3);
  });

  for (const [title, schema] of [
    ['a pattern', { properties: { a: { type: 'string', pattern: 'a' } } }],
    ['patterns for names', { patternProperties: { a: true } }],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: true } }],
    ['unique items', { anyOf: [{ uniqueItems: true }] }],
    ['a long text', { description: 'x'.repeat(8192) }],
  ] as const) {
    it(`is not done for a schema with ${title}`, () => {
      expect(checkedHere(schema)).to.equal(false);
    });
  }

  it('is done for every other', () => {
    const empty = '{"description":""}'.length;
    expect(checkedHere({ description: 'x'.repeat(8192 - empty) })).to.equal(true);
    expect(checkedHere({ description: 'x'.repeat(8193 - empty) })).to.equal(false);
    expect(checkedHere(LIST)).to.equal(true);
  });
});
