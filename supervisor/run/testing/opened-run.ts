import { randomFillSync } from 'node:crypto';
import { success } from '../../../contract/outcome.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { BrokerOptions } from '../../calls/broker/broker.ts';
import type { RunObserver } from '../../evidence/live/observer.ts';
import type { Clock } from '../../../system/clock.ts';
import { NO_JOURNAL } from '../../evidence/publication/journal/journal.ts';
import type { RunnableApplication } from '../application.ts';
import { bareEnvironments } from '../bare-environments.ts';
import type { RunEnvironments } from '../environments.ts';
import { openRun } from '../open-run.ts';
import type { Run } from '../run.ts';
import { manualClock, plainApplication } from './run-fixture.ts';

export interface OpenedRunOptions {
  readonly sandbox: Sandbox;
  readonly clock?: Clock;
  readonly observer?: RunObserver;
  readonly application?: RunnableApplication;
  readonly granted?: Partial<BrokerOptions>;
  /** Exchanged parts of its environments. */
  readonly over?: (environments: RunEnvironments) => Partial<RunEnvironments>;
}

/** A run that is open and leaves nothing behind. */
export async function openedRun({
  sandbox,
  clock = manualClock(),
  application = plainApplication(),
  observer,
  granted = {},
  over = () => ({}),
}: OpenedRunOptions): Promise<Run> {
  const openEnvironments: Parameters<typeof openRun>[1]['loaded']['openEnvironments'] = async (context) => {
    const environments = bareEnvironments(context, granted);
    return success({ ...environments, ...over(environments) });
  };
  const opened = await openRun(
    { sandbox: async () => sandbox, clock },
    {
      runRef: newRunReference(randomFillSync),
      trustDomain: 'test',
      ...(observer === undefined ? {} : { observer }),
      signal: new AbortController().signal,
      loaded: { application, openEnvironments },
      reservations: { trace: null, inspection: null },
      journal: NO_JOURNAL,
    },
  );
  if (!opened.ok) throw new Error(opened.diagnostic.message);
  return opened.value;
}
