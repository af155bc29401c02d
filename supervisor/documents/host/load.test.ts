import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { brief } from '../testing/application-tree.ts';
import { CREDENTIALS, DECISION, host, HTTP, INSPECTION, LLM, OAUTH, REPLAY, STDIO, TRACE } from '../testing/hosts.ts';
import { memoryFileSystem } from '../testing/memory-file-system.ts';
import { loadHost } from './load.ts';

async function loaded(document: unknown) {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const reader = createDocumentReader(memoryFileSystem({ '/etc/host.json': text }), '/');
  return loadHost(reader, { kind: 'named', path: '/etc/host.json' });
}

async function verdict(document: unknown): Promise<string> {
  const outcome = await loaded(document);
  if (outcome.ok) return 'ok';
  const { subject } = outcome.diagnostic;
  return brief(outcome.diagnostic) + (subject === null ? '' : ` of ${subject.name}`);
}

const http = (transport: object) => host({ t: { ...HTTP, transport: { ...HTTP.transport, ...transport } } });
const stdio = (transport: object) => host({ t: { ...STDIO, transport: { ...STDIO.transport, ...transport } } });
const oauth = (block: object) => http({ oauth: { ...OAUTH, ...block } });
const client = (block: object) => oauth({ client: { ...OAUTH.client, ...block } });
const replaced = (block: object) => oauth({ client: block });
const model = (members: object) => host({ m: { ...LLM, ...members } });
const limits = (written: object, install: object = {}) => host({ ...install }, { limits: written });

describe('svc-host.json (documents.md §7)', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['admits an empty host', { install: {} }, 'ok'],
    [
      'admits one of each source',
      host({ a: LLM, b: REPLAY, c: STDIO, d: HTTP, e: TRACE, f: INSPECTION, g: DECISION }),
      'ok',
    ],
    ['refuses no JSON', '{', 'host_invalid'],
    ['refuses a large file', ' '.repeat(1_000_001), 'host_invalid'],
    [
      'tells a duplicate by the schema code, at its holder',
      '{"install":{"secret":{"source":"llm","source":"llm"}}}',
      'host_schema_invalid "/install/*"',
    ],
    [
      'stops before a tool name',
      '{"install":{"x":{"tools":{"secret":{"as":"a","as":"b"}}}}}',
      'host_schema_invalid "/install/*/tools"',
    ],
    ['requires install', {}, 'host_schema_invalid "/install"'],
    ['names the lowest alias without a revision', host({ b: {}, a: {} }), 'installation_revision_missing of a'],
    ['passes over a bad alias', host({ 'Bad Alias': {}, z: {} }), 'installation_revision_missing of z'],
    ['refuses a bad alias at the map', host({ 'Bad Alias': LLM }), 'host_schema_invalid "/install"'],
    [
      'refuses a wire that no model has',
      host({ a: { ...LLM, wire: 'grpc' } }),
      'host_schema_invalid "/install/*/wire"',
    ],
    ['refuses an unknown source', host({ a: { ...LLM, source: 'secret' } }), 'host_schema_invalid "/install/*/source"'],
    [
      'tells an unknown source before what it lacks of another',
      host({ a: { source: 'secret', installation_revision: 'r' } }),
      'host_schema_invalid "/install/*/source"',
    ],
    [
      'tells an unknown source before what it has beyond another',
      host({ a: { source: 'secret', installation_revision: 'r', endpoint: 'x', transport: {} } }),
      'host_schema_invalid "/install/*/source"',
    ],
    [
      'tells an unknown source before what is wrong deeper in it',
      host({ a: { ...LLM, source: 'secret', params: { top_p: 9 } } }),
      'host_schema_invalid "/install/*/source"',
    ],
    [
      'tells a source that is no text',
      host({ a: { source: 5, installation_revision: 'r' } }),
      'host_schema_invalid "/install/*/source"',
    ],
    [
      'tells that there is no source',
      host({ a: { installation_revision: 'r' } }),
      'host_schema_invalid "/install/*/source"',
    ],
    [
      'tells an unknown transport before what it lacks of another',
      host({ t: { ...STDIO, transport: { type: 'sse', url: 'x' } } }),
      'host_schema_invalid "/install/*/transport/type"',
    ],
    [
      'refuses a parameter out of range',
      model({ params: { temperature: 2.5 } }),
      'host_schema_invalid "/install/*/params/temperature"',
    ],
    ['refuses top_p zero', model({ params: { top_p: 0 } }), 'host_schema_invalid "/install/*/params/top_p"'],
    [
      'refuses a digest of what a tool wrote',
      host({ t: { ...STDIO, tools: { w: { as: 'w', effect: 'write', inspection_capture: 'digest_results' } } } }),
      'host_schema_invalid "/install/*/tools"',
    ],
    [
      'refuses a limit out of range',
      limits({ run_duration_ms: 0 }),
      'installed_limit_invalid "/limits/run_duration_ms"',
    ],
    [
      'refuses a limit that is no integer',
      limits({ run_duration_ms: 'secret' }),
      'installed_limit_invalid "/limits/run_duration_ms"',
    ],
    [
      'tells limits by name',
      limits({ workflow_timeout_ms: 0, run_duration_ms: 0 }),
      'installed_limit_invalid "/limits/run_duration_ms"',
    ],
    ['refuses an unknown limit by the schema', limits({ secret: 1 }), 'host_schema_invalid "/limits"'],
    [
      'needs token guarantees for a token budget',
      limits({ llm_total_tokens: 1 }, { m: { ...LLM, usage_guarantees: { tokens: false, cost_currency: 'USD' } } }),
      'installed_limit_invalid "/limits/llm_total_tokens"',
    ],
    [
      'needs a tariff for a cost budget',
      limits({ llm_cost_microusd: 1 }, { m: LLM }),
      'installed_limit_invalid "/limits/llm_cost_microusd"',
    ],
    [
      'admits budgets that rest on guarantees',
      limits(
        { llm_cost_microusd: 1, llm_total_tokens: 1 },
        { m: { ...LLM, reservation_tariff: { currency: 'USD', id: 't1' } } },
      ),
      'ok',
    ],
    ['refuses a dangling credential', model({ credential: 'secret' }), 'host_invalid "/install/*/credential"'],
    [
      'refuses a dangling variable',
      stdio({ env: { KEY: { binding: 'secret' } } }),
      'host_invalid "/install/*/transport/env/*/binding"',
    ],
    [
      'refuses a dangling authentication',
      http({ auth: [{ scheme: 'bearer', binding: 'secret' }] }),
      'host_invalid "/install/*/transport/auth/0/binding"',
    ],
    [
      'refuses a credential of two kinds',
      host({}, { credentials: { a: { env: 'A', literal: 'x' } } }),
      'host_schema_invalid "/credentials/*"',
    ],
    [
      'refuses a credential file that leaves the directory',
      host({}, { credentials: { a: { file: '../key' } } }),
      'host_invalid "/credentials/*/file"',
    ],
    [
      'refuses fixtures that leave the directory',
      host({ r: { ...REPLAY, fixtures: 'a/../../b' } }),
      'host_invalid "/install/*/fixtures"',
    ],
    [
      'refuses a reserved variable',
      stdio({ env: { PATH: { binding: 'model-key' } } }),
      'host_invalid "/install/*/transport/env"',
    ],
    [
      'refuses a reserved header',
      http({ auth: [{ scheme: 'api_key', binding: 'model-key', header: 'MCP-Session-Id' }] }),
      'host_invalid "/install/*/transport/auth/0/header"',
    ],
    [
      'refuses a reserved tool',
      host({ t: { ...STDIO, tools: { x: { as: 'kernel-eval', effect: 'read' } } } }),
      'host_invalid "/install/*/tools"',
    ],
    [
      'refuses one tool name twice',
      host({ t: { ...STDIO, tools: { x: { as: 'a', effect: 'read' }, y: { as: 'a', effect: 'read' } } } }),
      'host_invalid "/install/*/tools"',
    ],
    [
      'refuses a snapshot identity that writes',
      host({
        t: { ...STDIO, tools: { x: { as: 'a', effect: 'write' } }, snapshot_identity: { tool: 'x', field: 'f' } },
      }),
      'host_invalid "/install/*/snapshot_identity/tool"',
    ],
    [
      'refuses authentication beside OAuth',
      http({ auth: [{ scheme: 'bearer', binding: 'model-key' }], oauth: OAUTH }),
      'host_invalid "/install/*/transport/oauth"',
    ],
    [
      'refuses a chat decision without its model',
      host({
        d: {
          ...DECISION,
          model: undefined,
          credential: undefined,
          usage_guarantees: undefined,
          backend: 'chat',
          llm: 'm',
        },
      }),
      'host_invalid "/install/*/llm"',
    ],
    [
      'admits a chat decision with its model',
      host({
        m: LLM,
        d: {
          ...DECISION,
          model: undefined,
          credential: undefined,
          usage_guarantees: undefined,
          backend: 'chat',
          llm: 'm',
        },
      }),
      'ok',
    ],
    ...(
      [
        ['attempts', 0, 'minimum'],
        ['attempts', 1, null],
        ['attempts', 2, null],
        ['attempts', 4, null],
        ['attempts', 5, null],
        ['attempts', 6, 'maximum'],
        ['max_wait_ms', -1, 'minimum'],
        ['max_wait_ms', 0, null],
        ['max_wait_ms', 1, null],
        ['max_wait_ms', 119_999, null],
        ['max_wait_ms', 120_000, null],
        ['max_wait_ms', 120_001, 'maximum'],
      ] as const
    ).map(
      ([field, value, refused]) =>
        [
          `${refused === null ? 'admits' : 'refuses'} retry.${field} ${value}`,
          model({ retry: { [field]: value } }),
          refused === null ? 'ok' : `host_schema_invalid "/install/*/retry/${field}"`,
        ] as const,
    ),
    [
      'refuses a timeout above the host’s',
      { ...limits({ llm_request_timeout_ms: 1000 }, { m: { ...LLM, ceilings: { request_timeout_ms: 1001 } } }) },
      'host_schema_invalid "/install/*/ceilings/request_timeout_ms"',
    ],
    ['admits OAuth', oauth({}), 'ok'],
    ['admits the same resource in other case', oauth({ resource: 'HTTPS://Tools.Example/mcp' }), 'ok'],
    [
      'refuses another resource',
      oauth({ resource: 'https://tools.example/mcp/' }),
      'host_invalid "/install/*/transport/oauth/resource"',
    ],
    [
      'refuses an issuer over http',
      oauth({ issuer: 'http://login.example' }),
      'host_invalid "/install/*/transport/oauth/issuer"',
    ],
    [
      'refuses a default scope above the ceiling',
      oauth({ default_scopes: ['secret'] }),
      'host_invalid "/install/*/transport/oauth/default_scopes"',
    ],
    [
      'refuses an origin with a path',
      oauth({ network: { additional_origins: ['https://a.example/'] } }),
      'host_invalid "/install/*/transport/oauth/network/additional_origins"',
    ],
    [
      'admits private origins over http',
      oauth({ network: { private_network_origins: ['http://10.0.0.1:8080'] } }),
      'ok',
    ],
    [
      'refuses a private origin of another scheme',
      oauth({ network: { private_network_origins: ['ftp://10.0.0.1'] } }),
      'host_invalid "/install/*/transport/oauth/network/private_network_origins"',
    ],
    [
      'refuses scopes that are too long together',
      oauth({ scope_ceiling: Array.from({ length: 33 }, (_, i) => `${'s'.repeat(250)}${i}`) }),
      'host_invalid "/install/*/transport/oauth/scope_ceiling"',
    ],
    [
      'needs the grant of a code',
      client({ grant_types: ['refresh_token'] }),
      'host_invalid "/install/*/transport/oauth/client/grant_types"',
    ],
    [
      'admits redirects with a secret',
      client({
        auth_method: 'client_secret_basic',
        client_secret_binding: 'model-key',
        loopback_redirect: undefined,
        redirect_uris: ['https://a.example/cb'],
      }),
      'ok',
    ],
    [
      'refuses a dangling client secret',
      client({
        auth_method: 'client_secret_basic',
        client_secret_binding: 'secret',
        loopback_redirect: undefined,
        redirect_uris: ['https://a.example/cb'],
      }),
      'host_invalid "/install/*/transport/oauth/client/client_secret_binding"',
    ],
    [
      'takes a loopback redirect with a secret, which is sent in a header or in the form',
      client({ auth_method: 'client_secret_post', client_secret_binding: 'model-key' }),
      'ok',
    ],
    ['takes a client that registers itself', replaced({ registration: 'dynamic' }), 'ok'],
    [
      'takes its redirect',
      replaced({ registration: 'dynamic', loopback_redirect: { host: '::1', path: '/back' } }),
      'ok',
    ],
    [
      'refuses two redirects of it',
      replaced({
        registration: 'dynamic',
        loopback_redirect: { host: '::1', path: '/back' },
        redirect_uris: ['https://a.example/back'],
      }),
      'host_invalid "/install/*/transport/oauth/client"',
    ],
    [
      'refuses an id of it',
      replaced({ registration: 'dynamic', client_id: 'me' }),
      'host_schema_invalid "/install/*/transport/oauth/client"',
    ],
    [
      'refuses a redirect with a query',
      client({ loopback_redirect: undefined, redirect_uris: ['https://a.example/cb?x'] }),
      'host_invalid "/install/*/transport/oauth/client/redirect_uris"',
    ],
    [
      'refuses a redirect without a path',
      client({ loopback_redirect: undefined, redirect_uris: ['https://a.example'] }),
      'host_invalid "/install/*/transport/oauth/client/redirect_uris"',
    ],
    [
      'admits a client document',
      client({
        registration: 'client_id_metadata_document',
        grant_types: undefined,
        client_id: 'https://a.example/client.json',
      }),
      'ok',
    ],
    [
      'refuses both redirect forms',
      client({ redirect_uris: ['https://a.example/cb'] }),
      'host_invalid "/install/*/transport/oauth/client"',
    ],
    [
      'refuses no redirect form',
      client({ loopback_redirect: undefined }),
      'host_invalid "/install/*/transport/oauth/client"',
    ],
    [
      'refuses a client document without a path',
      client({ registration: 'client_id_metadata_document', grant_types: undefined, client_id: 'https://a.example/' }),
      'host_invalid "/install/*/transport/oauth/client/client_id"',
    ],
    [
      'refuses dot segments in a client document',
      client({
        registration: 'client_id_metadata_document',
        grant_types: undefined,
        client_id: 'https://a.example/x/../y',
      }),
      'host_invalid "/install/*/transport/oauth/client/client_id"',
    ],
    [
      'refuses one OAuth installation twice',
      host({
        a: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
        b: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
      }),
      'host_invalid "/install/*/transport/oauth/installation_id"',
    ],
  ];
  for (const [title, document, expected] of cases) {
    it(title, async () => {
      expect(await verdict(document)).to.equal(expected);
    });
  }

  it('tells every source there is, once', async () => {
    const outcome = await loaded(host({ a: { ...LLM, source: 'secret' } }));
    expect(!outcome.ok && outcome.diagnostic.message).to.equal(
      'the host document violates rule enum; allowed: llm, llm_replay, mcp, openapi, svc_trace_snapshot, svc_private_trace_snapshot, svc_inspection_snapshot, decision, decision_replay',
    );
  });

  it('tells what cannot be read', async () => {
    const reader = createDocumentReader(memoryFileSystem({}), '/');
    const outcome = await loadHost(reader, { kind: 'named', path: '/etc/host.json' });
    expect(!outcome.ok && outcome.diagnostic.code).to.equal('host_unavailable');
  });

  it('lowers an omitted request timeout to the host’s', async () => {
    const outcome = await loaded(limits({ llm_request_timeout_ms: 1000 }, { m: LLM }));
    const installation = outcome.ok ? outcome.value.document.install.get('m') : undefined;
    expect(installation?.source === 'llm' && installation.ceilings.request_timeout_ms).to.equal(1000);
  });

  it('keeps names of the document in byte order', async () => {
    const outcome = await loaded(host({ b: REPLAY, a: REPLAY, 'a-b': REPLAY }));
    expect(outcome.ok && [...outcome.value.document.install.keys()]).to.deep.equal(['a', 'a-b', 'b']);
  });
});

describe('order of checks in a host document (documents.md §12.4)', () => {
  const faults = {
    revision: { code: 'installation_revision_missing', install: { z: { ...LLM, installation_revision: undefined } } },
    endpoint: {
      code: 'installation_endpoint_invalid',
      install: { y: { ...HTTP, transport: { type: 'streamable_http', endpoint: 'ftp://x' } } },
    },
    schema: { code: 'host_schema_invalid "/install/*/cache"', install: { x: { ...LLM, cache: 'secret' } } },
    limits: { code: 'installed_limit_invalid', install: {}, limits: { run_duration_ms: 0 } },
    credentials: {
      code: 'host_invalid "/credentials/*/file"',
      install: {},
      credentials: { ...CREDENTIALS, a: { file: '../x' } },
    },
    semantics: { code: 'host_invalid "/install/*/credential"', install: { w: { ...LLM, credential: 'secret' } } },
  };
  const stages = ['revision', 'endpoint', 'schema', 'limits', 'credentials', 'semantics'] as const;
  for (const [index, earlier] of stages.entries()) {
    for (const later of stages.slice(index + 1)) {
      it(`tells ${earlier} before ${later}`, async () => {
        const [{ code, ...first }, { code: _, ...second }] = [faults[earlier], faults[later]];
        const document = {
          credentials: CREDENTIALS,
          ...first,
          ...second,
          install: { ...first.install, ...second.install },
        };
        expect(await verdict(document)).to.satisfy((text: string) => text.startsWith(code));
      });
    }
  }
});
