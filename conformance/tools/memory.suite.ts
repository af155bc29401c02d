import { expect } from 'chai';
import { endedWithPeak } from '../cli/peak-memory.ts';
import type { HttpAction } from '../servers/mcp-http/script.ts';
import { startToolServer } from '../servers/mcp-http/server.ts';
import { until } from '../until.ts';
import { DISCOVERED, LOOK_UP, TERMS, ToolRoom, discover, type ToolApplication, type ToolReport } from './room.ts';

/** Twice what is promised of a call (64 MB), so that only memory that grows with what is sent is seen. */
const MEGABYTES = 128;
/**
 * What a server over HTTP may send before it is left: its answer's own bound four times, and what two systems hold
 * between the two.
 */
const BYTES_SENT = 4 * 2_097_152 + 16 * 1024 * 1024;
const TIMEOUT = { ceilings: { timeout_ms: 8000 } };

/** How a call ends, by what the server does instead of an answer. */
const OVER_HTTP: readonly (readonly [NonNullable<HttpAction['fault']>, string])[] = [
  ['huge', 'mcp_response_exceeded'],
  ['endless', 'mcp_response_exceeded'],
  ['endless_notifications', 'mcp_response_exceeded'],
  ['endless_comments', 'mcp_response_exceeded'],
  ['endless_event', 'mcp_response_exceeded'],
  ['endless_headers', 'mcp_transport_error'],
  ['endless_informational', 'mcp_transport_error'],
];

/** Commands that write without end, and how the server is refused. */
const CHILDREN: Readonly<Record<string, readonly [script: string, code: string]>> = {
  'a line without end': ['exec cat /dev/zero', 'provider_protocol_error'],
  'notifications without end': [
    `exec yes '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'`,
    'provider_protocol_error',
  ],
  'words without end on its standard error': [
    'yes nothing happens >&2 & exec sleep 600',
    'provider_acquisition_timeout',
  ],
};

async function measured(
  application: ToolApplication,
): Promise<{ readonly report: ToolReport; readonly megabytes: number }> {
  const room = new ToolRoom(application);
  try {
    const { ended, megabytes } = await endedWithPeak(room.start());
    return { report: await room.report(ended), megabytes };
  } finally {
    room.close();
  }
}

describe('memory of a run whose server of tools does not end (providers.md §7.8, §8, §15)', () => {
  let waiting = 0;
  before(async () => {
    const { report, megabytes } = await measured({
      script: { steps: [discover({})] },
      installation: { ceilings: { timeout_ms: 1500 } },
    });
    expect(report.envelope).to.have.nested.property('error.code', 'provider_acquisition_timeout');
    waiting = megabytes;
  });

  for (const [fault, details] of OVER_HTTP) {
    it(`is bounded, as are the bytes that are taken, and the call ends: ${fault}, ${details}`, async () => {
      const server = await startToolServer({
        script: [
          { match: { method: 'server/discover' }, action: { result: DISCOVERED } },
          { match: { method: 'tools/list' }, action: { result: { ...TERMS, tools: [LOOK_UP] } } },
          { match: { method: 'tools/call' }, action: { fault } },
        ],
      });
      try {
        const transport = { type: 'streamable_http', endpoint: server.url, allow_insecure_loopback: true };
        const { report, megabytes } = await measured({ script: { steps: [] }, installation: { transport } });
        expect(report.value).to.include({ status: 'error', details });
        await until('the end of the socket', () => (server.openConnections() === 0 ? true : undefined));
        expect(server.bytesSent()).to.be.lessThan(BYTES_SENT);
        expect(megabytes - waiting, 'more than one that waits').to.be.lessThan(MEGABYTES);
      } finally {
        await server.close();
      }
    });
  }

  for (const [what, [script, code]] of Object.entries(CHILDREN)) {
    it(`is bounded where a child writes ${what}: ${code}`, async () => {
      const { report, megabytes } = await measured({
        script: { steps: [] },
        transport: { command: '/bin/sh', args: ['-c', script], grace_ms: 50 },
        installation: TIMEOUT,
      });
      expect(report.envelope).to.have.nested.property('error.code', code);
      expect(megabytes - waiting, 'more than one that waits').to.be.lessThan(MEGABYTES);
    });
  }
});
