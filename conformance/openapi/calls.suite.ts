import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CERTIFICATES } from '../servers/http/listen.ts';
import { secretHash } from '../servers/http/log.ts';
import { publicLikeDocument } from '../servers/openapi/document.ts';
import { startApi, type ApiOptions, type ApiServer } from '../servers/openapi/server.ts';
import { until } from '../until.ts';
import { ApiRoom, runApi, API_SECRET, type ApiApplication, type ApiReport, type Members } from './room.ts';

const DOCUMENT = publicLikeDocument(['projects', 'issues']);
const ok = (value: unknown): Members => ({ status: 'ok', value });
const failed = (reason: string, details: string, more: Members = {}): Members => ({
  status: 'error',
  kind: 'provider_error',
  reason,
  details,
  'retryable?': false,
  ...more,
});

interface CallSetup extends Partial<ApiApplication> {
  readonly server?: Partial<ApiOptions>;
}

/** Runs a program against an API; sees that no socket is left and no secret told. */
async function runAgainst(
  { server: options, ...application }: CallSetup,
  look: (report: ApiReport, server: ApiServer, room: ApiRoom) => void | Promise<void>,
): Promise<void> {
  const server = await startApi({ document: DOCUMENT, basePath: '/api/v4', ...options });
  try {
    await runApi(
      {
        document: DOCUMENT,
        config: { allow: ['create-issue', 'get-issue', 'list-issues', 'delete-issue', 'search'] },
        ...application,
        installation: {
          endpoint: `${server.url}/api/v4`,
          ...(server.url.startsWith('http:') && { allow_insecure_loopback: true }),
          ...application.installation,
        },
      },
      async (report, room) => {
        await look(report, server, room);
        const reported = [report.stdout, report.stderr, JSON.stringify(report.envelope)];
        expect(reported.filter((text) => text.includes(API_SECRET))).to.deep.equal([]);
      },
    );
    await until('the end of every socket', () => (server.openConnections() === 0 ? true : undefined));
  } finally {
    await server.close();
  }
}

describe('a mission that calls operations of an API (providers.md §7.9)', () => {
  it('reads and writes, and has what was answered', async () => {
    await runAgainst(
      {
        program: `[(tool/create-issue {:body {"title" "A" "labels" ["x"]} "Idempotency-Key" "k"})
                   (tool/list-issues {:page 1 :per-page 5 :labels ["a" "b c"] :filter {"state" "open"}})
                   (tool/search {:q "a&b" :kinds ["u" "v"] :session "s 1" :X-Trace "t" :within {"from" 3}})
                   (tool/delete-issue {:id 1})]`,
      },
      ({ status, value }, { requests }) => {
        expect(status).to.equal(0);
        const item = { id: 1, title: 'A', labels: ['x'], created_at: '2026-01-01T00:00:00Z' };
        const page = { items: [item], total: 1 };
        expect(value).to.deep.equal([ok(item), ok(page), ok(page), ok(null)]);
        expect(requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          'POST /api/v4/issues',
          'GET /api/v4/issues?page=1&per_page=5&labels=a&labels=b%20c&filter[state]=open',
          'GET /api/v4/search?q=a%26b&kinds=u,v&within=%7B%22from%22%3A3%7D',
          'DELETE /api/v4/issues/1',
        ]);
        expect(requests[0]?.headers).to.include({ 'idempotency-key': 'k', 'content-type': 'application/json' });
        expect(requests[2]?.headers).to.include({ 'x-trace': 't', cookie: secretHash('session=s%201') });
      },
    );
  });

  it('has text, pictures and nothing as values', async () => {
    const png = createHash('sha256').update('\u0001PNG').digest('hex');
    await runAgainst(
      {
        installation: { tools: { '*': { effect: 'read' } } },
        config: {},
        program: '[(tool/projects-get-readme {:id 1}) (tool/get-projects-id-avatar {:id 1}) (tool/has-avatar {:id 1})]',
      },
      ({ value }) => {
        expect(value).to.deep.equal([
          ok({ text: '# Read me\n' }),
          ok({ type: 'image', mimeType: 'image/png', bytes: 4, sha256: png }),
          ok(null),
        ]);
      },
    );
  });

  it('sends nothing that its document does not allow', async () => {
    await runAgainst(
      {
        program: `[(:reason (tool/create-issue {:body {}})) (:reason (tool/get-issue {:id 0}))
                   (:reason (tool/get-issue {:id 1 :more 1})) (:reason (tool/search {:q "<"}))]`,
      },
      ({ value }, { requests }) => {
        expect(value).to.deep.equal(Array(4).fill('invalid_arguments'));
        expect(requests).to.deep.equal([]);
      },
    );
  });

  for (const [feedback, details] of [
    ['closed', 'HTTP 404'],
    ['bounded', 'HTTP 404: no issues 7\nRefused'],
  ] as const) {
    it(`hears of a refusal ${details}`, async () => {
      await runAgainst(
        {
          installation: { tools: { getIssue: { as: 'get-issue', error_feedback: feedback } } },
          config: { allow: ['get-issue'] },
          program: '(tool/get-issue {:id 7})',
        },
        ({ value }) => {
          expect(value).to.deep.equal(failed('domain_error', details));
        },
      );
    });
  }

  /** What the server does, reason and details, whether it may be otherwise later, and whether a write is in doubt. */
  for (const [what, behaviour, reason, details, isRetryable, isInDoubt] of [
    ['a refusal', { status: 422, body: '{"message":"no"}' }, 'domain_error', 'HTTP 422', false, false],
    ['a 403', { status: 403 }, 'domain_error', 'HTTP 403', false, false],
    ['too many requests', { status: 429 }, 'domain_error', 'HTTP 429', true, true],
    ['a fault of the server', { status: 500 }, 'domain_error', 'HTTP 500', true, true],
    [
      'a redirect',
      { status: 302, headers: { location: '/elsewhere' } },
      'transport_error',
      'openapi_transport_error',
      true,
      true,
    ],
    ['a 401', { status: 401 }, 'authentication_failed', 'openapi_authentication_failed', false, true],
    ['JSON that is none', { status: 200, body: '{' }, 'invalid_result', 'openapi_invalid_result', false, false],
    ['a connection that is reset', { fault: 'reset' }, 'transport_error', 'openapi_transport_error', true, true],
    ['a connection that is closed', { fault: 'half_closed' }, 'transport_error', 'openapi_transport_error', true, true],
    ['bytes that are no HTTP', { fault: 'garbage' }, 'transport_error', 'openapi_transport_error', true, true],
    ['an answer of 5 MiB', { fault: 'huge' }, 'invalid_result', 'openapi_response_exceeded', false, true],
    ['an answer without end', { fault: 'endless' }, 'invalid_result', 'openapi_response_exceeded', false, true],
    ['headers without end', { fault: 'endless_headers' }, 'transport_error', 'openapi_transport_error', true, true],
  ] as const) {
    for (const [effect, program, id] of [
      ['read', '(tool/get-issue {:id 1})', 'getIssue'],
      ['write', '(tool/delete-issue {:id 1})', 'deleteIssue'],
    ] as const) {
      it(`that ${effect === 'read' ? 'reads' : 'writes'} hears of ${what}`, async () => {
        await runAgainst({ server: { behaviours: { [id]: behaviour } }, program }, ({ value }, { requests }) => {
          const isDoubtful = effect === 'write' && isInDoubt;
          expect(value).to.deep.equal(
            failed(reason, details, {
              'retryable?': isRetryable && !isDoubtful,
              ...(isDoubtful ? { mutation_state: 'indeterminate' } : {}),
            }),
          );
          expect(requests).to.have.length(1);
        });
      });
    }
  }

  it('is given up at its deadline, and a write is then in doubt', async () => {
    await runAgainst(
      {
        server: { behaviours: { getIssue: { fault: 'silent' }, deleteIssue: { fault: 'silent' } } },
        installation: { ceilings: { timeout_ms: 1500 } },
        program: '[(tool/get-issue {:id 1}) (tool/delete-issue {:id 1})]',
      },
      ({ value }) => {
        expect(value).to.containSubset([
          { kind: 'timeout', 'retryable?': true },
          { kind: 'timeout', 'retryable?': false, mutation_state: 'indeterminate' },
        ]);
      },
    );
  });

  it('may ask for whole results of so many bytes', async () => {
    await runAgainst(
      {
        server: { behaviours: { getIssue: { status: 200, body: JSON.stringify('x'.repeat(200)) } } },
        config: { allow: ['get-issue'], max_result_bytes: 100 },
        program: '(tool/get-issue {:id 1})',
      },
      ({ value }) => {
        expect(value).to.deep.equal(failed('invalid_result', 'openapi_response_exceeded'));
      },
    );
  });
});

describe('the credentials of an API', () => {
  const TRUSTED = { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') };
  const key = { credentials: { key: { literal: API_SECRET } } };

  async function overTls(callSetup: CallSetup, look: (value: unknown, server: ApiServer) => void): Promise<void> {
    const server = await startApi({ document: DOCUMENT, tls: 'trusted', ...callSetup.server });
    const room = new ApiRoom({
      document: DOCUMENT,
      host: key,
      program: '(tool/get-issue {:id 1})',
      config: { allow: ['get-issue'] },
      ...callSetup,
      installation: {
        endpoint: server.url,
        tools: { '*': { error_feedback: 'bounded' } },
        ...callSetup.installation,
      },
    });
    try {
      const ended = await room.command(['run', 'svc.json', '--host-config', 'svc-host.json'], TRUSTED);
      expect(ended.stdout + ended.stderr).not.to.contain(API_SECRET);
      look(ended.status === 0 ? JSON.parse(ended.stdout) : ended.stderr, server);
    } finally {
      room.close();
      await server.close();
    }
  }

  it('go with every request, and what a server repeats of them is not told', async () => {
    await overTls(
      {
        server: {
          authorization: `Bearer ${API_SECRET}`,
          behaviours: { getIssue: { status: 409, body: JSON.stringify({ message: `you are ${API_SECRET}` }) } },
        },
        installation: { auth: [{ scheme: 'bearer', binding: 'key' }] },
      },
      (value, { requests }) => {
        expect(value).to.deep.include({ reason: 'domain_error', details: 'HTTP 409: you are [redacted]' });
        expect(requests[0]?.headers['authorization']).to.equal(secretHash(`Bearer ${API_SECRET}`));
      },
    );
  });

  it('may be an API key, whose header no program fills', async () => {
    const document = {
      ...DOCUMENT,
      paths: {
        '/issues/{id}': {
          get: {
            operationId: 'getIssue',
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
              { name: 'X-Api-Key', in: 'header', required: true, schema: { type: 'string' } },
            ],
          },
        },
      },
    };
    await overTls(
      {
        server: { document },
        document,
        installation: { auth: [{ scheme: 'api_key', binding: 'key', header: 'X-API-Key' }] },
      },
      (value, { requests }) => {
        expect(value).to.deep.include({ details: 'HTTP 404: no issues 1\nRefused' });
        expect(requests[0]?.headers['x-api-key']).to.equal(secretHash(API_SECRET));
      },
    );
  });
});
