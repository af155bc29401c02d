import { createHash } from 'node:crypto';
import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { SerializedJson } from '../../contract/json/serialized.ts';
import { integerOf, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Cost, TokenUsage } from '../../contract/envelope/usage.ts';
import type { CallAnswer } from '../../contract/provider-protocol/call.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import {
  closesNothing,
  type ProviderAdapter,
  type ProviderSession,
  type SnapshotFacts,
} from '../../contract/provider-protocol/session.ts';
import { decisionCapability, decisionTerms, type DecisionBounds } from '../decisions/decision-capability.ts';
import { modelCapability } from '../llm/model-capability.ts';
import type { ReplayEntry, ReplayFixtures, ReplayOutcome } from './fixture.ts';

/** A selected replay installation whose file was read and checked (providers.md §6). */
export interface ReplayedModel {
  readonly fixtures: ReplayFixtures;
  readonly maxCalls: number;
  readonly maxResultBytes: number;
  /** Of recorded decisions; null of what a language model answered. */
  readonly decision: ReplayedDecision | null;
}

/** What an installation of recorded decisions promises of them (providers.md §11). */
export interface ReplayedDecision {
  readonly bounds: DecisionBounds;
  readonly guarantees: { readonly tokens: boolean; readonly cost: boolean };
}

/**
 * What the table's row opens. Its fixtures were read and checked by the supervisor, which alone reads files of the
 * operator.
 */
export const REPLAY: ProviderAdapter<ReplayedModel> = {
  checkLocally: null,
  probe: null,
  acquire: async ({ declaration }) => ({ ok: true, session: replaySession(declaration) }),
};

/** Fixtures of this form (providers.md §2). */
const FORMAT_VERSION = 2;
/** Nothing is waited for; this only satisfies the pipeline's own bound. */
const TIMEOUT_MS = 120_000;
const REQUEST_BYTES = 1_048_576;

/**
 * Answers the requests of one run from fixtures. A sequence is taken atomically, with one cursor for the run; without
 * network, credential and budget.
 */
export function replaySession(model: ReplayedModel): ProviderSession {
  const { fixtures, maxCalls, maxResultBytes, decision } = model;
  const cursors = new Map<string, number>();
  const bounds = { requestBytes: REQUEST_BYTES, responseBytes: maxResultBytes, timeoutMs: TIMEOUT_MS };
  return {
    capabilities: [decision === null ? modelCapability(bounds) : decisionCapability(bounds)],
    model: {
      resolvedModel: null,
      maxCalls,
      isLive: false,
      terms: decision === null ? null : decisionTerms(decision.bounds),
    },
    snapshot: snapshotOf(fixtures, maxResultBytes, decision === null ? 'llm_replay' : 'decision_replay'),
    hasActivity: false,
    lost: new Promise(() => undefined),
    ended: null,
    serve: (request, side) => {
      const answer = async (): Promise<CallAnswer> => {
        const isOpen = await side.openGate();
        const requestHash = request.model?.requestHash ?? null;
        const outcome = isOpen ? replayed(fixtures, cursors, { requestHash, decision }) : refused('unavailable', null);
        return { outcome, exchanges: [] };
      };
      return { answer: answer(), cancel: () => undefined, kill: async () => undefined };
    },
    // A cursor of its own for each run.
    share: () => replaySession(model),
    close: closesNothing,
  };
}

interface Replaying {
  readonly requestHash: string | null;
  readonly decision: ReplayedDecision | null;
}

function replayed(
  { entries }: ReplayFixtures,
  cursors: Map<string, number>,
  { requestHash, decision }: Replaying,
): ProviderOutcome<SerializedJson> {
  // A request that has no canonical form has no digest.
  if (requestHash === null) return refused('invalid_request', null);
  const entry = entries.get(requestHash);
  if (entry === undefined)
    return {
      ...refused('not_found', `no replay fixture matches this request (request_hash: ${requestHash})`),
      replayMiss: { requestHash },
    };
  const outcome = nextOf(entry, cursors);
  if (outcome === undefined)
    return {
      ...refused('not_found', 'every recorded answer to this request was given'),
      replayMiss: { requestHash: null },
    };
  return outcome.kind === 'response'
    ? decision === null
      ? answered(outcome.response)
      : decided(outcome.response, decision)
    : { ...refused(outcome.reason, outcome.details), retryable: outcome.retryable };
}

function nextOf(
  { requestHash, outcomes, repeats }: ReplayEntry,
  cursors: Map<string, number>,
): ReplayOutcome | undefined {
  if (repeats) return outcomes[0];
  const at = cursors.get(requestHash) ?? 0;
  cursors.set(requestHash, at + 1);
  return outcomes[at];
}

function refused(
  reason: Extract<ReplayOutcome, { kind: 'error' }>['reason'],
  details: string | null,
): Extract<ProviderOutcome<SerializedJson>, { kind: 'error' }> {
  return {
    kind: 'error',
    reason,
    details,
    retryable: false,
    proof: 'complete_answer',
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
  };
}

function answered(response: SerializedJson<JsonObject>): ProviderOutcome<SerializedJson> {
  const input = response.value;
  const reason = FINISHES.find((finish) => finish === input.get('finish_reason')) ?? null;
  return {
    kind: 'value',
    value: response,
    usage: usageOf(input.get('tokens')),
    finish: reason === null ? null : { reason, outputLimit: null },
  };
}

/** A recorded decision, whose usage has what its installation promises (providers.md §5.5). */
function decided(
  response: SerializedJson<JsonObject>,
  { guarantees }: ReplayedDecision,
): ProviderOutcome<SerializedJson> {
  const usage = usageOf(response.value.get('usage'));
  const hasTokens = usage?.input !== undefined && usage.output !== undefined;
  const isShort = (guarantees.tokens && !hasTokens) || (guarantees.cost && usage?.total_cost === undefined);
  return isShort
    ? { ...refused('usage_unavailable', null), usage }
    : { kind: 'value', value: response, usage, finish: null };
}

const FINISHES = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const;
const COUNTS = ['input', 'output', 'cache_creation', 'cache_read'] as const;

/** What was recorded of the tokens; null where nothing was, or where it is no usage. */
function usageOf(tokens: JsonValue | undefined): TokenUsage | null {
  if (!isJsonObject(tokens)) return null;
  const counts: Partial<Record<(typeof COUNTS)[number], number>> = {};
  for (const name of COUNTS) {
    const count = countOf(tokens.get(name));
    if (count !== null) counts[name] = count;
  }
  const cost = costOf(tokens.get('total_cost'));
  return { ...counts, ...(cost !== null && { total_cost: cost }) };
}

function costOf(cost: JsonValue | undefined): Cost | null {
  const microunits = isJsonObject(cost) && cost.get('currency') === 'USD' ? countOf(cost.get('microunits')) : null;
  return microunits === null ? null : { currency: 'USD', microunits };
}

function countOf(value: JsonValue | undefined): number | null {
  const count = integerOf(value);
  return typeof count === 'number' && count >= 0 ? count : null;
}

function snapshotOf(
  fixtures: ReplayFixtures,
  maxResultBytes: number,
  source: 'llm_replay' | 'decision_replay',
): SnapshotFacts<JsonText> {
  const entries = [...fixtures.entries.values()];
  const contentHash = fixtureSetHash(entries);
  return {
    acquisition: textOf({
      source,
      format_version: FORMAT_VERSION,
      fixture_set_hash: contentHash,
      entry_count: entries.length,
      response_count: entries.reduce((count, { outcomes }) => count + outcomes.length, 0),
      max_result_bytes: maxResultBytes,
    }),
    unidentified: [],
    contentHash,
  };
}

/** The same for two files that answer alike, whatever the order of their lines. */
function fixtureSetHash(entries: readonly ReplayEntry[]): string {
  const facts = entries
    .toSorted((left, right) => (left.requestHash < right.requestHash ? -1 : 1))
    .map(
      ({ requestHash, outcomes, repeats }) =>
        new Map<string, JsonValue>([
          ['request_hash', requestHash],
          ['repeats', repeats],
          ['outcomes', outcomes.map(factsOf)],
        ]),
    );
  return `sha256:${createHash('sha256').update(canonicalJson(facts)).digest('hex')}`;
}

function factsOf(outcome: ReplayOutcome): JsonValue {
  if (outcome.kind === 'response') return new Map([['response', outcome.response.value]]);
  return new Map<string, JsonValue>([
    ['kind', outcome.reason],
    ['details', outcome.details],
    ['retryable', outcome.retryable],
  ]);
}

function textOf(plain: unknown): JsonText {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('this is JSON');
  return canonicalJson(value);
}
