/**
 * The signals that ask a command to cancel, clean up and publish, with the exit status of a command that ended for one:
 * 128 and the signal's number (runtime.md §10, cli.md §5).
 */
export const STOP_STATUS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
/** A signal that stops a command in order (runtime.md §10). */
export type StopSignal = keyof typeof STOP_STATUS;

/** Whether the reason of an abort is one of these signals, by name. */
export function isStopSignal(reason: unknown): reason is StopSignal {
  return typeof reason === 'string' && Object.hasOwn(STOP_STATUS, reason);
}

/**
 * The signal that aborted an `AbortSignal`: the one that its reason names, else SIGINT, since an embedding program may
 * give any reason; null before the abort.
 */
export function stopOf({
  aborted,
  reason,
}: {
  readonly aborted: boolean;
  readonly reason: unknown;
}): StopSignal | null {
  if (!aborted) return null;
  return isStopSignal(reason) ? reason : 'SIGINT';
}
