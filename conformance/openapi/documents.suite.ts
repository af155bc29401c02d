import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { deliver } from '../servers/http/deliver.ts';
import { listen } from '../servers/http/listen.ts';
import { publicLikeDocument } from '../servers/openapi/document.ts';
import { startApi } from '../servers/openapi/server.ts';
import { ApiRoom, type ApiApplication, type Members } from './room.ts';

const paths = (count: number): Members =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: {} }]));
const documentOf = (more: Members): Members => ({
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths: {},
  ...more,
});
const bodied = (schema: unknown, schemas: Members = {}): Members =>
  documentOf({
    paths: { '/a': { get: { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } } } },
    components: { schemas },
  });
const READ_ALL = { tools: { '*': { effect: 'read' } } };

/** Documents that no run may begin with, and what is told of each. */
const HOSTILE: readonly (readonly [what: string, document: Members | string, hint: string])[] = [
  ['of Swagger 2.0', { swagger: '2.0', paths: {} }, 'it is Swagger 2.0; convert it to OpenAPI 3.0 or 3.1'],
  [
    'of 10 MB',
    JSON.stringify(documentOf({ info: { title: 'x'.repeat(10_000_000) } })),
    'it is larger than 8388608 bytes',
  ],
  [
    'that refers elsewhere',
    bodied({ $ref: 'http://127.0.0.1:9/schema.json' }),
    'it refers to another document at /paths/~1a/get/requestBody/content/application~1json/schema; bundle them into one',
  ],
  [
    'whose schema is itself',
    bodied({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }),
    'its schema A refers to itself, with nothing in between',
  ],
  [
    'that is 100,000 levels deep',
    `{"openapi":"3.1.0","paths":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'it is nested deeper than 100 levels',
  ],
  [
    'with a member __proto__',
    '{"openapi":"3.1.0","paths":{"__proto__":{"get":{}}}}',
    'it has a member __proto__ at /paths',
  ],
  ['of 10,000 operations', documentOf({ paths: paths(10_000) }), 'it has more than 4096 operations'],
  [
    'of more operations than may be mapped',
    documentOf({ paths: paths(129) }),
    '129 operations are mapped, and max_operations is 128; map those that are needed',
  ],
  [
    'of two operations of one name',
    documentOf({ paths: { '/a': { get: { operationId: 'getA' } }, '/b': { get: { operationId: 'get_a' } } } }),
    'the tools "getA" and "get_a" would both be called get-a',
  ],
];

describe('an OpenAPI document that cannot be used', () => {
  for (const [what, document, hint] of HOSTILE) {
    it(`${what} is refused before anything is opened, and people are told why`, async () => {
      const room = new ApiRoom({ document, installation: READ_ALL });
      try {
        const { status, code, stderr, envelope } = await room.run();
        expect([status, code]).to.deep.equal([4, 'environment_unavailable']);
        expect(envelope).to.have.nested.property('error.provider_activity', false);
        expect(stderr).to.contain(hint);
      } finally {
        room.close();
      }
    });
  }

  it('is told by validate too', async () => {
    const room = new ApiRoom({ document: { swagger: '2.0' }, installation: READ_ALL });
    try {
      const { status, code, stderr } = await room.run(['validate', 'svc.json']);
      expect([status, code]).to.deep.equal([4, 'environment_unavailable']);
      expect(stderr).to.contain('it is Swagger 2.0');
    } finally {
      room.close();
    }
  });

  it('holds no call longer than its time by a pattern that never ends', async () => {
    const document = documentOf({
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            parameters: [{ name: 'q', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } }],
          },
        },
      },
    });
    const server = await startApi({ document });
    const room = new ApiRoom({
      document,
      installation: {
        ...READ_ALL,
        endpoint: server.url,
        allow_insecure_loopback: true,
        ceilings: { timeout_ms: 2000 },
      },
      program: `(:status (tool/a {:q "${'a'.repeat(40)}!"}))`,
    });
    try {
      const { value } = await room.run();
      expect(value).to.equal('error');
      expect(server.requests).to.deep.equal([]);
    } finally {
      room.close();
      await server.close();
    }
  });
});

describe('an OpenAPI document at an address', () => {
  const TEXT = JSON.stringify(publicLikeDocument(['issues']));
  const DIGEST = `sha256:${createHash('sha256').update(TEXT).digest('hex')}`;

  async function served(
    answer: { readonly status: number; readonly body: string },
    digest: string,
    look: (room: ApiRoom) => Promise<void>,
    more: Partial<ApiApplication> = {},
  ): Promise<void> {
    const server = await listen({}, async ({ response }) =>
      deliver(response, answer.status, { location: '/elsewhere' }, answer.body),
    );
    const room = new ApiRoom({
      installation: {
        document: { url: `${server.url}/api.json`, digest },
        endpoint: server.url,
        allow_insecure_loopback: true,
        ...READ_ALL,
      },
      ...more,
    });
    try {
      await look(room);
    } finally {
      room.close();
      await server.close();
    }
  }

  it('is used if it has the digest that the host document names', async () => {
    await served({ status: 200, body: TEXT }, DIGEST, async (room) => {
      expect(await room.run()).to.deep.include({ status: 0, value: 1 });
    });
  });

  for (const [what, answer, digest, code, words] of [
    [
      'is another one',
      { status: 200, body: TEXT },
      `sha256:${'0'.repeat(64)}`,
      'provider_policy_changed',
      `provider api: the digest of the document is ${DIGEST}`,
    ],
    [
      'is not there',
      { status: 404, body: '' },
      DIGEST,
      'provider_unavailable',
      'provider api: the OpenAPI document: HTTP 404',
    ],
    [
      'is elsewhere',
      { status: 302, body: '' },
      DIGEST,
      'provider_unavailable',
      'provider api: the OpenAPI document: HTTP 302',
    ],
    ['is larger than one may be', { status: 200, body: ' '.repeat(10_000_000) }, DIGEST, 'provider_protocol_error', ''],
  ] as const) {
    it(`that ${what} is ${code}`, async () => {
      await served(answer, digest, async (room) => {
        const report = await room.run();
        expect(report.code).to.equal(code);
        expect(report.stderr).to.contain(words);
      });
    });
  }

  it('that cannot be used says why, also to doctor and catalog', async () => {
    const text = '{"swagger":"2.0"}';
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    await served({ status: 200, body: text }, digest, async (room) => {
      const words = 'provider api: the OpenAPI document cannot be used: it is Swagger 2.0';
      const run = await room.run();
      expect([run.code, run.stderr.includes(words)]).to.deep.equal(['provider_protocol_error', true]);
      for (const argv of [
        ['doctor', 'svc.json', '--connect'],
        ['catalog', 'api'],
      ])
        expect((await room.command([...argv, '--host-config', 'svc-host.json'])).stderr).to.contain(words);
    });
  });
});

describe('svc catalog and doctor of an API', () => {
  it('list every operation with a mapping to paste, and reach the API', async () => {
    const document = publicLikeDocument(['issues']);
    const server = await startApi({ document });
    const room = new ApiRoom({
      document,
      installation: { endpoint: server.url, allow_insecure_loopback: true, ...READ_ALL },
    });
    try {
      const catalog = await room.command(['catalog', 'api', '--host-config', 'svc-host.json', '--format', 'json']);
      expect(catalog.status).to.equal(0);
      const { tools, tool_count: count } = JSON.parse(catalog.stdout);
      expect(count).to.equal(10);
      const names: readonly string[] = tools.map(({ name }: Members) => name);
      expect(names).to.deep.equal(
        names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
      );
      expect(names).to.include.members(['GET /projects/{id}/avatar', 'createIssue', 'projects/get-readme']);
      const mapping = await room.command(['catalog', 'api', '--host-config', 'svc-host.json', '--format', 'text']);
      expect(mapping.stdout + mapping.stderr).to.contain('get-projects-id-avatar');
      expect(server.connections()).to.equal(0);
      const doctor = await room.command(['doctor', 'svc.json', '--connect', '--host-config', 'svc-host.json']);
      expect(doctor.status).to.equal(0);
      expect(JSON.parse(doctor.stdout).checks).to.deep.include({
        name: 'provider/api/connectivity',
        status: 'pass',
        code: 'available',
      });
      expect([server.connections(), server.requests]).to.deep.equal([1, []]);
      await server.close();
      const ended = await room.command(['doctor', 'svc.json', '--connect', '--host-config', 'svc-host.json']);
      expect(ended.stdout).to.contain('provider_endpoint_connection_refused');
    } finally {
      room.close();
      await server.close();
    }
  });

  it('say of an operation whose body cannot be sent why, and do not offer it to be mapped', async () => {
    const sending = (operationId: string, type: string): Members => ({
      post: { operationId, requestBody: { required: true, content: { [type]: { schema: { type: 'object' } } } } },
    });
    const document = {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: {
        '/form': sending('sendForm', 'application/x-www-form-urlencoded'),
        '/file': sending('sendFile', 'multipart/form-data'),
      },
    };
    const room = new ApiRoom({ document, installation: READ_ALL });
    try {
      const json = await room.command(['catalog', 'api', '--host-config', 'svc-host.json', '--format', 'json']);
      expect(JSON.parse(json.stdout).tools.map(({ name, description }: Members) => [name, description])).to.deep.equal([
        ['sendFile', 'cannot be called: its body is neither JSON nor a form, but multipart/form-data\n\nPOST /file'],
        ['sendForm', 'POST /form'],
      ]);
      const text = await room.command(['catalog', 'api', '--host-config', 'svc-host.json', '--format', 'text']);
      expect(text.stdout + text.stderr)
        .to.include('send-form')
        .and.not.include('send-file');
    } finally {
      room.close();
    }
  });
});
