import { expect } from 'chai';
import { join } from 'node:path';
import { GO, watchTerminal } from '../cli/log-in.ts';
import { CERTIFICATES } from '../servers/http/listen.ts';
import type { HttpAction, HttpStep } from '../servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../servers/mcp-http/server.ts';
import { agree, visit } from '../servers/oauth/robot.ts';
import { startAuthority, type Authority, type AuthorityScript } from '../servers/oauth/server.ts';
import { until } from '../until.ts';
import { DISCOVERED, LOOK_UP, TERMS, ToolRoom, textResult, type ToolReport } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const REFUSED: HttpStep = {
  match: { hasToken: false },
  action: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
};
const SERVED: readonly HttpStep[] = [
  REFUSED,
  { match: { method: 'server/discover' }, action: { result: DISCOVERED } },
  { match: { method: 'tools/list' }, action: { result: { ...TERMS, tools: [LOOK_UP] } } },
];
const call = (action: HttpAction): HttpStep => ({ match: { method: 'tools/call' }, action });
const SUNNY = call({ result: textResult('sunny') });

interface Scene {
  readonly authority?: AuthorityScript;
  readonly steps?: readonly HttpStep[];
  readonly oauth?: Members;
  /** Of the tool; absent: it reads. */
  readonly effect?: 'read' | 'write';
  /** Absent: the server is authorised for the run. */
  readonly argv?: readonly string[];
  /** What the browser of a person who agrees does; null: nobody has one. */
  readonly back?: ((address: string) => Promise<unknown>) | null;
  /** Somebody presses Ctrl-C as soon as this is the case. */
  readonly interrupted?: (seen: {
    readonly said: string;
    readonly server: ToolServer;
    readonly authority: Authority;
  }) => boolean;
}

interface Played {
  readonly report: ToolReport;
  readonly server: ToolServer;
  readonly authority: Authority;
}

/** Runs an application whose server of tools somebody has to authorise, with a person at its side. */
async function play(
  {
    authority: script = {},
    steps = [...SERVED, SUNNY],
    oauth,
    effect = 'read',
    argv = ['run', 'svc.json', '--authorize-mcp', 'desk'],
    back = visit,
    interrupted,
  }: Scene,
  look: (played: Played) => void,
): Promise<void> {
  const authority = await startAuthority({ script, tls: 'trusted' });
  const pages: Record<string, HttpAction> = {};
  const server = await startToolServer({ script: steps, pages, tls: 'trusted' });
  pages['/.well-known/oauth-protected-resource/mcp'] = {
    body: JSON.stringify({ resource: server.url, authorization_servers: [authority.url], scopes_supported: ['read'] }),
  };
  const block = {
    installation_id: 'one',
    issuer: authority.url,
    scope_ceiling: ['read', 'offline_access'],
    network: { private_network_origins: [authority.url, new URL(server.url).origin] },
    client: {
      registration: 'pre_registered',
      auth_method: 'none',
      client_id: 'me',
      grant_types: ['authorization_code'],
      loopback_redirect: { host: '127.0.0.1', path: '/back' },
    },
    ...oauth,
  };
  const room = new ToolRoom({
    script: { steps: [] },
    tools: { lookUp: { as: 'look-up', effect } },
    config: { allow: ['look-up'] },
    installation: { transport: { type: 'streamable_http', endpoint: server.url, oauth: block } },
  });
  try {
    const started = room.start(argv, { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') });
    const terminal = watchTerminal(started);
    if (interrupted !== undefined) {
      await until('the moment to interrupt', () =>
        interrupted({ said: terminal.said(), server, authority }) || terminal.isOver() ? true : undefined,
      );
      started.child.kill('SIGINT');
    }
    const address = back === null ? null : await terminal.address();
    if (back !== null && address !== null)
      await agree(address)
        .then(back)
        .catch(() => undefined);
    look({ report: await room.report(await started.ended), server, authority });
    await until('the end of every socket', () =>
      server.openConnections() + authority.openConnections() === 0 ? true : undefined,
    );
  } finally {
    room.close();
    await Promise.all([server.close(), authority.close()]);
  }
}

describe('a mission that calls a tool which somebody must authorise (providers.md §9)', () => {
  it('has its answer, by a token that the person granted', async () => {
    await play({}, ({ report, server, authority }) => {
      expect(report.status, report.stderr).to.equal(0);
      expect(report.value).to.deep.equal({ status: 'ok', value: { text: ['sunny'] } });
      const tokens = server.requests.flatMap(({ headers }) =>
        headers['authorization'] === undefined ? [] : [headers['authorization']],
      );
      expect(tokens).to.deep.equal([authority.issued[0], authority.issued[0], authority.issued[0]]);
      expect(authority.forms).to.have.length(1);
      const said = [report.stdout, JSON.stringify(report.envelope)].join('\n');
      expect(said).not.to.include(authority.url).and.not.to.include('access-');
      expect(report.stderr.match(/to authorize, open /g)).to.have.length(1);
    });
  });

  it('is not begun where nobody was asked to', async () => {
    await play({ argv: ['run', 'svc.json'], back: null }, ({ report: { envelope }, server }) => {
      expect(envelope).to.deep.nested.include({
        'error.code': 'authorization_required',
        'error.phase': 'active_preflight',
        'error.provider_activity': false,
        'error.subject': { name: 'desk', kind: 'provider', operation: 'authorization', occurrence: null },
      });
      expect(server.requests).to.deep.equal([]);
    });
  });

  const failures: Readonly<Record<string, readonly [Scene, string, boolean]>> = {
    'the person refuses': [{ authority: { authorize: { error: 'access_denied' } } }, 'authorization_rejected', false],
    'another state comes back': [{ authority: { authorize: { state: 'other' } } }, 'authorization_rejected', false],
    'the client is refused': [
      { authority: { tokens: [{ status: 401, body: '{"error":"invalid_client"}' }] } },
      'authentication_rejected',
      false,
    ],
    'the person takes too long': [
      { oauth: { authorization_timeout_ms: 1500 }, back: async () => undefined },
      'authorization_unavailable',
      true,
    ],
    'the authority fails': [{ authority: { tokens: [{ status: 500 }] } }, 'connectivity_unavailable', true],
    'its addresses are private': [{ oauth: { network: {} }, back: null }, 'connectivity_rejected', false],
    'its metadata are another’s': [
      {
        authority: {
          metadata: { '/.well-known/oauth-authorization-server': { members: { issuer: 'https://other.example' } } },
        },
        back: null,
      },
      'connectivity_protocol_error',
      false,
    ],
  };
  for (const [what, [scene, code, isRetryable]] of Object.entries(failures)) {
    it(`is not begun where ${what}: ${code}`, async () => {
      await play(scene, ({ report: { envelope }, server }) => {
        expect(envelope).to.deep.nested.include({
          'error.code': code,
          'error.phase': 'active_preflight',
          'error.retryable': isRetryable,
          'error.subject': { name: 'desk', kind: 'provider', operation: 'authorization', occurrence: null },
        });
        expect(server.requests.filter(({ headers }) => headers['authorization'] !== undefined)).to.deep.equal([]);
      });
    });
  }

  const REFUSALS: Readonly<Record<string, HttpAction>> = {
    'by status 401': { status: 401 },
    'by status 401 whose headers never end': { fault: 'endless_401' },
    'for too few scopes': {
      status: 403,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' },
    },
  };
  for (const [what, action] of Object.entries(REFUSALS)) {
    it(`is not begun where the server refuses what was granted ${what}`, async () => {
      await play({ steps: [REFUSED, { action }] }, ({ report: { envelope }, server }) => {
        const subject = {
          name: 'desk',
          kind: 'provider',
          operation: 'authorization',
          occurrence: { destination: 'mission', index: 0 },
        };
        expect(envelope).to.deep.nested.include({
          'error.code': 'authorization_required',
          'error.phase': 'active_preflight',
          'error.retryable': false,
          'error.provider_activity': true,
          'error.subject': subject,
        });
        expect(server.requests.filter(({ headers }) => headers['authorization'] !== undefined)).to.have.length(1);
      });
    });
  }

  const moments: Readonly<Record<string, Scene>> = {
    'while the person is awaited': { interrupted: ({ said }) => GO.test(said) },
    'while the server is asked who authorises': {
      steps: [{ action: { fault: 'silent' } }],
      interrupted: ({ server }) => server.requests.length > 0,
    },
    'while the authority is asked': {
      authority: { metadata: { '/.well-known/oauth-authorization-server': { fault: 'silent' } } },
      interrupted: ({ authority }) => authority.requests.length > 0,
    },
    'while the code is exchanged': {
      authority: { tokens: [{ fault: 'silent' }] },
      back: null,
      interrupted: comingBack(),
    },
  };
  for (const [what, scene] of Object.entries(moments)) {
    it(`ends at once with Ctrl-C ${what}, and nothing of it is left`, async () => {
      await play({ back: null, ...scene }, ({ report: { envelope, status, stderr }, server }) => {
        expect(status, stderr).to.equal(130);
        expect(envelope).to.deep.nested.include({ 'error.code': 'internal_error', 'error.retryable': false });
        expect(server.requests.filter(({ headers }) => headers['authorization'] !== undefined)).to.deep.equal([]);
      });
    });
  }

  /** A person who comes back once the address is there, until the authority was asked for tokens. */
  function comingBack(): NonNullable<Scene['interrupted']> {
    let isSent = false;
    return ({ said, authority }) => {
      const [, address] = GO.exec(said) ?? [];
      if (address !== undefined && !isSent) {
        isSent = true;
        void agree(address)
          .then(visit)
          .catch(() => undefined);
      }
      return authority.forms.length > 0;
    };
  }

  for (const [what, action] of Object.entries(REFUSALS)) {
    for (const effect of ['read', 'write'] as const) {
      it(`is told of a call that the server refuses ${what}, of a tool that ${effect}s, asked once`, async () => {
        await play({ steps: [...SERVED, call(action)], effect }, ({ report: { value }, server }) => {
          expect(value).to.deep.equal({
            status: 'error',
            kind: 'provider_error',
            reason: 'denied',
            details: 'mcp_authorization_required',
            'retryable?': false,
            ...(effect === 'write' && { mutation_state: 'indeterminate' }),
          });
          expect(server.requests.filter(({ headers }) => headers['mcp-method'] === 'tools/call')).to.have.length(1);
        });
      });
    }
  }
});
