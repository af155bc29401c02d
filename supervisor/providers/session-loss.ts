import type { ProviderPlace } from '../calls/broker/run-ending.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';

/** Whether an opened provider is still the one that was opened; heard once for all of its capabilities and calls. */
export interface SessionLoss {
  /** Which one it is; null while it is not lost. */
  readonly lost: () => ProviderPlace | null;
  /** Calls back when it is lost, unless what it returns is called before. */
  onLost(listener: () => void): () => void;
}

export function sessionLoss(session: Pick<ProviderSession, 'lost'>, place: ProviderPlace): SessionLoss {
  const listeners = new Set<() => void>();
  let isLost = false;
  const report = (): void => {
    isLost = true;
    for (const listener of listeners) listener();
    listeners.clear();
  };
  // An adapter that rejects it says no less.
  void session.lost.then(report, report);
  return {
    lost: () => (isLost ? place : null),
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
