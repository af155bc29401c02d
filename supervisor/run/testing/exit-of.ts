import { exitStatusOf } from '../../../contract/exit-status.ts';
import { stopOf } from '../../../contract/stop-signals.ts';
import type { RunReport } from '../perform-run.ts';

/** What a command exits with after such a run. */
export function exitOf(
  { envelope, projectEnvelope }: Pick<RunReport, 'envelope' | 'projectEnvelope'>,
  signal: AbortSignal = new AbortController().signal,
): number {
  if (projectEnvelope === 'failed') return exitStatusOf({ outcome: 'envelope_lost' });
  return exitStatusOf(
    envelope.status === 'ok'
      ? { outcome: 'succeeded' }
      : { outcome: 'failed', error: envelope.error, stop: stopOf(signal) },
  );
}
