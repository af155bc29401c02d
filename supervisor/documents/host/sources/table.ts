import { choice, map, type Decoded } from '../../fields/shape.ts';
import { NAME } from '../../fields/patterns.ts';
import { fixturesFaults, type SourceFault } from './common.ts';
import {
  chatDecisionFields,
  decisionFields,
  decisionFaults,
  httpDecisionFields,
  decisionReplayFields,
} from './decisions.ts';
import { llmFaults, llmFields } from './llm.ts';
import { llmReplayFields } from './llm-replay.ts';
import { mcpFields, mcpFaults } from './mcp.ts';
import { openapiFields, openapiFaults } from './openapi.ts';
import { inspectionSnapshotFields, traceSnapshotFields } from './snapshots.ts';

/**
 * One entry of `install` (documents.md §7): the forms of every source. The published schema, the reference page, and
 * the types of installations follow from it.
 */
export const INSTALLATION = choice(
  'source',
  llmFields,
  llmReplayFields,
  mcpFields,
  openapiFields,
  traceSnapshotFields,
  inspectionSnapshotFields,
  decisionFields,
  httpDecisionFields,
  chatDecisionFields,
  decisionReplayFields,
);

export const INSTALLATIONS = map(NAME, INSTALLATION, 128);

type AnyInstallation = Decoded<typeof INSTALLATION>;
type Installations = Decoded<typeof INSTALLATIONS>;

/** A method, whose parameter may be narrower than what the caller has: the table keeps the two together. */
interface SourceRules<I> {
  faults(installation: I, host: { readonly install: Installations }): Iterable<SourceFault>;
}

/** What the schema cannot say of the installations of a source; nothing of one that is not here. */
const RULES: { readonly [S in AnyInstallation['source']]?: SourceRules<Extract<AnyInstallation, { source: S }>> } = {
  llm: { faults: llmFaults },
  llm_replay: { faults: fixturesFaults },
  decision_replay: { faults: fixturesFaults },
  decision: { faults: decisionFaults },
  mcp: { faults: mcpFaults },
  openapi: { faults: openapiFaults },
};

/** The rules of its source that an installation breaks. */
export function* sourceFaults(
  installation: AnyInstallation,
  host: { readonly install: Installations },
): Iterable<SourceFault> {
  const rules: SourceRules<AnyInstallation> | undefined = RULES[installation.source];
  if (rules !== undefined) yield* rules.faults(installation, host);
}
