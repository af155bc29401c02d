import { expect } from 'chai';
import { ALL, compile, documentOf, mapping, refusalOf } from '../testing/documents.ts';

type Members = Readonly<Record<string, unknown>>;

const OK = { responses: { '200': { description: 'd' } } };
const json = (schema: unknown): Members => ({ content: { 'application/json': { schema } } });

/** Schema of the arguments of the one operation. */
async function argumentsOf(operation: Members, more: Members = {}): Promise<Members> {
  const compiled = await compile(documentOf({ '/a/{id}': { get: { operationId: 'a', ...operation } } }, more));
  if (!compiled.ok) throw new Error(compiled.words);
  const schema: Members = JSON.parse(compiled.operations[0]?.inputSchema ?? 'null');
  return schema;
}

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

describe('what is made of an OpenAPI document', () => {
  it('are its operations: GET and HEAD read, all others write', async () => {
    const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
    const compiled = await compile(
      documentOf({ '/a': Object.fromEntries(methods.map((method) => [method, { operationId: method, ...OK }])) }),
    );
    expect(compiled.ok && compiled.operations.map(({ as, effect }) => `${as} ${effect}`)).to.have.members([
      'get read',
      'put write',
      'post write',
      'delete write',
      'options write',
      'head read',
      'patch write',
    ]);
  });

  it('is named by method and path where there is no operationId', async () => {
    const compiled = await compile(
      documentOf({ '/pets/{petId}': { get: { parameters: [{ ...ID, name: 'petId' }] } } }),
    );
    expect(compiled.ok && compiled.operations.map(({ as, upstream }) => [as, upstream])).to.deep.equal([
      ['get-pets-pet-id', 'GET /pets/{petId}'],
    ]);
  });

  it('is the same of YAML', async () => {
    const yaml = 'openapi: 3.0.3\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    get:\n      operationId: getA\n';
    const compiled = await compile(yaml);
    expect(compiled.ok && compiled.operations.map(({ as }) => as)).to.deep.equal(['get-a']);
  });

  it('tells both operations of which names are the same', async () => {
    expect(
      await refusalOf(documentOf({ '/a': { get: { operationId: 'getA' } }, '/b': { get: { operationId: 'get_a' } } })),
    ).to.contain('the tools "getA" and "get_a" would both be called get-a');
  });

  it('tells both places of one operationId', async () => {
    expect(
      await refusalOf(documentOf({ '/a': { get: { operationId: 'x' } }, '/b': { put: { operationId: 'x' } } })),
    ).to.contain('two operations have one operationId: GET /a and PUT /b');
  });

  it('has a parameter of the operation in place of one of its path', async () => {
    const compiled = await compile(
      documentOf({
        '/a': {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
          get: { parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'integer' } }] },
        },
      }),
    );
    expect(compiled.ok && JSON.parse(compiled.operations[0]?.inputSchema ?? '')).to.deep.equal({
      type: 'object',
      properties: { q: { type: 'integer' } },
      required: ['q'],
      additionalProperties: false,
    });
  });

  it('tells parameters of one name apart by their place', async () => {
    const schema = await argumentsOf({
      parameters: [ID, { name: 'id', in: 'query' }, { name: 'body', in: 'query' }],
      requestBody: json({ type: 'object' }),
    });
    expect(Object.keys(Object(schema['properties']))).to.have.members(['id', 'query_id', 'query_body', 'body']);
  });

  it('leaves out headers that frame a message, and those that the installation sends', async () => {
    const header = (name: string): Members => ({ name, in: 'header', schema: { type: 'string' } });
    const compiled = await compile(
      documentOf({
        '/a': { get: { parameters: [header('Authorization'), header('Host'), header('X-Key'), header('X-Own')] } },
      }),
      { ...ALL, authHeaders: ['x-key'] },
    );
    expect(compiled.ok && compiled.operations[0]?.operation.parameters.map(({ name }) => name)).to.deep.equal([
      'X-Own',
    ]);
  });

  it('leaves out what no call can be made of, and says so of a row that names it', async () => {
    const document = documentOf({
      '/a': { get: { operationId: 'a' } },
      '/form': {
        post: {
          operationId: 'send',
          requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        },
      },
      '/open/{x}': { get: { operationId: 'open' } },
    });
    const compiled = await compile(document);
    expect(compiled.ok && compiled.operations.map(({ as }) => as)).to.deep.equal(['a']);
    expect(await refusalOf(document, mapping('send'))).to.equal(
      'operation send cannot be called: its body is neither JSON nor a form, but multipart/form-data',
    );
    const shown = await compile(document, { ...mapping('a'), listsAll: true });
    expect(shown.ok && shown.operations.map(({ upstream, unusable }) => [upstream, unusable])).to.deep.equal([
      ['a', null],
      ['send', 'its body is neither JSON nor a form, but multipart/form-data'],
      ['open', 'its path has {x}, which is no parameter'],
    ]);
    expect(await refusalOf(document, mapping('open'))).to.contain('its path has {x}, which is no parameter');
  });

  it('takes a form where there is no JSON, and how the document writes its members', async () => {
    const form = {
      schema: { type: 'object', properties: { a: { type: 'string' } } },
      encoding: {
        address: { style: 'deepObject' },
        tags: { explode: false },
        more: { contentType: 'application/json' },
        plain: { contentType: 'text/plain' },
      },
    };
    const compiled = await compile(
      documentOf({
        '/a': {
          post: {
            operationId: 'a',
            requestBody: {
              required: true,
              content: { 'multipart/form-data': {}, 'application/x-www-form-urlencoded; charset=utf-8': form },
            },
          },
        },
      }),
    );
    const [operation] = compiled.ok ? compiled.operations : [];
    expect(operation?.operation.body).to.deep.equal({
      mediaType: 'application/x-www-form-urlencoded',
      isRequired: true,
      form: [
        { name: 'address', style: 'deepObject', isExploded: true },
        { name: 'tags', style: 'form', isExploded: false },
        { name: 'more', style: 'json', isExploded: false },
      ],
    });
    expect(JSON.parse(operation?.inputSchema ?? '')).to.deep.include({ required: ['body'] });
    expect(JSON.parse(operation?.inputSchema ?? '').properties.body).to.deep.equal(form.schema);
  });

  it('keeps recursive schemas as what they are', async () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/T' } } },
    };
    const schema = await argumentsOf(
      { parameters: [ID], requestBody: json({ $ref: '#/components/schemas/T' }) },
      { components: { schemas: { T: tree } } },
    );
    expect(schema['$defs']).to.deep.equal({
      T: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/T' } } } },
    });
    expect(schema).to.have.nested.property('properties.body.$ref', '#/$defs/T');
  });

  it('writes what 3.0 says otherwise, and asks for nothing that only answers have', async () => {
    const schema = await argumentsOf(
      {
        parameters: [ID],
        requestBody: json({
          type: 'object',
          required: ['id', 'name'],
          properties: {
            id: { type: 'integer', readOnly: true },
            name: { type: 'string', nullable: true, enum: ['a'] },
            n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
          },
        }),
      },
      { openapi: '3.0.1' },
    );
    expect(schema)
      .to.have.nested.property('properties.body')
      .that.deep.equals({
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'integer' },
          name: { type: ['string', 'null'], enum: ['a', null] },
          n: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
        },
      });
  });

  it('has the schema of the one success that answers JSON', async () => {
    const compiled = await compile(
      documentOf({
        '/one': { get: { operationId: 'one', responses: { '201': json({ type: 'integer' }), default: json({}) } } },
        '/two': { get: { operationId: 'two', responses: { '200': json({}), '201': json({}) } } },
      }),
    );
    expect(compiled.ok && compiled.operations.map(({ outputSchema }) => outputSchema)).to.deep.equal([
      '{"type":"integer"}',
      null,
    ]);
  });

  it('is held to the digest', async () => {
    const terms = { ...ALL, digest: `sha256:${'0'.repeat(64)}` };
    const compiled = await compile(documentOf({}), terms);
    expect(compiled).to.deep.include({ ok: false, fault: 'changed' });
    expect(!compiled.ok && compiled.words).to.match(/^the digest of the document is sha256:[0-9a-f]{64}$/);
  });

  it('names an operation that a row or a selection wants in vain', async () => {
    expect(await compile(documentOf({}), mapping('GET /a'))).to.deep.equal({
      ok: false,
      fault: 'missing',
      words: 'the OpenAPI document has no operation GET /a',
      tool: 'GET:/a',
    });
    const { rest } = ALL.mapping;
    const terms = { ...ALL, mapping: { rows: [], rest: rest === null ? null : { ...rest, allowed: ['b'] } } };
    expect(await compile(documentOf({ '/a': { get: {} } }), terms)).to.deep.include({ fault: 'missing', tool: 'b' });
  });

  it('lists every operation for a catalogue, and of more than may be mapped those that are', async () => {
    const paths = { '/a': { get: { operationId: 'getA' }, put: { operationId: 'get_a' } }, '/b': { get: {} } };
    const terms = { ...mapping('getA'), listsAll: true, maxOperations: 3 };
    const all = await compile(documentOf(paths), terms);
    expect(all.ok && all.operations.map(({ upstream }) => upstream)).to.deep.equal(['getA', 'get_a', 'GET /b']);
    const some = await compile(documentOf(paths), { ...terms, maxOperations: 2 });
    expect(some.ok && some.operations.map(({ upstream }) => upstream)).to.deep.equal(['getA']);
  });
});
