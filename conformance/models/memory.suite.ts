import { expect } from 'chai';
import { endedWithPeak } from '../cli/peak-memory.ts';
import type { Fault } from '../servers/http/deliver.ts';
import { until } from '../until.ts';
import { ModelRoom, type ModelApplication, type ModelReport } from './room.ts';

/**
 * What a server may send before it is left: an answer's own bound four times, and what two systems hold between the
 * two.
 */
const BYTES_SENT = 4 * 4_194_304 + 16 * 1024 * 1024;
/**
 * Twice what is promised (64 MB; bench/README.md has what was measured), so that only memory that grows with what is
 * sent is seen.
 */
const MEGABYTES = 128;
const TIMEOUT_MS = 1500;
/** Where it is the bytes that end a call, and not the time that a busy machine takes for them. */
const BYTES_TIMEOUT_MS = 20_000;

/** How the call ends, by what the server does. */
const ENDINGS: readonly (readonly [Fault, string])[] = [
  ['huge', 'invalid_result'],
  ['endless', 'invalid_result'],
  ['endless_chunks', 'invalid_result'],
  ['endless_extension', 'invalid_result'],
  ['endless_informational', 'invalid_result'],
  ['endless_headers', 'transport_error'],
  ['endless_trailers', 'transport_error'],
  ['compressed', 'invalid_result'],
  ['trickling_headers', 'llm_request_timeout'],
];

describe('memory of a call whose server does not end (providers.md §5.6, §15)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  interface Measured {
    readonly report: ModelReport;
    readonly megabytes: number;
  }

  async function measured(application: ModelApplication): Promise<Measured> {
    await room.layOut(application);
    const { ended, megabytes } = await endedWithPeak(room.start(application));
    return { report: await room.report(ended), megabytes };
  }

  const limits = { llm_request_timeout_ms: TIMEOUT_MS };

  for (const [fault, reason] of ENDINGS) {
    it(`is bounded, as are the bytes that are taken, and the call ends: ${fault}, ${reason}`, async () => {
      await room.serve([{ times: 'any', action: { fault: 'silent' } }]);
      const waiting = await measured({ limits });
      expect(waiting.report.value).to.include({ reason: 'llm_request_timeout' });
      await room.serve([{ times: 'any', action: { fault } }]);
      const { report, megabytes } = await measured({
        limits: reason === 'llm_request_timeout' ? limits : { llm_request_timeout_ms: BYTES_TIMEOUT_MS },
      });
      expect(report.value).to.include({ status: 'error', reason });
      await until('the end of the socket', () => (room.server.openConnections() === 0 ? true : undefined));
      expect(room.server.bytesSent()).to.be.lessThan(BYTES_SENT);
      expect(megabytes - waiting.megabytes, 'more than one that waits').to.be.lessThan(MEGABYTES);
    });
  }
});
