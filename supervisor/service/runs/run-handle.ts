import { randomFillSync } from 'node:crypto';
import { isRunReference, newRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { runEvents, type RunEvents } from '../../evidence/run-events/run-events.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import { lastWords } from './results.ts';
import type { RunHandle, RunRequest, RunResult } from '../embedding/types.ts';

/** The name of a run that is asked for. Throws TypeError for what is none. */
export function runNameOf({ runRef = newRunReference(randomFillSync) }: RunRequest): RunReference {
  if (!isRunReference(runRef)) throw new TypeError('a run is named as createRunRef() names it');
  return runRef;
}

/** What the caller of a run holds: its last event comes once it has ended, and anyone who cancels it waits for that. */
export function runHandle(
  runRef: RunReference,
  { tenant = LOCAL_TENANT, onEvent: listener }: RunRequest,
  {
    perform,
    stop,
  }: {
    readonly perform: (events: RunEvents) => Promise<RunResult>;
    readonly stop: (events: RunEvents, reason: string) => Promise<void> | void;
  },
): RunHandle {
  const events = runEvents({ runRef, tenant, listener });
  const result = perform(events).then((end) => {
    events.finish(lastWords(end));
    return end;
  });
  return {
    runRef,
    events: events.stream,
    result,
    async cancel(reason = 'SIGINT') {
      await stop(events, reason);
      await result.catch(() => undefined);
    },
  };
}
