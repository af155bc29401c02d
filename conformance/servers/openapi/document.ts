/**
 * Documents in the shape of large public APIs: collections with the same six operations each, paging, filters, nested
 * and recursive schemas, and a few operations that answer something else than JSON.
 */

type Members = Readonly<Record<string, unknown>>;

/** Collections of the document that tests use by default: with what stands beside them 128 operations at most. */
export const COLLECTIONS = [
  'projects',
  'issues',
  'comments',
  'labels',
  'milestones',
  'users',
  'teams',
  'pipelines',
  'jobs',
  'runners',
  'releases',
  'packages',
  'wikis',
  'snippets',
  'webhooks',
  'deployments',
  'environments',
  'variables',
  'branches',
  'tags',
] as const;

const ref = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });
const parameter = (name: string): Members => ({ $ref: `#/components/parameters/${name}` });
const json = (schema: Members): Members => ({ 'application/json': { schema } });
const refusals: Members = {
  '400': { $ref: '#/components/responses/Invalid' },
  '404': { $ref: '#/components/responses/Missing' },
};

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function pathsOf(collection: string): Members {
  const [many, one] = [capital(collection), capital(collection.replace(/s$/, ''))];
  const operation = (operationId: string, summary: string, more: Members): Members => ({
    operationId,
    summary,
    tags: [collection],
    ...more,
  });
  const answered = (status: string): Members => ({
    [status]: { description: 'It is here.', content: json(ref('Item')) },
    ...refusals,
  });
  return {
    [`/${collection}`]: {
      get: operation(`list${many}`, `Lists ${collection}, a page at a time.`, {
        parameters: [parameter('Page'), parameter('PerPage'), parameter('Labels'), parameter('Filter')],
        responses: { '200': { description: 'A page.', content: json(ref('ItemPage')) }, ...refusals },
      }),
      post: operation(`create${one}`, `Creates one of the ${collection}.`, {
        parameters: [parameter('IdempotencyKey')],
        requestBody: { required: true, content: json(ref('NewItem')) },
        responses: answered('201'),
      }),
    },
    [`/${collection}/{id}`]: {
      parameters: [parameter('Id')],
      get: operation(`get${one}`, `Shows one of the ${collection}.`, { responses: answered('200') }),
      put: operation(`replace${one}`, `Replaces one of the ${collection}.`, {
        requestBody: { $ref: '#/components/requestBodies/NewItem' },
        responses: answered('200'),
      }),
      patch: operation(`update${one}`, `Changes members of one of the ${collection}.`, {
        requestBody: { required: true, content: { 'application/merge-patch+json': { schema: ref('ItemChange') } } },
        responses: answered('200'),
      }),
      delete: operation(`delete${one}`, `Deletes one of the ${collection}.`, {
        responses: { '204': { description: 'It is gone.' }, ...refusals },
      }),
    },
  };
}

/** Operations that have something of their own. */
const OTHERS: Members = {
  '/projects/{id}/readme': {
    get: {
      operationId: 'projects/get-readme',
      description: 'The text that a project begins with.',
      parameters: [parameter('Id')],
      responses: { '200': { description: 'Text.', content: { 'text/markdown': { schema: { type: 'string' } } } } },
    },
  },
  '/projects/{id}/avatar': {
    // Without an operationId: its name is made of method and path.
    get: {
      summary: 'The picture of a project.',
      parameters: [parameter('Id')],
      responses: {
        '200': {
          description: 'A picture.',
          content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
        },
      },
    },
    head: {
      operationId: 'hasAvatar',
      parameters: [parameter('Id')],
      responses: { '200': { description: 'There is one.' } },
    },
  },
  '/search': {
    get: {
      operationId: 'search',
      summary: 'Finds items of all kinds.',
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 1, pattern: '^[^<>]+$' } },
        { name: 'kinds', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
        { name: 'session', in: 'cookie', schema: { type: 'string' } },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        { name: 'within', in: 'query', content: json({ type: 'object', properties: { from: { type: 'integer' } } }) },
      ],
      responses: { '200': { description: 'What was found.', content: json(ref('ItemPage')) }, ...refusals },
    },
  },
};

const COMPONENTS: Members = {
  parameters: {
    Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    Page: { name: 'page', in: 'query', description: 'From 1.', schema: { type: 'integer', minimum: 1, default: 1 } },
    PerPage: { name: 'per_page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    Labels: { name: 'labels', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    Filter: {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'object',
        properties: { state: { type: 'string', enum: ['open', 'closed'] }, author: { type: 'string' } },
        additionalProperties: false,
      },
    },
    IdempotencyKey: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 64 } },
  },
  requestBodies: { NewItem: { required: true, content: json(ref('NewItem')) } },
  responses: {
    Invalid: {
      description: 'The request is wrong.',
      content: { 'application/problem+json': { schema: ref('Problem') } },
    },
    Missing: { description: 'There is none.', content: { 'application/problem+json': { schema: ref('Problem') } } },
  },
  schemas: {
    Item: {
      allOf: [
        ref('NewItem'),
        {
          type: 'object',
          required: ['id', 'created_at'],
          properties: {
            id: { type: 'integer', readOnly: true },
            created_at: { type: 'string', format: 'date-time', readOnly: true },
            parent: ref('Item'),
            replies: { type: 'array', items: ref('Item') },
          },
        },
      ],
    },
    NewItem: {
      type: 'object',
      required: ['title', 'id'],
      properties: {
        // Of an answer alone, as some documents have it.
        id: { type: 'integer', readOnly: true },
        title: { type: 'string', minLength: 1, maxLength: 200 },
        state: { type: 'string', enum: ['open', 'closed'], default: 'open' },
        assignee: { type: 'string', nullable: true },
        weight: { type: 'number', minimum: 0, exclusiveMinimum: true },
        labels: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        position: { oneOf: [{ type: 'integer' }, { type: 'string', enum: ['first', 'last'] }] },
      },
    },
    ItemChange: {
      type: 'object',
      minProperties: 1,
      properties: { title: { type: 'string' }, state: { type: 'string', enum: ['open', 'closed'] } },
      additionalProperties: false,
    },
    ItemPage: {
      type: 'object',
      required: ['items', 'total'],
      properties: {
        items: { type: 'array', items: ref('Item') },
        total: { type: 'integer' },
        next: { type: 'integer' },
      },
    },
    Problem: { type: 'object', properties: { title: { type: 'string' }, detail: { type: 'string' } } },
  },
};

/** A document of OpenAPI 3.0 with six operations for each collection, and five others. */
export function publicLikeDocument(collections: readonly string[] = COLLECTIONS): Members {
  return {
    openapi: '3.0.3',
    info: { title: 'Workshop', version: '4.2.0', description: 'Projects, issues, and all that goes with them.' },
    servers: [{ url: 'https://workshop.invalid/api/v4' }],
    paths: { ...Object.assign({}, ...collections.map(pathsOf)), ...OTHERS },
    components: COMPONENTS,
  };
}
