import { exitStatus } from '../../contract/diagnostics/diagnostic.ts';
import type { RunFailure, RunSuccess } from '../../contract/envelope/types.ts';

/** 128 and the signal's number (cli.md §5). */
const SIGNAL_STATUS: ReadonlyMap<unknown, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);
const ENVELOPE_UNPUBLISHED = 74;

/**
 * The exit status of a run (runtime.md §1, cli.md §5). The reason of an aborted signal is the name of the signal that
 * the process got; it counts only while the run failed because of it.
 */
export function runExitStatus(envelope: RunSuccess | RunFailure, signal: AbortSignal, isLedgerLost: boolean): number {
  if (isLedgerLost) return ENVELOPE_UNPUBLISHED;
  if (envelope.status === 'ok') return 0;
  const interrupted = signal.aborted && envelope.error.code === 'internal_error' ? SIGNAL_STATUS.get(signal.reason) : undefined;
  return interrupted ?? exitStatus(envelope.error);
}
