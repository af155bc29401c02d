import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { NEW_RUN, afterEvent, afterHeap, afterProgram, frameText } from './frames.ts';
import type { RunObserver } from './observer.ts';

/**
 * Sends frames of one run to a viewer (evidence.md §10). The run never waits for it but at its end, and then not for
 * long.
 */
export interface Reporter {
  readonly observer: RunObserver;
  /** The last frame; waits for it 1,000 ms at most. Never rejects. */
  finish(hasSucceeded: boolean): Promise<void>;
}

export interface ReporterOptions {
  /** `SVC_VIEWER_URL`. */
  readonly url: string;
  /** `SVC_VIEWER_TOKEN`; null without. */
  readonly token: string | null;
  readonly runId: string;
  readonly label: string;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Called once when frames do not arrive. */
  readonly warn: () => void;
}

const TICK_MS = 300;
const WHOLE_MS = 1250;
const FINAL_MS = 1000;

/** Null for what is no HTTP address. */
export function startReporter({ url, token, runId, label, now, warn }: ReporterOptions): Reporter | null {
  const address = addressOf(url, runId);
  if (address === null) return null;
  const started = now();
  let state = NEW_RUN;
  let seq = 0;
  let hasWarned = false;
  let underWay: Promise<void> | null = null;
  const send = async (): Promise<void> => {
    seq += 1;
    const isUsed = await post(address, token, frameText(state, { runId, label, seq, elapsed: now() - started }));
    if (isUsed || hasWarned) return;
    hasWarned = true;
    warn();
  };
  // While one is under way the next is not made: the newest state is what goes out after it.
  const tick = (): void => {
    underWay ??= send().finally(() => {
      underWay = null;
    });
  };
  tick();
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return {
    observer: {
      started: (limits, remainingMs, entry) => {
        state = { ...state, started: { limits, entry, deadline: now() - started + remainingMs } };
      },
      event: (event) => {
        state = afterEvent(state, event, now() - started);
      },
      program: (program) => {
        state = afterProgram(state, program);
      },
      heap: (heap) => {
        state = afterHeap(state, heap, now() - started);
      },
    },
    finish: async (hasSucceeded) => {
      clearInterval(timer);
      state = { ...state, end: { phase: hasSucceeded ? 'ok' : 'error', reason: state.end?.reason ?? null } };
      const last = (async () => {
        await underWay;
        await send();
      })();
      // This timer keeps the process alive: the sockets do not, so that none of them outlives a run.
      let limit: NodeJS.Timeout | null = null;
      await Promise.race([
        last,
        new Promise<void>((resolve) => {
          limit = setTimeout(resolve, FINAL_MS);
        }),
      ]);
      if (limit !== null) clearTimeout(limit);
    },
  };
}

function addressOf(url: string, runId: string): URL | null {
  const base = URL.parse(url);
  if (base === null || (base.protocol !== 'http:' && base.protocol !== 'https:')) return null;
  const path = `${base.pathname.replace(/(?<!\/)\/+$/, '')}/api/live/runs/${encodeURIComponent(runId)}`;
  return new URL(path, base.origin);
}

/** Whether the viewer took it. Follows nothing and asks once. */
async function post(address: URL, token: string | null, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const open = address.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = open(
      address,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(WHOLE_MS),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        // What it says is of no interest, and may be endless.
        response.destroy();
        resolve(response.statusCode === 200);
      },
    );
    sent.on('error', () => {
      resolve(false);
    });
    sent.on('close', () => {
      resolve(false);
    });
    sent.on('socket', (socket) => {
      socket.unref();
    });
    sent.end(text);
  });
}
