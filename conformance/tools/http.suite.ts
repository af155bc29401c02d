import { expect } from 'chai';
import { join } from 'node:path';
import { CERTIFICATES, type ListenOptions } from '../servers/http/listen.ts';
import { secretHash } from '../servers/http/log.ts';
import type { HttpAction, HttpStep } from '../servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../servers/mcp-http/server.ts';
import { until } from '../until.ts';
import {
  DISCOVERED,
  LOOK_UP,
  TOOL_SECRET,
  TERMS,
  runTools,
  textResult,
  type ToolApplication,
  type ToolReport,
} from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const SUBJECT = { name: 'desk', occurrence: { destination: 'mission', index: 0 }, kind: 'provider' };
const answers = (method: string, action: HttpAction): HttpStep => ({ match: { method }, action });
const discover = (action: HttpAction = { result: DISCOVERED }): HttpStep => answers('server/discover', action);
const list = (...tools: readonly unknown[]): HttpStep => answers('tools/list', { result: { ...TERMS, tools } });
const call = (action: HttpAction): HttpStep => answers('tools/call', action);
const TRUSTED = { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') };
const BEARER = { host: { credentials: { key: { literal: TOOL_SECRET } } }, environment: TRUSTED };

/**
 * Runs an application against a server that does what a script says; sees that every socket is closed and no secret
 * told.
 */
async function runOver(
  steps: readonly HttpStep[],
  input: Partial<ToolApplication> & { readonly transport?: Members; readonly listening?: ListenOptions },
  look: (report: ToolReport, server: ToolServer) => void,
): Promise<void> {
  const { transport, listening, ...application } = input;
  const server = await startToolServer({ script: steps, ...listening });
  try {
    const http = {
      type: 'streamable_http',
      endpoint: server.url,
      ...(server.url.startsWith('http:') && { allow_insecure_loopback: true }),
      ...transport,
    };
    await runTools(
      { script: { steps: [] }, ...application, installation: { transport: http, ...application.installation } },
      (report) => {
        look(report, server);
        const { stdout, stderr, envelope } = report;
        expect(
          [stdout, stderr, JSON.stringify(envelope)].filter(
            (text) => text.includes(TOOL_SECRET) || text.includes(String(server.port)),
          ),
        ).to.deep.equal([]);
      },
    );
    await until('the end of every socket', () => (server.openConnections() === 0 ? true : undefined));
  } finally {
    await server.close();
  }
}

describe('a mission that calls a tool over HTTP (providers.md §7, §8)', () => {
  for (const as of ['json', 'sse'] as const) {
    it(`has its answer, which comes as ${as}, split at every byte`, async () => {
      const slow = { as, delivery: { split: 1 } } as const;
      await runOver(
        [discover({ ...slow, result: DISCOVERED }), list(LOOK_UP), call({ ...slow, result: textResult('sunny') })],
        {},
        ({ status, value }, { requests }) => {
          expect(status).to.equal(0);
          expect(value).to.deep.equal({ status: 'ok', value: { text: ['sunny'] } });
          expect(requests.map(({ headers }) => headers['mcp-method'])).to.deep.equal([
            'server/discover',
            'tools/list',
            'tools/call',
          ]);
          expect(requests.map(({ connection }) => connection)).to.deep.equal([1, 2, 3]);
          expect(JSON.parse(requests[2]?.body ?? ''))
            .to.have.nested.property('params._meta.traceparent')
            .that.matches(/^00-/);
        },
      );
    });
  }

  it('says in headers what its schema wants there', async () => {
    const tool = {
      ...LOOK_UP,
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', 'x-mcp-header': 'City' },
          days: { type: 'integer', 'x-mcp-header': 'Days' },
          far: { type: 'boolean', 'x-mcp-header': 'Far' },
        },
      },
    };
    await runOver(
      [discover(), list(tool), call({ result: textResult('sunny') })],
      { program: '(tool/look-up {:city "Zürich" :days 3})' },
      ({ value }, { requests }) => {
        expect(value).to.have.property('status', 'ok');
        expect(requests[2]?.headers)
          .to.include({
            'mcp-param-city': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
            'mcp-param-days': '3',
          })
          .and.not.to.have.property('mcp-param-far');
      },
    );
  });

  const header = 'mcp-param-city'.length;
  for (const [bytes, isSent] of [
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ] as const) {
    for (const effect of ['read', 'write'] as const) {
      it(`${isSent ? 'says' : 'cannot say'} in headers what takes ${bytes} bytes there, to a tool that ${effect}s`, async () => {
        const tool = {
          ...LOOK_UP,
          inputSchema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
        };
        const program = `(tool/look-up {:city (apply str (repeat ${bytes - header} "x"))})`;
        await runOver(
          [discover(), list(tool), call({ result: textResult('sunny') })],
          { tools: { lookUp: { as: 'look-up', effect } }, config: { allow: ['look-up'] }, program },
          ({ value }, { requests }) => {
            expect(value).to.deep.equal(
              isSent
                ? { status: 'ok', value: { text: ['sunny'] } }
                : {
                    status: 'error',
                    kind: 'provider_error',
                    reason: 'invalid_request',
                    details: 'mcp_headers_exceeded',
                    'retryable?': false,
                  },
            );
            expect(requests).to.have.length(isSent ? 3 : 2);
          },
        );
      });
    }
  }

  const schemes: Readonly<Record<string, readonly [Members, string, string]>> = {
    bearer: [{ scheme: 'bearer', binding: 'key' }, 'authorization', `Bearer ${TOOL_SECRET}`],
    basic: [{ scheme: 'basic', binding: 'key' }, 'authorization', `Basic ${TOOL_SECRET}`],
    api_key: [{ scheme: 'api_key', binding: 'key', header: 'X-Api-Key' }, 'x-api-key', TOOL_SECRET],
  };
  for (const [scheme, [auth, header, sent]] of Object.entries(schemes)) {
    it(`authenticates by ${scheme}, over TLS`, async () => {
      await runOver(
        [discover(), list(LOOK_UP), call({ result: textResult('sunny') })],
        { ...BEARER, transport: { auth: [auth] }, listening: { tls: 'trusted' } },
        ({ status, value, stderr }, { requests }) => {
          expect(status, stderr).to.equal(0);
          expect(value).to.have.property('status', 'ok');
          for (const { headers } of requests) expect(headers).to.include({ [header]: secretHash(sent) });
        },
      );
    });
  }

  /**
   * providers.md §7.5: what the server does, reason and details, whether a read may be tried again, and whether a write
   * is in doubt.
   */
  const table: readonly (readonly [
    what: string,
    action: HttpAction,
    reason: string,
    details: string,
    isRetryable: boolean,
    isInDoubt: boolean,
  ])[] = [
    [
      'a failure of the tool',
      { result: { ...textResult('no'), isError: true } },
      'domain_error',
      'mcp_domain_error',
      false,
      false,
    ],
    ['an error of JSON-RPC', { error: { code: 1, message: 'no' } }, 'domain_error', 'mcp_remote_error', false, false],
    [
      'a demand of state',
      { result: { resultType: 'input_required', requestState: 's' } },
      'denied',
      'mcp_input_required_refused',
      false,
      false,
    ],
    [
      'a request of its own',
      { as: 'sse', body: 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n' },
      'invalid_result',
      'mcp_protocol_error',
      false,
      true,
    ],
    [
      'another content',
      { result: { resultType: 'complete', content: [{ type: 'image' }] } },
      'invalid_result',
      'mcp_invalid_result',
      false,
      false,
    ],
    ['too long a body', { fault: 'huge' }, 'invalid_result', 'mcp_response_exceeded', false, true],
    ['status 401', { status: 401 }, 'authentication_failed', 'mcp_authentication_failed', false, true],
    [
      'status 401 whose headers never end',
      { fault: 'endless_401' },
      'authentication_failed',
      'mcp_authentication_failed',
      false,
      true,
    ],
    ['status 403', { status: 403 }, 'authentication_failed', 'mcp_authentication_failed', false, true],
    [
      'status 307',
      { status: 307, headers: { location: '/mcp' } },
      'transport_error',
      'mcp_transport_error',
      true,
      true,
    ],
    [
      'status 404',
      { status: 404, error: { code: -32_601, message: 'no' } },
      'transport_error',
      'mcp_transport_error',
      true,
      true,
    ],
    ['status 503', { status: 503 }, 'transport_error', 'mcp_transport_error', true, true],
    ['a reset', { fault: 'reset' }, 'transport_error', 'mcp_transport_error', true, true],
  ];
  for (const [what, action, reason, details, isRetryable, isInDoubt] of table) {
    for (const effect of ['read', 'write'] as const) {
      it(`is told of ${what}, of a tool that ${effect}s, asked once`, async () => {
        const inDoubt = effect === 'write' && isInDoubt;
        await runOver(
          [discover(), list(LOOK_UP), call(action)],
          {
            tools: { lookUp: { as: 'look-up', effect } },
            config: { allow: ['look-up'] },
            program: '(let [r (tool/look-up {:city "Oslo"})] r)',
          },
          ({ value }, { requests }) => {
            expect(value).to.deep.equal({
              status: 'error',
              kind: 'provider_error',
              reason,
              details,
              'retryable?': isRetryable && !inDoubt,
              ...(inDoubt && { mutation_state: 'indeterminate' }),
            });
            expect(requests).to.have.length(3);
          },
        );
      });
    }
  }

  /** What the server becomes once it was opened: nothing of a call gets there, so that nothing is in doubt. */
  const unreached: readonly (readonly [
    what: string,
    becomes: NonNullable<HttpAction['becomes']>,
    details: string,
    isRetryable: boolean,
  ])[] = [
    ['that is gone', 'gone', 'mcp_endpoint_connection_refused', true],
    ['whose certificate has expired meanwhile', 'expired', 'mcp_endpoint_tls_failed', false],
    ['that bears another name meanwhile', 'wrong-name', 'mcp_endpoint_tls_failed', false],
    ['nobody vouches for any more', 'untrusted', 'mcp_endpoint_tls_failed', false],
  ];
  for (const [what, becomes, details, isRetryable] of unreached) {
    for (const effect of ['read', 'write'] as const) {
      it(`is told of a server ${what}, of a tool that ${effect}s: ${details}`, async () => {
        const listed = answers('tools/list', { result: { ...TERMS, tools: [LOOK_UP] }, becomes });
        await runOver(
          [discover(), listed],
          {
            environment: TRUSTED,
            listening: { tls: 'trusted' },
            tools: { lookUp: { as: 'look-up', effect } },
            config: { allow: ['look-up'] },
          },
          ({ status, value }, { requests }) => {
            expect(status).to.equal(0);
            expect(value).to.deep.equal({
              status: 'error',
              kind: 'provider_error',
              reason: 'transport_error',
              details,
              'retryable?': isRetryable,
            });
            expect(requests).to.have.length(2);
          },
        );
      });
    }
  }

  /** providers.md §3, table B. */
  const refused: Readonly<
    Record<string, readonly [steps: readonly HttpStep[], code: string, more?: Partial<Parameters<typeof runOver>[1]>]>
  > = {
    'that knows no discovery': [
      [discover({ status: 404, error: { code: -32_601, message: 'no' } })],
      'provider_protocol_version_unsupported',
    ],
    'that refuses the version': [
      [discover({ status: 400, error: { code: -32_022, message: 'no' } })],
      'provider_protocol_version_unsupported',
    ],
    'that says 404 for another reason': [
      [discover({ status: 404, error: { code: -32_022, message: 'no' } })],
      'provider_protocol_error',
    ],
    'that says 400 without words': [[discover({ status: 400 })], 'provider_protocol_error'],
    'that is a page': [[discover({ fault: 'not_json' })], 'provider_protocol_error'],
    'that moved': [[discover({ status: 308, headers: { location: '/mcp' } })], 'provider_unavailable'],
    'that fails': [[discover({ status: 500 })], 'provider_unavailable'],
    'that hangs up': [[discover({ fault: 'half_closed' })], 'provider_unavailable'],
    'that says nothing': [
      [discover({ fault: 'silent' })],
      'provider_acquisition_timeout',
      { installation: { ceilings: { timeout_ms: 1500 } } },
    ],
    'that never ends': [[discover({ fault: 'endless_notifications' })], 'provider_protocol_error'],
    'nobody vouches for': [
      [],
      'provider_endpoint_tls_failed',
      { listening: { tls: 'untrusted' }, environment: TRUSTED },
    ],
    'of another name': [[], 'provider_endpoint_tls_failed', { listening: { tls: 'wrong-name' }, environment: TRUSTED }],
    'whose certificate has expired': [
      [],
      'provider_endpoint_tls_failed',
      { listening: { tls: 'expired' }, environment: TRUSTED },
    ],
    'without the tool': [[discover(), list()], 'provider_tool_missing'],
  };
  for (const [what, [steps, code, more = {}]] of Object.entries(refused)) {
    it(`is not begun with a server ${what}: ${code}`, async () => {
      await runOver(steps, more, ({ envelope }) => {
        expect(envelope).to.deep.nested.include({
          'error.code': code,
          'error.subject': { ...SUBJECT, operation: 'acquisition' },
          'error.provider_activity': true,
        });
      });
    });
  }

  for (const [what, endpoint, code, isRetryable] of [
    ['that is not there', null, 'provider_endpoint_connection_refused', true],
    ['whose name nobody knows', 'https://nobody.invalid/mcp', 'provider_endpoint_name_unresolved', false],
  ] as const) {
    it(`is not begun with a server ${what}: ${code}`, async () => {
      const closed = await startToolServer({ script: [] });
      await closed.close();
      const transport = endpoint === null ? { endpoint: closed.url, allow_insecure_loopback: true } : { endpoint };
      await runTools(
        { script: { steps: [] }, installation: { transport: { type: 'streamable_http', ...transport } } },
        ({ envelope }) => {
          expect(envelope).to.deep.nested.include({
            'error.code': code,
            'error.phase': 'provider_acquisition',
            'error.retryable': isRetryable,
            'error.subject': { ...SUBJECT, operation: 'acquisition' },
            'error.provider_activity': true,
          });
        },
      );
    });
  }

  it('asks the server itself, whatever proxies the environment names, keeps no cookie and wants nothing compressed', async () => {
    const elsewhere = await startToolServer({ script: [] });
    const proxies = Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
        name,
        new URL(elsewhere.url).origin,
      ]),
    );
    try {
      const baked = { 'set-cookie': 'a=b; Path=/' };
      await runOver(
        [
          discover({ headers: baked, result: DISCOVERED }),
          list(LOOK_UP),
          call({ headers: baked, result: textResult('sunny') }),
        ],
        {
          environment: { ...proxies, NODE_USE_ENV_PROXY: '1' },
          program: '[(tool/look-up {:city "Oslo"}) (tool/look-up {:city "Oslo"})]',
        },
        ({ status }, { requests }) => {
          expect(status).to.equal(0);
          expect(requests).to.have.length(4);
          for (const { headers } of requests)
            expect(headers).not.to.have.any.keys('cookie', 'accept-encoding', 'user-agent');
        },
      );
      expect(elsewhere.connections()).to.equal(0);
    } finally {
      await elsewhere.close();
    }
  });

  it('is told of a call without an answer in its time, of a tool that writes: it is in doubt, and its socket is gone', async () => {
    await runOver(
      [discover(), list(LOOK_UP), call({ fault: 'silent' })],
      { tools: { lookUp: { as: 'look-up', effect: 'write' } }, config: { allow: ['look-up'], timeout_ms: 8000 } },
      ({ value }, { requests }) => {
        expect(value).to.deep.equal({
          status: 'error',
          kind: 'timeout',
          reason: 'provider_timeout',
          'retryable?': false,
          mutation_state: 'indeterminate',
        });
        expect(requests).to.have.length(3);
      },
    );
  });

  it('is not begun where the server does not take the credential', async () => {
    await runOver(
      [discover({ status: 401 })],
      { ...BEARER, transport: { auth: [{ scheme: 'bearer', binding: 'key' }] }, listening: { tls: 'trusted' } },
      ({ envelope }) => {
        expect(envelope).to.deep.nested.include({
          'error.code': 'authentication_rejected',
          'error.phase': 'active_preflight',
        });
      },
    );
  });

  it('is not begun where the server does not take the credential, however long its headers go on', async () => {
    await runOver(
      [discover({ fault: 'endless_401' })],
      { ...BEARER, transport: { auth: [{ scheme: 'bearer', binding: 'key' }] }, listening: { tls: 'trusted' } },
      ({ envelope }) => {
        expect(envelope).to.deep.nested.include({
          'error.code': 'authentication_rejected',
          'error.phase': 'active_preflight',
          'error.provider_activity': true,
        });
      },
    );
  });

  it('is not begun with a credential that no header can carry', async () => {
    await runOver(
      [],
      {
        environment: TRUSTED,
        host: { credentials: { key: { literal: `${TOOL_SECRET}\nx-more: 1` } } },
        transport: { auth: [{ scheme: 'bearer', binding: 'key' }] },
        listening: { tls: 'trusted' },
      },
      ({ envelope }, { requests }) => {
        expect(envelope).to.have.nested.property('error.code', 'authentication_rejected');
        expect(requests).to.deep.equal([]);
      },
    );
  });
});
