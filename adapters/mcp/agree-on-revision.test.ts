import { expect } from 'chai';
import { agreeOnRevision } from './agree-on-revision.ts';
import type { Exchanged, TransportFault } from './exchanged.ts';
import type { OpenServer } from './open-server.ts';
import { readServerAnswer } from './protocol/answer.ts';
import { readDiscovery } from './protocol/discovery.ts';
import { readInitialization } from './protocol/initialization.ts';
import type { ServerRequest } from './protocol/request.ts';
import { CLIENT, type Revision, type RevisionPolicy } from './protocol/revision.ts';
import { renewingSession } from './renewed-session.ts';
import type { ServerWorkers } from './workers.ts';

type Said = { readonly result: object } | { readonly error: object } | { readonly status: number } | TransportFault;

const never = new AbortController().signal;
const STEP = { ms: 1, setting: 'timeout_ms' } as const;
const INFO = { name: 'older', version: '1' };
const NEWEST: Said = {
  result: {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  },
};
const UNKNOWN: Said = { error: { code: -32_601, message: 'no' } };
const begins = (protocolVersion: string): Said => ({
  result: { protocolVersion, capabilities: { tools: {} }, serverInfo: INFO },
});
const offers = (...supported: readonly string[]): Said => ({
  error: { code: -32_602, message: 'no', data: { supported } },
});

const workers: Pick<ServerWorkers, 'discovery' | 'initialization'> = {
  discovery: async ({ bytes, id }, status) => ({
    kind: 'done',
    value: readDiscovery(readServerAnswer(bytes, id), status),
  }),
  initialization: async ({ bytes, id }, status) => ({ kind: 'done', value: readInitialization(bytes, id, status) }),
};

/** A server that says one thing after the other; what it was asked, and what it was agreed with. */
function saying(transport: OpenServer['transport'], ...words: readonly Said[]) {
  const reported: string[] = [];
  const left = [...words];
  let revision: Revision = '2026-07-28';
  const server: OpenServer = {
    transport,
    revision: () => revision,
    ask: async (write) => {
      const request = write(reported.length + 1, { client: CLIENT, revision, progressToken: null, traceparent: null });
      const { params } = JSON.parse(request.text);
      reported.push([request.method, params.protocolVersion].filter((word) => word !== undefined).join(' '));
      return { request, exchanged: exchangedOf(request, left.shift() ?? 'broken') };
    },
    agree: async (agreed) => {
      revision = agreed;
      reported.push(`agreed ${agreed}`);
      return null;
    },
    reopen: async () => {
      reported.push('opened again');
      return null;
    },
    lastWords: async () => ({ end: null, stderr: null }),
    ended: () => new Promise(() => undefined),
    lost: new Promise(() => undefined),
    close: async () => true,
  };
  return { server, reported: reported };
}

function exchangedOf({ id }: ServerRequest, said: Said): Exchanged {
  if (typeof said === 'string') return { kind: 'failed', fault: said, isSent: true, stderr: null };
  const isStatus = 'status' in said;
  const text = isStatus ? 'Not here' : JSON.stringify({ jsonrpc: '2.0', id, ...said });
  return { kind: 'answered', bytes: Buffer.from(text), status: isStatus ? said.status : null, stderr: null };
}

describe('which revision a server is spoken to in (world.md §2.1)', () => {
  const rows: Readonly<
    Record<
      string,
      readonly [
        words: readonly Said[],
        outcome: string,
        told: readonly string[],
        more?: { readonly revisions?: RevisionPolicy; readonly transport?: OpenServer['transport'] },
      ]
    >
  > = {
    'that knows the newest': [[NEWEST], '2026-07-28', ['server/discover', 'agreed 2026-07-28']],
    'that does not know discovery': [
      [UNKNOWN, begins('2025-11-25')],
      '2025-11-25',
      ['server/discover', 'initialize 2025-11-25', 'agreed 2025-11-25'],
    ],
    'that answers with an earlier one': [
      [UNKNOWN, begins('2024-11-05')],
      '2024-11-05',
      ['server/discover', 'initialize 2025-11-25', 'agreed 2024-11-05'],
    ],
    'that names what it speaks when it refuses': [
      [UNKNOWN, offers('2025-03-26', '2024-11-05'), begins('2025-03-26')],
      '2025-03-26',
      ['server/discover', 'initialize 2025-11-25', 'initialize 2025-03-26', 'agreed 2025-03-26'],
    ],
    'that refuses whatever it named': [
      [UNKNOWN, offers('2025-03-26', '2024-11-05'), offers('2025-03-26', '2024-11-05'), UNKNOWN],
      'provider_protocol_version_unsupported',
      ['server/discover', 'initialize 2025-11-25', 'initialize 2025-03-26', 'initialize 2024-11-05'],
    ],
    'that has no revision in common': [
      [UNKNOWN, begins('2024-10-07')],
      'provider_protocol_version_unsupported',
      ['server/discover', 'initialize 2025-11-25'],
    ],
    'that knows neither': [
      [UNKNOWN, UNKNOWN],
      'provider_protocol_version_unsupported',
      ['server/discover', 'initialize 2025-11-25'],
    ],
    'that has other troubles': [
      [{ error: { code: -32_603, message: 'no' } }, UNKNOWN],
      'provider_unavailable',
      ['server/discover', 'initialize 2025-11-25'],
    ],
    'that ends over the question': [
      ['broken', begins('2025-06-18')],
      '2025-06-18',
      ['server/discover', 'opened again', 'initialize 2025-11-25', 'agreed 2025-06-18'],
    ],
    'that ends over every question': [
      ['broken', 'broken'],
      'provider_unavailable',
      ['server/discover', 'opened again', 'initialize 2025-11-25'],
    ],
    'that passes over what it does not know': [
      ['timeout', begins('2025-06-18')],
      '2025-06-18',
      ['server/discover', 'initialize 2025-11-25', 'agreed 2025-06-18'],
    ],
    'that is too slow for its answer, and knows nothing else': [
      ['timeout', UNKNOWN],
      'provider_acquisition_timeout',
      ['server/discover', 'initialize 2025-11-25'],
    ],
    'that says what is no message': [['malformed'], 'provider_protocol_error', ['server/discover']],
    'over HTTP, that wants a session first': [
      [{ status: 400 }, begins('2025-03-26')],
      '2025-03-26',
      ['server/discover', 'initialize 2025-11-25', 'agreed 2025-03-26'],
      { transport: 'streamable_http' },
    ],
    'over HTTP, that wants nothing': [
      [{ status: 405 }, { status: 405 }],
      'provider_unavailable',
      ['server/discover', 'initialize 2025-11-25'],
      { transport: 'streamable_http' },
    ],
    'over HTTP, that says nothing': [
      ['timeout'],
      'provider_acquisition_timeout',
      ['server/discover'],
      { transport: 'streamable_http' },
    ],
    'over HTTP, whose connection breaks off': [
      ['broken'],
      'provider_unavailable',
      ['server/discover'],
      { transport: 'streamable_http' },
    ],
    'that is held to the newest': [
      [UNKNOWN],
      'provider_protocol_version_unsupported',
      ['server/discover'],
      { revisions: '2026-07-28' },
    ],
  };
  for (const [what, [words, outcome, expected, { revisions = 'auto', transport = 'stdio' } = {}]] of Object.entries(
    rows,
  ))
    it(`${what}: ${outcome}`, async () => {
      const { server, reported } = saying(transport, ...words);
      const agreed = await agreeOnRevision(server, Object({ workers }), { revisions, step: STEP }, never);
      expect(agreed.ok ? agreed.revision : agreed.refusal.code).to.equal(outcome);
      expect(reported).to.deep.equal(expected);
    });
});

describe('a session that its server has forgotten (world.md §2.1)', () => {
  const agreed = { ok: true, revision: '2025-06-18', serverInfoHash: null } as const;
  const TERMS = { revisions: 'auto', step: STEP } as const;
  const request = (id: number): ServerRequest => ({
    id,
    method: 'tools/call',
    revision: '2025-06-18',
    text: '{"params":{}}',
    name: null,
    parameters: [],
  });
  async function renewed(...words: readonly Said[]): Promise<readonly [unknown, readonly string[]]> {
    const { server, reported } = saying('streamable_http', ...words);
    const { exchanged } = await renewingSession(server, Object({ workers }), agreed, TERMS).ask(request, 1, never);
    return [exchanged === 'lost' || exchanged.kind === 'answered' ? 'answered' : exchanged.fault, reported];
  }

  it('starts again and repeats the request', async () => {
    expect(await renewed('session_ended', begins('2025-06-18'), { result: {} })).to.deep.equal([
      'answered',
      ['tools/call', 'initialize 2025-06-18', 'agreed 2025-06-18', 'tools/call'],
    ]);
  });
  it('is not begun at another revision, and the request not made again', async () => {
    expect(await renewed('session_ended', begins('2025-03-26'))).to.deep.equal([
      'session_ended',
      ['tools/call', 'initialize 2025-06-18', 'agreed 2025-03-26'],
    ]);
  });
  it('that is gone again at once is left', async () => {
    expect((await renewed('session_ended', begins('2025-06-18'), 'session_ended'))[0]).to.equal('session_ended');
  });
});
