import { plainJson } from '../../../contract/mcp/plain-json.ts';
import type { EventData, RunEventName } from '../../evidence/run-events/run-events.ts';

/** What a client names its call by. */
export type ProgressToken = string | number;

const AT_ONCE = 3;
const MOST = 100;
const EVERY_MS = 1000;
/**
 * A client that hears of no progress gives up, most of them after 60 s; comments of the stream are no progress to it.
 */
const SILENCE_MS = 10_000;

/** Notifications of one call. */
export interface CallProgress {
  /** The stream of its answer is open. */
  begin(): void;
  /** Something happened to its run. */
  onEvent(event: RunEventName, data: EventData): void;
  /** Nothing is notified any more. */
  end(): void;
}

/**
 * Makes notifications of a run's events (gateway.md §5): three at once, then one a second, a hundred in all; and of its
 * phase after every ten seconds in which there was none, for as long as it runs. Words and counts only.
 */
export function progressOf(token: ProgressToken, notify: (message: string) => void, now: () => number): CallProgress {
  let count = 0;
  let ofEvents = 0;
  let last = 0;
  let phase = 'started';
  let silence: NodeJS.Timeout | null = null;

  function report(message: string): void {
    count += 1;
    last = now();
    silence?.refresh();
    notify(
      plainJson({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: count, message },
      }),
    );
  }

  return {
    begin() {
      silence ??= setInterval(() => {
        report(phase);
      }, SILENCE_MS);
    },
    onEvent(event, data) {
      const stage = data['stage'];
      if (event === 'phase' && typeof stage === 'string') phase = stage;
      if (silence === null || ofEvents >= MOST || (ofEvents >= AT_ONCE && now() - last < EVERY_MS)) return;
      ofEvents += 1;
      report(event === 'phase' ? phase : event);
    },
    end() {
      if (silence !== null) clearInterval(silence);
      silence = null;
    },
  };
}
