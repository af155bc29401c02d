/** Exit statuses of a command ended by a signal: 128 and the signal's number (cli.md §5). */
export const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof SIGNAL_STATUS;

export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

export interface StopWatch {
  /** Aborted by the first signal; its reason is the signal's name. */
  readonly signal: AbortSignal;
  /** The first signal so far. */
  received(): StopSignal | null;
  stop(): void;
}

/**
 * The first SIGINT or SIGTERM asks the command to cancel, clean up and publish; the second ends the process at once
 * (runtime.md §10).
 */
export function watchStopSignals(source: SignalSource, exit: (status: number) => void): StopWatch {
  const controller = new AbortController();
  let first: StopSignal | null = null;
  const listenerOf = (signal: StopSignal) => (): void => {
    if (first !== null) {
      exit(SIGNAL_STATUS[signal]);
      return;
    }
    first = signal;
    controller.abort(signal);
  };
  const onInterrupt = listenerOf('SIGINT');
  const onTerminate = listenerOf('SIGTERM');
  source.on('SIGINT', onInterrupt);
  source.on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    received: () => first,
    stop: () => {
      source.off('SIGINT', onInterrupt);
      source.off('SIGTERM', onTerminate);
    },
  };
}
