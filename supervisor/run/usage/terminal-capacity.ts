import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { limitTooSmallMessage, usageEntriesMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { USAGE_BOUNDS } from '../../../contract/envelope/usage.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { runStopped } from '../../evidence/event.ts';
import { COUNTED_EVENT_TYPES, EVENT_COUNT_MAX } from '../../evidence/recorder.ts';
import type { Budget } from '../../calls/ledger/budget.ts';
import type { RunnableApplication } from '../application.ts';
import type { RunCounts } from './run-counts.ts';
import { sealUsage, traceUsage } from './usage.ts';

const LONGEST_WORD = 'x'.repeat(128);
const LONGEST_REASON = 'x'.repeat(1020);
const DIGEST = `sha256:${'0'.repeat(64)}`;

/** Largest capability maps that one refusal class or denial class can make: three keys each (interface.md). */
const REFUSAL_KEY = `workflow/${DIGEST}/${DIGEST}`;

/**
 * Whether the terminal event of this application fits one event, however the run goes (runtime.md §9
 * `event_payload_bytes`). `capabilities` are usage keys, `workflow/<name>` or `mission/<name>`.
 */
export function checkCapacity(application: RunnableApplication, capabilities: readonly string[]): Diagnostic | null {
  const entries = Math.max(capabilities.length, application.missions.size);
  if (entries > USAGE_BOUNDS.counts) return capacityInvalid(usageEntriesMessage(entries, USAGE_BOUNDS.counts));
  const value = application.limits.event_payload_bytes;
  const minimum = knownPayloadBytes(application, capabilities);
  return minimum <= value
    ? null
    : capacityInvalid(limitTooSmallMessage({ limit: 'event_payload_bytes', value, minimum }));
}

function capacityInvalid(message: string): Diagnostic {
  return diagnostic('limit_capacity_invalid', { message });
}

/** What it depends on, with the bytes; for a program that runs the same applications again and again. */
const known = new Map<string, number>();
const KNOWN_MAX = 64;

function knownPayloadBytes(application: RunnableApplication, capabilities: readonly string[]): number {
  const { limits, missions, modelAliases } = application;
  const key = JSON.stringify([capabilities, [...missions.keys()], modelAliases, limits]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const bytes = terminalPayloadBytes(application, capabilities);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, bytes);
  return bytes;
}

/** Bytes of the largest `run-stopped` data that this application can come to. */
export function terminalPayloadBytes(application: RunnableApplication, capabilities: readonly string[]): number {
  const counts = worstCounts(application, capabilities);
  const dropped = worstMap(
    Array.from({ length: COUNTED_EVENT_TYPES + 1 }, (_, index) => `${LONGEST_WORD}${index}`),
    EVENT_COUNT_MAX,
  );
  const usage = sealUsage({ remainingMs: USAGE_BOUNDS.integer, counts, eventsDropped: dropped });
  const event = runStopped({
    outcome: 'error',
    reason: LONGEST_REASON,
    usage: traceUsage(usage, counts),
    result_hash: DIGEST,
    failure_kind_fingerprint: DIGEST,
    diagnostic: { phase: LONGEST_WORD, code: LONGEST_WORD },
  });
  return Buffer.byteLength(canonicalJson(event.data));
}

function worstCounts(application: RunnableApplication, capabilities: readonly string[]): RunCounts {
  const most = USAGE_BOUNDS.integer;
  const { limits } = application;
  const missions = [...application.missions.keys()];
  const classes = ['a', 'b', 'c'].slice(0, USAGE_BOUNDS.refusals);
  return {
    capabilityCalls: worstMap(capabilities, most),
    evaluationsByMission: Object.fromEntries(missions.map((name) => [name, limits.subordinate_evaluations])),
    protocolErrors: most,
    agentProtocolErrors: most,
    sourceChecks: most,
    isEvaluating: false,
    capabilityRefusals: worstMap(
      classes.map((suffix) => REFUSAL_KEY + suffix),
      most,
    ),
    capabilityDenials: worstMap(
      classes.map((suffix) => 'x'.repeat(63) + suffix),
      most,
    ),
    memories: [
      {
        defined_count: most,
        history_count: most,
        memory_bytes: limits.evaluation_memory_bytes,
        history_bytes: limits.evaluation_history_bytes,
      },
    ],
    lastEvaluationError: null,
    tokens: limits.llm_total_tokens === null ? null : worstBudget(most),
    cost: limits.llm_cost_microusd === null ? null : worstBudget(most),
    spend: { state: 'available', input: most, output: most, total_cost: { currency: 'USD', microunits: most } },
    models: worstModels(application),
  };
}

function worstBudget(most: number): Budget {
  return { limit: most, reserved: 0, charged: most, refused: most, state: 'incomplete' };
}

/** A row for each alias that may be called, and one for each model behind one. */
function worstModels({ modelAliases }: RunnableApplication): RunCounts['models'] {
  const most = USAGE_BOUNDS.integer;
  const row = {
    calls: most,
    missing_usage_calls: most,
    successful_calls: most,
    usage_calls: most,
    usage_overflow: false,
    usage: {
      cache_creation: most,
      cache_read: most,
      input: most,
      output: most,
      total_cost: { currency: 'USD', microunits: most },
    },
  } as const;
  return {
    llm_usage_state: 'available',
    llm_usage: modelAliases.map((alias) => ({ alias, installation_revision: LONGEST_WORD, ...row })),
    llm_usage_by_model: modelAliases.map(() => ({
      resolved_model: 'x'.repeat(USAGE_BOUNDS.resolvedModelLength),
      ...row,
    })),
    unattributed_model_calls: most,
  };
}

function worstMap(keys: readonly string[], value: number): Readonly<Record<string, number>> {
  return Object.fromEntries(keys.map((key) => [key, value]));
}
