import { expect } from 'chai';
import { compile, documentOf, mapping, refusalOf } from '../testing/documents.ts';

type Members = Readonly<Record<string, unknown>>;

const bodied = (schema: unknown, schemas: Members = {}): Members =>
  documentOf(
    { '/a': { post: { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } } } },
    { components: { schemas } },
  );
const nested = (levels: number, innermost: unknown): unknown => {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = { type: 'object', properties: { a: value } };
  return value;
};
const many = (count: number): Members =>
  documentOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: {} }])));

/** Schema of the body of the one operation. */
async function bodyOf(document: unknown): Promise<{ readonly body: unknown; readonly bytes: number }> {
  const compiled = await compile(document);
  const text = compiled.ok ? compiled.operations[0]?.inputSchema : undefined;
  if (text === undefined) throw new Error(compiled.ok ? 'no operation' : compiled.words);
  return { body: JSON.parse(text).properties.body, bytes: text.length };
}

describe('a hostile OpenAPI document', () => {
  for (const [what, document, words] of [
    ['that is none', '[1]', 'it is no object'],
    ['that is no text', '\u0000{', 'it is neither JSON nor YAML'],
    ['of Swagger 2.0', { swagger: '2.0', paths: {} }, 'it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1'],
    ['of a later version', { openapi: '4.0.0', paths: {} }, 'its openapi is neither 3.0 nor 3.1'],
    ['of more than 8 MiB', ' '.repeat(10_000_000), 'it is larger than 8388608 bytes'],
    [
      'that refers to another host',
      bodied({ $ref: 'http://127.0.0.1:9/x.json#/a' }),
      'it refers to another document at /paths/~1a/post/requestBody/content/application~1json/schema; bundle them into one',
    ],
    [
      'that refers to a file',
      documentOf({ '/a': { $ref: '../../etc/passwd' } }),
      'it refers to another document at /paths/~1a',
    ],
    [
      'whose parameters refer to each other',
      documentOf(
        { '/a': { get: { parameters: [{ $ref: '#/components/parameters/A' }] } } },
        {
          components: {
            parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } },
          },
        },
      ),
      'it has references that follow each other for more than 16 steps',
    ],
    [
      'whose schema is itself',
      bodied({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }),
      'its schema A refers to itself, with nothing in between',
    ],
    [
      'whose schemas are each other by way of allOf',
      bodied(
        { $ref: '#/components/schemas/A' },
        {
          A: { allOf: [{ $ref: '#/components/schemas/B' }] },
          B: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/A' }] },
        },
      ),
      'its schema A refers to itself, with nothing in between',
    ],
    [
      'with a reference to nothing',
      bodied({ $ref: '#/components/schemas/None' }),
      'it has a reference to #/components/schemas/None, and nothing is there',
    ],
    ['with a reference to a prototype', bodied({ $ref: '#/__proto__/toString' }), 'and nothing is there'],
    ['with a reference to a function', bodied({ $ref: '#/constructor' }), 'and nothing is there'],
    ['that is deeper than 100 levels', bodied(nested(60, {})), 'it is nested deeper than 100 levels'],
    [
      'that is 100,000 levels deep',
      `{"openapi":"3.1.0","paths":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'it is nested deeper than 100 levels',
    ],
    ['of YAML that is as deep', `openapi: 3.1.0\npaths: ${'['.repeat(100_000)}`, 'it is neither JSON nor YAML'],
    [
      'of YAML whose aliases multiply',
      `openapi: 3.1.0\na0: &a0 [x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(',')}]`).join('\n')}\n`,
      'it has more than 1000000 parts',
    ],
    [
      'with a member __proto__',
      '{"openapi":"3.1.0","paths":{"/a":{"__proto__":{"get":{}}}}}',
      'it has a member __proto__ at /paths/~1a',
    ],
    ['of 10,000 operations', many(10_000), 'it has more than 4096 operations'],
    ['of more operations than may be mapped', many(129), '129 operations are mapped, and max_operations is 128'],
    [
      'of 300 parameters',
      documentOf({
        '/a': { get: { parameters: Array.from({ length: 300 }, (_, index) => ({ name: `p${index}`, in: 'query' })) } },
      }),
      'it has more than 256 parameters at /paths/~1a/get/parameters',
    ],
    [
      'whose parameters cannot be distinguished',
      documentOf({
        '/a': {
          get: {
            parameters: [
              { name: 'a', in: 'query' },
              { name: 'header_a', in: 'query' },
              { name: 'a', in: 'header' },
            ],
          },
        },
      }),
      'it has parameters that cannot be distinguished',
    ],
  ] as const) {
    it(`${what} is refused`, async () => {
      expect(await refusalOf(document)).to.contain(words);
    });
  }

  it('of 4,000 operations serves those that are mapped', async () => {
    const compiled = await compile(many(4000), mapping('GET /p7'));
    expect(compiled.ok && compiled.operations.map(({ as }) => as)).to.deep.equal(['get-p7']);
  });

  it('may have references in what is data', async () => {
    const compiled = await compile(
      bodied({ type: 'object', example: { $ref: 'http://elsewhere/' }, properties: { default: { type: 'string' } } }),
    );
    expect(compiled.ok).to.equal(true);
  });

  it('has no reference in what is called like data', async () => {
    const document = bodied({ type: 'object', properties: { default: { $ref: 'http://elsewhere/' } } });
    expect(await refusalOf(document)).to.contain('it refers to another document');
  });

  it('may have a property that is called $ref', async () => {
    const { body } = await bodyOf(bodied({ type: 'object', properties: { $ref: { type: 'string' } } }));
    expect(body).to.deep.equal({ type: 'object', properties: { $ref: { type: 'string' } } });
  });

  it('shows nothing below 13 levels of a schema', async () => {
    const { body } = await bodyOf(bodied(nested(40, { type: 'string' })));
    expect(JSON.stringify(body).match(/properties/g)).to.have.length(13);
  });

  it('whose patterns are none, or too long, is held to the others', async () => {
    const { body } = await bodyOf(
      bodied({ type: 'string', pattern: '(', anyOf: [{ pattern: 'a'.repeat(2000) }, { pattern: '^(a+)+$' }] }),
    );
    expect(body).to.deep.equal({ type: 'string', anyOf: [{}, { pattern: '^(a+)+$' }] });
  });

  it('whose schemas are too large shows them without words, or not at all', async () => {
    const schemas = (count: number): Members =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `S${index}`,
          {
            type: 'object',
            description: 'words '.repeat(100),
            properties: { next: { $ref: `#/components/schemas/S${(index + 1) % count}` } },
          },
        ]),
      );
    const some = await bodyOf(bodied({ $ref: '#/components/schemas/S0' }, schemas(200)));
    expect(some.bytes).to.be.within(10_000, 65_536);
    expect(JSON.stringify(some.body)).to.equal('{"$ref":"#/$defs/S0"}');
    const none = await bodyOf(bodied({ $ref: '#/components/schemas/S0' }, schemas(8000)));
    expect(none.body).to.deep.equal({});
  });
});
