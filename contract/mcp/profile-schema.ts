/**
 * The part of the Model Context Protocol, revision 2026-07-28, that this program speaks, as a JSON Schema: what it
 * sends to servers of tools, what it takes from them, and what its gateway takes and gives (providers.md §7, gateway.md
 * §3 to §5). Published for anyone who writes a server or a client for it.
 */
const REVISION = '2026-07-28';
const INT_MAX = Number.MAX_SAFE_INTEGER;

const text = (description: string, maxLength?: number, minLength = 0): object => ({
  description,
  type: 'string',
  ...(minLength === 0 ? {} : { minLength }),
  ...(maxLength === undefined ? {} : { maxLength }),
});
const object = (description: string, required: readonly string[], properties: object, more: object = {}): object => ({
  description,
  type: 'object',
  required,
  properties,
  ...more,
});
const part = (name: string): object => ({ $ref: `#/$defs/${name}` });

const META = object(
  'Facts about a request; further members are ignored.',
  ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'],
  {
    'io.modelcontextprotocol/protocolVersion': { description: 'The revision that is spoken.', const: REVISION },
    'io.modelcontextprotocol/clientCapabilities': {
      description: 'What the client can do for the server; this program offers nothing.',
      type: 'object',
    },
    'io.modelcontextprotocol/clientInfo': object('Who asks; only hashed.', ['name', 'version'], {
      name: text('Name of the client.', 256),
      version: text('Its version.', 128),
    }),
    progressToken: { description: 'Asks for notifications of progress, which carry it.', type: ['string', 'integer'] },
    traceparent: text('W3C trace context of the caller.', 128),
    'svc/idempotency_key': text('A call of a gateway with it is made once within a day.', 128, 1),
    'svc/timeout_ms': {
      description: 'Narrows the time of one call of a gateway, milliseconds.',
      type: 'integer',
      minimum: 1,
      maximum: 2_592_000_000,
    },
  },
);

const REQUEST_TERMS = { jsonrpc: { description: 'Always 2.0.', const: '2.0' }, id: part('id') };

const request = (method: string, description: string, params: object): object =>
  object(description, ['jsonrpc', 'id', 'method', 'params'], {
    ...REQUEST_TERMS,
    method: { description: 'What is asked.', const: method },
    params,
  });

const BESIDE = { description: 'Facts beside the result.', type: 'object' };

const LISTED = {
  resultType: { description: 'Nothing else is awaited.', const: 'complete' },
  ttlMs: { description: 'How long it may be kept, milliseconds.', type: 'integer', minimum: 0, maximum: INT_MAX },
  cacheScope: { description: 'Who may keep it.', enum: ['private', 'public'] },
  _meta: BESIDE,
};

const result = (description: string, value: object): object =>
  object(description, ['jsonrpc', 'id', 'result'], { ...REQUEST_TERMS, result: value });

/** The schema as plain data; `$id` and `title` are those of the page `schema-mcp`. */
export const MCP_PROFILE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:svc:schema:mcp:1',
  title: `svc MCP profile, ${REVISION}`,
  description:
    'One JSON-RPC message of at most 2,097,152 bytes and 51 levels. No batch, no session, no request of a server.',
  anyOf: [
    'discoverRequest',
    'listRequest',
    'callRequest',
    'cancelled',
    'progress',
    'discoverResult',
    'listResult',
    'callResult',
    'failure',
  ].map(part),
  $defs: {
    id: {
      description: 'Names a request in its answer: text of 1 to 256 bytes or a safe integer.',
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 256 },
        { type: 'integer', minimum: -INT_MAX, maximum: INT_MAX },
      ],
    },
    meta: META,
    discoverRequest: request(
      'server/discover',
      'Which revisions a server speaks, and that it has tools.',
      object('No parameters.', ['_meta'], { _meta: part('meta') }),
    ),
    listRequest: request(
      'tools/list',
      'One page of the tools of a server.',
      object('Which page.', ['_meta'], {
        _meta: part('meta'),
        cursor: text('Of the page before; a gateway has one page and refuses it.', 1024, 1),
      }),
    ),
    callRequest: request(
      'tools/call',
      'One call of a tool.',
      object('Which tool, with what.', ['_meta', 'name'], {
        _meta: part('meta'),
        name: text('Of a tool of the list.', 128, 1),
        arguments: { description: 'What its input schema admits; none is an empty object.', type: 'object' },
      }),
    ),
    cancelled: object(
      'The caller of a request no longer waits; over standard streams alone.',
      ['jsonrpc', 'method', 'params'],
      {
        jsonrpc: REQUEST_TERMS.jsonrpc,
        method: { description: 'Which notification.', const: 'notifications/cancelled' },
        params: object('Which request.', ['requestId'], {
          requestId: part('id'),
          reason: text('For people.', 1024),
          _meta: { description: 'As of a request.', type: 'object' },
        }),
      },
    ),
    progress: object(
      'How far a call has come; counted from a server, sent by a gateway to the caller.',
      ['jsonrpc', 'method', 'params'],
      {
        jsonrpc: REQUEST_TERMS.jsonrpc,
        method: { description: 'Which notification.', const: 'notifications/progress' },
        params: object('Of which call, and how far.', ['progressToken', 'progress'], {
          progressToken: { description: 'That of the request.', type: ['string', 'integer'] },
          progress: { description: 'Rises strictly.', type: 'number' },
          message: text('A phase, in a word.', 1024),
        }),
      },
    ),
    discoverResult: result(
      'Answers server/discover.',
      object('What a server is.', ['resultType', 'supportedVersions', 'capabilities', 'ttlMs', 'cacheScope'], {
        ...LISTED,
        supportedVersions: {
          description: 'Revisions that it speaks.',
          type: 'array',
          minItems: 1,
          maxItems: 32,
          items: text('One of them.', 64, 1),
          contains: { const: REVISION },
        },
        capabilities: object('What it offers.', ['tools'], { tools: { description: 'It has tools.', type: 'object' } }),
      }),
    ),
    listResult: result(
      'Answers tools/list.',
      object('One page.', ['resultType', 'tools', 'ttlMs', 'cacheScope'], {
        ...LISTED,
        tools: { description: 'No name twice.', type: 'array', items: part('tool') },
        nextCursor: text('There is a further page.', 1024, 1),
      }),
    ),
    tool: object('One tool.', ['name', 'inputSchema'], {
      name: {
        ...text('No white space and no control characters.', 128, 1),
        pattern: String.raw`^[^\s\u0000-\u001f\u007f]+$`,
      },
      title: text('For people.', 256),
      description: text('For models; that of the host file wins.', 4096),
      inputSchema: object('What a call may bring.', ['type'], {
        type: { description: 'Arguments are an object.', const: 'object' },
      }),
      outputSchema: object('What an answer holds as structuredContent.', [], {}),
      annotations: object('Ignored from a server; readOnlyHint of a gateway says that a tool reads alone.', [], {
        readOnlyHint: { description: 'It changes nothing.', type: 'boolean' },
      }),
      _meta: { description: 'Facts beside the tool; a gateway names the digests of its application.', type: 'object' },
    }),
    callResult: result(
      'Answers tools/call.',
      object('What a tool gave.', ['resultType', 'content'], {
        resultType: LISTED.resultType,
        _meta: BESIDE,
        isError: { description: 'The tool failed; content says how.', type: 'boolean' },
        structuredContent: { description: 'What the output schema describes.' },
        content: { description: 'Text, and resources that are text.', type: 'array', items: part('block') },
      }),
    ),
    block: {
      description: 'One block of content.',
      anyOf: [
        object('Text.', ['type', 'text'], {
          type: { description: 'Which block.', const: 'text' },
          text: text('It.'),
          annotations: { description: 'Checked and dropped.', type: 'object' },
          _meta: { description: 'Dropped.', type: 'object' },
        }),
        object('A resource that is text.', ['type', 'resource'], {
          type: { description: 'Which block.', const: 'resource' },
          resource: object('It.', ['uri', 'text'], {
            uri: text('Names it.'),
            mimeType: text('Says what it is.'),
            text: text('What it holds.'),
          }),
        }),
      ],
    },
    failure: object('Answers any request that failed.', ['jsonrpc', 'error'], {
      ...REQUEST_TERMS,
      error: object(
        'Why.',
        ['code', 'message'],
        {
          code: {
            description:
              'A number of JSON-RPC, of the protocol, or -31999 (busy) and -31998 (unavailable) of a gateway.',
            type: 'integer',
          },
          message: text('A fixed text.', 4096),
          data: { description: 'Facts; of a gateway a closed word as reason.' },
        },
        { additionalProperties: false },
      ),
    }),
  },
} as const;
