import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { NOT_IN_TURNS, TURN_SCOPE, turnItem } from '../analysis/collections/turns.ts';
import type { SingleRun } from '../analysis/single-run.ts';
import { answer, refuseQuery, type Answer } from '../analysis/answer.ts';
import { members } from '../analysis/members.ts';
import { readTurns, type TurnEvidence } from '../analysis/turns/turns.ts';
import { approvalItems } from './approvals.ts';

/** evidence.md §9. */
const SCHEMA_VERSION = 2;
export const TRANSCRIPT_BOUNDS = { turns: 1000, bytes: 1_000_000 } as const;

export type ConversationTranscript =
  | { readonly kind: 'whole'; readonly text: string; readonly turns: number }
  /** Something of the conversation is not there, or can be read in two ways. */
  | { readonly kind: 'incomplete'; readonly isOpen: boolean; readonly evidence: TurnEvidence };

/**
 * The conversations of one run as a document: canonical JSON and a line feed (evidence.md §9). `result_limit_exceeded`
 * beyond its bounds.
 */
export async function transcriptOf({
  evidence,
  snapshotHash,
  traceSnapshotHash,
}: SingleRun): Promise<Answer<ConversationTranscript>> {
  const projection = await readTurns(evidence);
  if (!projection.ok) return projection;
  const { turns, evidence: known } = projection.value;
  if (!known.isComplete) return answer({ kind: 'incomplete', isOpen: !evidence.run.isComplete, evidence: known });
  if (turns.length > TRANSCRIPT_BOUNDS.turns) return refuseQuery('result_limit_exceeded');
  const streams = new Map<string, JsonObject[]>();
  let bytes = 0;
  for (const turn of turns) {
    const item = await turnItem(evidence, turn);
    if (!item.ok) return item;
    bytes += canonicalJson(item.value).length;
    if (bytes > TRANSCRIPT_BOUNDS.bytes) return refuseQuery('result_limit_exceeded');
    streams.set(turn.streamId, [...(streams.get(turn.streamId) ?? []), item.value]);
  }
  const approvals = approvalItems(evidence.run);
  const document = members({
    schema_version: SCHEMA_VERSION,
    run_id: evidence.run.runId,
    complete_scope: TURN_SCOPE,
    not_included: NOT_IN_TURNS,
    approvals: approvals.length === 0 ? undefined : approvals,
    conversation: members({
      streams: [...streams].map(([id, items]) => members({ stream_id: id, turns: items })),
      'complete?': known.isComplete,
      'canonical_complete?': known.isCanonicalComplete,
      missing_exchange_count: known.missing,
      'ambiguous?': known.ambiguous > 0,
      ambiguity_count: known.ambiguous,
      snapshot_hash: snapshotHash,
      trace_snapshot_hash: traceSnapshotHash,
    }),
  });
  const text = `${canonicalJson(document)}\n`;
  return Buffer.byteLength(text) > TRANSCRIPT_BOUNDS.bytes
    ? refuseQuery('result_limit_exceeded')
    : answer({ kind: 'whole', text, turns: turns.length });
}
