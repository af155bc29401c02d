import { openBroker, type BrokerOptions } from '../calls/broker/broker.ts';
import { NO_KERNEL } from '../calls/kernel/interface.ts';
import type { RunEnvironments } from './environments.ts';
import type { RunContext } from './run-context.ts';

/**
 * The environments of a run that is granted nothing: no providers, no missions; `over` is what a test grants all the
 * same.
 */
export function bareEnvironments(
  { application: { limits }, clock, recorder, inspection, runDeadline }: RunContext,
  over: Partial<BrokerOptions> = {},
): RunEnvironments {
  const broker = openBroker({
    limits,
    runDeadlineAt: runDeadline.at,
    clock,
    events: recorder,
    inspection,
    capabilities: { workflow: new Map(), missions: new Map() },
    routes: new Map(),
    usage: () => ({}),
    ...over,
  });
  return {
    broker,
    kernel: NO_KERNEL,
    missions: new Map(),
    usageKeys: [],
    snapshots: [],
    runDeadline,
    providerActivity: false,
    close: async () => null,
  };
}
