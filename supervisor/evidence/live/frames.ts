import type { ShownFrame } from '../../../contract/viewer-answers.ts';
import { LIVE_LIMITS, type StartedProgram, type LiveHeap, type LiveLimits } from './observer.ts';
import { EMPTY_VIEW, withEvent, withProgram, type RunView } from './run-view.ts';
import type { TraceEvent } from '../event.ts';

/** Samples of its heap, newest first as well. */
const SAMPLES_MOST = 100;
/** What a run did last; newest first in a frame. */
const ACTIVITY_MOST = 40;
/** Agent loops, and programs of them, in a frame; the newest of each. */
const SHOWN_MOST = 8;
/** Questions in a frame: as many as may be open at once by default. */
const WAITING_MOST = 64;

interface Act {
  readonly t: number;
  readonly kind: 'capability' | 'evaluation';
  readonly name: string;
  readonly status: string;
  readonly duration_ms?: number;
}

interface HeapView {
  readonly last: LiveHeap;
  readonly peakWords: number;
  readonly samples: readonly { readonly t: number; readonly observed_words: number }[];
}

/** What is known of a run between two frames (evidence.md §10). */
export interface LiveState {
  readonly view: RunView;
  readonly activity: readonly Act[];
  /** Null before it was reported. */
  readonly heap: HeapView | null;
  readonly started: { readonly limits: LiveLimits; readonly deadline: number; readonly entry: string } | null;
  readonly end: { readonly phase: 'ok' | 'error'; readonly reason: string | null } | null;
}

export const NEW_RUN: LiveState = { view: EMPTY_VIEW, activity: [], heap: null, started: null, end: null };

/** The state after a program began, of a run of normal class. */
export function afterProgram(state: LiveState, program: StartedProgram): LiveState {
  return { ...state, view: withProgram(state.view, program) };
}

/** The state after an event, `t` milliseconds after the start. Names, closed words and numbers alone. */
export function afterEvent(state: LiveState, event: TraceEvent, t: number): LiveState {
  const { type, data } = event;
  const act = actOf(event, t);
  const reason = data.get('reason');
  return {
    ...state,
    view: withEvent(state.view, event, t),
    activity: act === null ? state.activity : [act, ...state.activity].slice(0, ACTIVITY_MOST),
    end:
      type === 'run-stopped'
        ? { phase: data.get('outcome') === 'ok' ? 'ok' : 'error', reason: typeof reason === 'string' ? reason : null }
        : state.end,
  };
}

/** The state after a look at the heap of its isolate, `t` milliseconds after the start. */
export function afterHeap(state: LiveState, heap: LiveHeap, t: number): LiveState {
  const { observedWords } = heap;
  const { peakWords = 0, samples = [] } = state.heap ?? {};
  return {
    ...state,
    heap: {
      last: heap,
      peakWords: Math.max(peakWords, observedWords),
      samples: [{ t: Math.round(t), observed_words: observedWords }, ...samples].slice(0, SAMPLES_MOST),
    },
  };
}

function actOf({ type, data }: TraceEvent, t: number): Act | null {
  const [, kind, step] = /^(capability|evaluation)-(started|stopped)$/.exec(type) ?? [];
  if (kind !== 'capability' && kind !== 'evaluation') return null;
  const name = data.get('name') ?? data.get('mission_name') ?? data.get('environment');
  const [status, took] = [data.get('status'), data.get('duration_ms')];
  return {
    t: Math.round(t),
    kind,
    name: typeof name === 'string' ? name.slice(0, 256) : '',
    status: step === 'started' || typeof status !== 'string' ? 'start' : status,
    ...(typeof took === 'number' ? { duration_ms: took } : {}),
  };
}

/** What a frame reports in addition to the state. */
export interface FrameFacts {
  readonly runId: string;
  readonly label: string;
  readonly seq: number;
  /** Milliseconds since the start. */
  readonly elapsed: number;
}

/** One frame, as JSON text. */
export function frameText(
  { view, activity, heap, started, end }: LiveState,
  { runId, label, seq, elapsed }: FrameFacts,
): string {
  return JSON.stringify({
    run_id: runId,
    label,
    entry: started?.entry ?? null,
    seq,
    phase: end?.phase ?? 'running',
    outcome_reason: end?.reason ?? null,
    outcome_limit: null,
    elapsed_ms: Math.round(elapsed),
    remaining_ms: started === null ? null : Math.max(0, Math.round(started.deadline - elapsed)),
    limits: started === null ? {} : Object.fromEntries(LIVE_LIMITS.map((name) => [name, started.limits[name]])),
    usage: {
      subordinate_evaluations: view.evaluations,
      capability_calls: view.calls,
      protocol_errors: view.protocolErrors,
      model_calls: view.modelCalls,
      tokens: view.tokens,
      'evaluation_busy?': view.openEvaluations > 0,
      llm_spend:
        view.cost === null ? null : { state: 'available', total_cost: { currency: 'USD', microunits: view.cost } },
    },
    heap:
      heap === null
        ? null
        : {
            observed_words: heap.last.observedWords,
            peak_words: heap.peakWords,
            baseline_words: heap.last.baselineWords,
            ceiling_words: heap.last.ceilingWords,
            samples: heap.samples,
          },
    parallel: started === null ? null : { held: view.workers, capacity: started.limits.live_provider_tasks },
    agents: [...view.agents]
      .slice(-SHOWN_MOST)
      .toReversed()
      .map(([id, { turn, maxTurns, kind }]) => ({ id, turn, max_turns: maxTurns, kind })),
    programs: view.programs
      .slice(-SHOWN_MOST)
      .toReversed()
      .map(({ line, outcome }) => ({ line, outcome })),
    waiting: [...view.waiting].slice(0, WAITING_MOST).map(([id, { name, since }]) => ({
      approval_id: id,
      name: name.slice(0, 256),
      since_ms: Math.max(0, Math.round(elapsed - since)),
    })),
    activity,
  } satisfies ShownFrame & Readonly<Record<string, unknown>>);
}
