import { isJsonObject, type JsonObject } from '../../../../contract/json/value.ts';
import type { Showing, ShownConversation, ShownTurn } from '../../../../contract/viewer-answers.ts';
import { answer, type Answer } from '../answer.ts';
import { attemptItems } from './attempts.ts';
import { identity, readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import { members, objectOf } from '../members.ts';
import { assistantOf, messagesOf } from '../turns/messages.ts';
import { readTurns, type Turn, type TurnEvidence } from '../turns/turns.ts';
import { asks, matchesOf, type Filters, type PrivateCollection } from './collection.ts';
import { isSource } from './sources.ts';

const OF_SOURCES = new Set(['evaluation_id', 'parent_evaluation_id', 'prelude_call', 'prelude_component']);

/** What a projection of conversations leaves out; each is a collection of its own. */
export const NOT_IN_TURNS = [
  'capability_calls',
  'provider_exchanges',
  'generated_sources',
  'prelude_sources',
  'execution_prints',
  'execution_errors',
  'explicit_failure_values',
  'run_result',
];
export const TURN_SCOPE = 'model_conversation';

/** The conversations with models, turn by turn. */
export const turns: PrivateCollection = {
  name: 'turns',
  authority: 'private',
  filters: {
    stream_id: 'text',
    capability_id: 'text',
    evaluation_id: 'text',
    parent_evaluation_id: 'text',
    prelude_call: 'text',
    prelude_component: 'text',
  },
  order: 'stream, turn',
  identifiers: ['stream_id', 'capability_id', 'generated[].evaluation_id'],
  completeness: null,
  standardLimit: 100,
  described: { projection_scope: TURN_SCOPE, projection_not_included: NOT_IN_TURNS },
  // Only once they are made, which needs the whole file.
  count: () => null,
  select: async (evidence, filters) => {
    const projection = await readTurns(evidence);
    if (!projection.ok) return projection;
    const found = projection.value.turns.filter((turn) => isMatch(evidence, turn, filters));
    return answer({
      matches: matchesOf(found, (turn) => turnItem(evidence, turn)),
      beside: { evidence: evidenceFacts(projection.value.evidence) },
    });
  },
};

export function evidenceFacts({ isComplete, isCanonicalComplete, missing, ambiguous }: TurnEvidence): JsonObject {
  return members({
    'complete?': isComplete,
    'canonical_complete?': isCanonicalComplete,
    missing_exchange_count: missing,
    ambiguity_count: ambiguous,
  } satisfies Showing<Pick<ShownConversation, 'complete?' | 'missing_exchange_count' | 'ambiguity_count'>>);
}

function isMatch(evidence: RunEvidence, { streamId, call, generated }: Turn, filters: Filters): boolean {
  if (!asks(filters, 'stream_id', streamId) || !asks(filters, 'capability_id', call.capabilityId)) return false;
  const ofSources = new Map([...filters].filter(([name]) => OF_SOURCES.has(name)));
  if (ofSources.size === 0) return true;
  const own = new Set(generated.map(({ evaluationId }) => evaluationId));
  return evidence.index.sources.some((source) => own.has(source.evaluationId) && isSource(evidence, source, ofSources));
}

export async function turnItem(evidence: RunEvidence, turn: Turn): Promise<Answer<JsonObject>> {
  const { call, streamId, known, isSystemKnown, generated } = turn;
  const { output } = call;
  const payload = await readPayload(evidence, call.input);
  if (!payload.ok) return payload;
  const answered = output === null ? null : await readPayload(evidence, output);
  if (answered?.ok === false) return answered;
  const attempts = await attemptItems(evidence, call);
  if (!attempts.ok) return attempts;
  const request = objectOf(payload.value, 'arguments');
  const result = answered === null ? undefined : objectOf(answered.value, 'result');
  const added = messagesOf(request).slice(known);
  return answer(
    members({
      ...identity(evidence),
      stream_id: streamId,
      turn: turn.turn,
      capability_id: call.capabilityId,
      request_hash: payload.value.get('request_hash'),
      request_sequence: call.input.sequence,
      response_sequence: output?.sequence,
      system: isSystemKnown ? undefined : request?.get('system'),
      messages_added: added,
      feedback: added.filter((message) => isJsonObject(message) && message.get('role') === 'tool'),
      response: result ?? answered?.value.get('result_identity'),
      assistant: assistantOf(result) ?? null,
      reasoning: answered?.value.get('reasoning'),
      attempts: attempts.value,
      tokens: objectOf(result, 'value')?.get('tokens') ?? null,
      outcome: result?.get('status') ?? null,
      generated: generated.map(({ evaluationId, isExact }) =>
        members({
          evaluation_id: evaluationId,
          mission_name: evidence.run.evaluations.get(evaluationId)?.mission ?? undefined,
          association: 'source_match',
          'association_ambiguous?': !isExact,
        } satisfies Showing<ShownTurn['generated'][number]>),
      ),
    } satisfies Showing<ShownTurn>),
  );
}
