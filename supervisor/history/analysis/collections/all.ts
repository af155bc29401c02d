import { activity } from './activity.ts';
import { capabilityCalls, modelExchanges, providerExchanges } from './calls.ts';
import type { Collection } from './collection.ts';
import { generatedSources, preludeSources } from './sources.ts';
import { turns } from './turns.ts';
import { executionErrors, executionPrints, explicitFailureValues } from './workflow-ends.ts';

/** Everything that can be read of a run, in the order of its catalogue (evidence.md §7). */
export const COLLECTIONS: readonly Collection[] = [
  activity,
  turns,
  modelExchanges,
  capabilityCalls,
  providerExchanges,
  generatedSources,
  preludeSources,
  executionPrints,
  executionErrors,
  explicitFailureValues,
];
