import type { RunReport } from '../../supervisor/api/run.ts';

/** What is said of a run whose trace lacks events: how many, for which limit, and what to do. */
export function lostEventsLine({ events, limit, value }: NonNullable<RunReport['eventLoss']>): string {
  const bytes = limit === 'normal_event_count' ? '' : ' bytes';
  return `note: the trace of this run lacks ${events} ${events === 1 ? 'event' : 'events'}: ${limit} is ${value}${bytes}; raise it in limits of the manifest, and no transcript will lack them`;
}
