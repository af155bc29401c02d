import { STOP_STATUS, isStopSignal, type StopSignal } from '../../contract/stop-signals.ts';

/**
 * What asks nothing of a command, though the system would end it. For SIGUSR1 the launcher also switches off node's own
 * answer, an inspector that anybody on the machine may use.
 */
const IGNORED_SIGNALS = ['SIGALRM', 'SIGUSR1', 'SIGUSR2'] as const;
type IgnoredSignal = (typeof IGNORED_SIGNALS)[number];

export interface SignalSource {
  on(signal: StopSignal | IgnoredSignal, listener: () => void): unknown;
  off(signal: StopSignal | IgnoredSignal, listener: () => void): unknown;
}

export interface StopWatch {
  /** Aborted by the first stop signal; its reason is the signal's name. */
  readonly signal: AbortSignal;
  /** The first stop signal so far. */
  received(): StopSignal | null;
  stop(): void;
}

/**
 * The first stop signal asks the command to cancel, clean up and publish; the second ends the process at once
 * (runtime.md §10). `isIgnored`: what asks nothing of the command at hand.
 */
export function watchStopSignals(
  source: SignalSource,
  exit: (status: number) => void,
  isIgnored: (signal: StopSignal) => boolean = () => false,
): StopWatch {
  const controller = new AbortController();
  let first: StopSignal | null = null;
  const listenerOf = (signal: StopSignal) => (): void => {
    if (isIgnored(signal)) return;
    if (first !== null) {
      exit(STOP_STATUS[signal]);
      return;
    }
    first = signal;
    controller.abort(signal);
  };
  const listeners = [
    ...Object.keys(STOP_STATUS)
      .filter(isStopSignal)
      .map((signal) => [signal, listenerOf(signal)] as const),
    ...IGNORED_SIGNALS.map((signal) => [signal, (): void => undefined] as const),
  ];
  for (const [signal, listener] of listeners) source.on(signal, listener);
  return {
    signal: controller.signal,
    received: () => first,
    stop: () => {
      for (const [signal, listener] of listeners) source.off(signal, listener);
    },
  };
}
