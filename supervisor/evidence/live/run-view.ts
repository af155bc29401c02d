import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { MODEL_CAPABILITY } from '../../../contract/provider-protocol/model.ts';
import { routeNamed } from '../../../contract/routes.ts';
import type { TraceEvent } from '../event.ts';
import type { StartedProgram } from './observer.ts';

/**
 * What a person can see of a run while it goes on: counters, closed words and ids, never a payload but the first lines
 * of programs (evidence.md §10, world.md §3.10).
 */
export interface RunView {
  /** The last stage that the workflow named; null before it named one. */
  readonly stage: string | null;
  /**
   * Agent loops by id (`agent-` and 16 hex digits; empty where the loop gave none), the one that acted last at the end.
   */
  readonly agents: ReadonlyMap<string, AgentView>;
  readonly modelCalls: number;
  /** Further attempts of them (world.md §1.4). */
  readonly modelRetries: number;
  /** Calls of all capabilities. */
  readonly calls: number;
  /** Answers of models that an agent loop could not take. */
  readonly protocolErrors: number;
  /** Evaluations in missions. */
  readonly evaluations: number;
  /** Those of them that go on. */
  readonly openEvaluations: number;
  /** Calls of providers that are in flight. */
  readonly workers: number;
  /** Millionths of a dollar; null before anything was spent, and once the sum is not whole. */
  readonly cost: number | null;
  /** A call came back without its price: the sum can never be whole again. */
  readonly isCostLost: boolean;
  /** Tokens that models were given and gave; null before any, and once the sum is not whole. */
  readonly tokens: number | null;
  /** A call came back without its tokens. */
  readonly areTokensLost: boolean;
  /** Programs that agents ran last, the newest at the end; none of a private run. */
  readonly programs: readonly ProgramView[];
  /** Questions that wait for a person, by id, in the order in which they were asked. */
  readonly waiting: ReadonlyMap<string, WaitingView>;
}

export interface WaitingView {
  /** Of the tool. */
  readonly name: string;
  /** Milliseconds after the start of the run. */
  readonly since: number;
}

export interface ProgramView {
  readonly evaluationId: string;
  readonly line: string;
  /** The status of its evaluation (evidence.md §3); null while it runs. */
  readonly outcome: string | null;
}

/** The turn that an agent is at. */
export interface AgentView {
  /** From 1. */
  readonly turn: number;
  readonly maxTurns: number | null;
  /** What the model answered with: one of the words of agent-library.md §11. */
  readonly kind: string;
}

export const EMPTY_VIEW: RunView = {
  stage: null,
  agents: new Map(),
  modelCalls: 0,
  modelRetries: 0,
  calls: 0,
  protocolErrors: 0,
  evaluations: 0,
  openEvaluations: 0,
  workers: 0,
  cost: null,
  isCostLost: false,
  tokens: null,
  areTokensLost: false,
  programs: [],
  waiting: new Map(),
};

/** Programs that a view keeps. */
const PROGRAMS_MAX = 32;

/** Loops that a view keeps; of more, those that acted last. */
const AGENTS_MAX = 64;
const WORD = /^[a-z][a-z-]{0,63}$/;

/** The view after a program began. */
export function withProgram(view: RunView, { evaluationId, line }: StartedProgram): RunView {
  return { ...view, programs: [...view.programs, { evaluationId, line, outcome: null }].slice(-PROGRAMS_MAX) };
}

function withOutcome(view: RunView, id: JsonValue | undefined, status: JsonValue | undefined): RunView {
  if (typeof status !== 'string' || !view.programs.some(({ evaluationId }) => evaluationId === id)) return view;
  const programs = view.programs.map((program) =>
    program.evaluationId === id ? { ...program, outcome: status } : program,
  );
  return { ...view, programs };
}

/**
 * The view after an event, so many milliseconds after the start. Events are this program's own; a member of another
 * form is left out.
 */
export function withEvent(view: RunView, { type, data }: TraceEvent, at = 0): RunView {
  const name = data.get('name');
  switch (type) {
    case 'evaluation-started':
      return data.get('environment') === 'mission'
        ? { ...view, evaluations: view.evaluations + 1, openEvaluations: view.openEvaluations + 1 }
        : view;
    case 'evaluation-stopped':
      return data.get('environment') === 'mission'
        ? withOutcome(
            { ...view, openEvaluations: Math.max(0, view.openEvaluations - 1) },
            data.get('evaluation_id'),
            data.get('status'),
          )
        : view;
    case 'capability-started':
      return withCall({ ...view, calls: view.calls + 1 }, name, 1);
    case 'capability-stopped':
      return withAttempts(withTokens(withCost(withCall(view, name, -1), data), data), data);
    case 'approval-requested':
      return withQuestion(view, data, at);
    case 'approval-decided':
      return withoutQuestion(view, data.get('approval_id'));
    case 'run-stopped':
      return { ...view, waiting: new Map() };
    case 'workflow-annotation':
      return withAnnotation(view, data.get('annotation_type'), data.get('data'));
    default:
      return view;
  }
}

function withQuestion(view: RunView, data: JsonObject, since: number): RunView {
  const [id, name] = [data.get('approval_id'), data.get('name')];
  if (typeof id !== 'string' || typeof name !== 'string') return view;
  return { ...view, waiting: new Map(view.waiting).set(id, { name, since }) };
}

function withoutQuestion(view: RunView, id: JsonValue | undefined): RunView {
  if (typeof id !== 'string' || !view.waiting.has(id)) return view;
  const waiting = new Map(view.waiting);
  waiting.delete(id);
  return { ...view, waiting };
}

function withCall(view: RunView, name: JsonValue | undefined, change: 1 | -1): RunView {
  // Routes occupy no worker (runtime.md §5).
  if (typeof name !== 'string' || routeNamed(name) !== undefined) return view;
  const modelCalls = view.modelCalls + (name === MODEL_CAPABILITY && change === 1 ? 1 : 0);
  return { ...view, modelCalls, workers: Math.max(0, view.workers + change) };
}

function withCost(view: RunView, data: JsonObject): RunView {
  if (data.get('name') !== MODEL_CAPABILITY || view.isCostLost) return view;
  const units = priceOf(data.get('usage'));
  return units === null ? { ...view, cost: null, isCostLost: true } : { ...view, cost: (view.cost ?? 0) + units };
}

function withTokens(view: RunView, data: JsonObject): RunView {
  if (data.get('name') !== MODEL_CAPABILITY || view.areTokensLost) return view;
  const tokens = tokensOf(data.get('usage'));
  return tokens === null
    ? { ...view, tokens: null, areTokensLost: true }
    : { ...view, tokens: (view.tokens ?? 0) + tokens };
}

/** A call that was tried again says how often. */
function withAttempts(view: RunView, data: JsonObject): RunView {
  const attempts = data.get('attempts');
  return isJsonInteger(attempts) ? { ...view, modelRetries: view.modelRetries + Number(attempts) - 1 } : view;
}

function tokensOf(usage: JsonValue | undefined): number | null {
  if (!isJsonObject(usage)) return null;
  const [input, output] = [usage.get('input'), usage.get('output')];
  return isJsonInteger(input) && isJsonInteger(output) ? Number(input) + Number(output) : null;
}

function priceOf(usage: JsonValue | undefined): number | null {
  const price = isJsonObject(usage) ? usage.get('total_cost') : undefined;
  const units = isJsonObject(price) && price.get('currency') === 'USD' ? price.get('microunits') : undefined;
  return isJsonInteger(units) ? Number(units) : null;
}

function withAnnotation(view: RunView, type: JsonValue | undefined, data: JsonValue | undefined): RunView {
  if (!isJsonObject(data)) return view;
  if (type === 'progress') {
    const stage = data.get('stage');
    return isWord(stage) ? { ...view, stage } : view;
  }
  if (type !== 'agent-action') return view;
  const [turn, kind, invocation = ''] = [data.get('turn'), data.get('kind'), data.get('invocation')];
  if (!isJsonInteger(turn) || !isWord(kind) || typeof invocation !== 'string') return view;
  const limit = data.get('max_turns');
  const agents = new Map(view.agents);
  agents.delete(invocation);
  agents.set(invocation, { turn: Number(turn) + 1, maxTurns: isJsonInteger(limit) ? Number(limit) : null, kind });
  const [oldest] = agents.keys();
  if (agents.size > AGENTS_MAX && oldest !== undefined) agents.delete(oldest);
  return { ...view, agents, protocolErrors: view.protocolErrors + (kind === 'protocol-error' ? 1 : 0) };
}

function isWord(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && WORD.test(value);
}
