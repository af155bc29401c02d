import { ASKS_PERSON, needsApproval } from '../../../contract/approval.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { BrokerRouteName } from '../../../contract/routes.ts';
import { remainingMs } from '../../../system/clock.ts';
import { capabilityStarted, capabilityStopped, workflowAnnotation } from '../../evidence/event.ts';
import { capabilityInput, capabilityOutput } from '../../evidence/inspection/records.ts';
import { rejectionFacts } from '../../evidence/rejection.ts';
import { annotationData } from './annotation.ts';
import { normaliseArguments } from './arguments.ts';
import {
  RUN_CLOSED,
  countedProtocolError,
  emit,
  recordInspection,
  missionOf,
  ownerOf,
  rejected,
  type CallRun,
  type EvaluationCaller,
} from './call-run.ts';
import type { Capability } from './capability.ts';
import { doneAnswer, errorAnswer, okAnswer, refusedArguments, type CallAnswer } from './envelope.ts';
import { searchCapabilities, WORDS_LENGTH_MAX } from './search-capabilities.ts';
import { pause, pauseMs } from './wait.ts';
import type { Route, RouteAnswer } from './route.ts';

/** What the broker's own routes answer (runtime.md §6). */
export interface RouteSources {
  /** The run's usage so far, as JSON data. */
  readonly usage: () => Readonly<Record<string, unknown>>;
  /** What the caller's environment may call. */
  readonly capabilities: ReadonlyMap<string, Capability>;
}

type OwnRoute = (run: CallRun, sources: RouteSources, input: JsonObject) => CallAnswer | null;

export const ANNOTATE = 'workflow-annotate' satisfies BrokerRouteName;
export const WAIT = 'runtime-wait' satisfies BrokerRouteName;
type OwnRouteName = Exclude<BrokerRouteName, typeof ANNOTATE | typeof WAIT>;

/** Null: the arguments are not those of the route. */
const OWN_ROUTES: Readonly<Record<OwnRouteName, { readonly answer: OwnRoute; readonly invalid: string }>> = {
  'runtime-usage': {
    invalid: 'invalid_runtime_usage_request',
    answer: (_, { usage }, input) => (input.size > 0 ? null : bare(usage())),
  },
  'runtime-remaining': {
    invalid: 'invalid_runtime_remaining_request',
    answer: (run, _, input) =>
      input.size > 0 ? null : bare(remainingMs({ at: run.runDeadlineAt }, run.clock.monotonic())),
  },
  'cap-list': {
    invalid: 'invalid_capability_list_request',
    answer: (_, { capabilities }, input) =>
      input.size > 0 ? null : { kind: 'value', value: SerializedJson.of(visible(capabilities).map(metadata)) },
  },
  'cap-describe': { invalid: 'invalid_capability_description_request', answer: describe },
  'cap-search': { invalid: 'invalid_capability_search_request', answer: search },
};

/** What every environment may call without any grant (runtime.md §4). */
export const SHARED_ROUTES = Object.keys(OWN_ROUTES).filter(isOwnRoute);

export function isOwnRoute(name: string): name is OwnRouteName {
  return Object.hasOwn(OWN_ROUTES, name);
}

/** A route that the broker answers itself. */
export async function callOwnRoute(
  run: CallRun,
  caller: EvaluationCaller,
  name: OwnRouteName,
  sources: RouteSources,
  text: string,
): Promise<CallAnswer> {
  const route = OWN_ROUTES[name];
  return writeRecord(run, caller, name, text, {
    refused: (error) => rejected(run, caller, error),
    answerOf: async (input) =>
      route.answer(run, sources, input) ?? rejected(run, caller, errorAnswer('protocol_error', route.invalid)),
  });
}

/** A pause of the workflow, on the clocks of its run; whatever ends the workflow ends it (world.md §1.4). */
export async function callWait(run: CallRun, caller: EvaluationCaller, text: string): Promise<CallAnswer> {
  return writeRecord(run, caller, WAIT, text, {
    refused: (error) => rejected(run, caller, error),
    answerOf: async (input) => {
      const milliseconds = pauseMs(input);
      if (milliseconds === null)
        return rejected(run, caller, errorAnswer('protocol_error', 'invalid_runtime_wait_request'));
      const rest = run.clock.work();
      await pause(milliseconds, caller.signal);
      rest();
      return caller.signal.aborted ? RUN_CLOSED : bare(milliseconds);
    },
  });
}

/** A route of the kernel; its refusals are not counted among those of capabilities (runtime.md §5). */
export async function callKernelRoute(
  run: CallRun,
  caller: EvaluationCaller,
  name: string,
  route: Route,
  text: string,
): Promise<CallAnswer> {
  return writeRecord(run, caller, name, text, {
    refused: (error) => countedProtocolError(run, error),
    async answerOf(input, capabilityId) {
      const answer = await route({
        json: input,
        caller: caller.evaluation,
        signal: caller.signal,
        capabilityId,
      });
      return kernelAnswer(run, answer);
    },
  });
}

function kernelAnswer(run: CallRun, answer: RouteAnswer): CallAnswer {
  switch (answer.kind) {
    case 'value':
      return okAnswer(SerializedJson.of(answer.value));
    case 'reply':
      return ofReply(answer.reply);
    case 'authenticated':
      run.stop({ kind: 'authenticated', failure: answer.failure });
      return RUN_CLOSED;
    case 'protocol_error': {
      const details = answer.details === undefined ? null : json(answer.details);
      const error = errorAnswer('protocol_error', answer.reason, { details });
      return answer.counted ? countedProtocolError(run, error) : error;
    }
  }
}

function ofReply(reply: Extract<RouteAnswer, { kind: 'reply' }>['reply']): CallAnswer {
  switch (reply.reply) {
    case 'value':
      return { kind: 'value', value: SerializedJson.of(json(reply.value)) };
    case 'envelope': {
      const envelope = json(reply.envelope);
      if (!isJsonObject(envelope)) throw new TypeError('an envelope is a JSON object');
      return { kind: 'ok', envelope: SerializedJson.of(envelope) };
    }
    case 'error':
      return { kind: 'raise', message: reply.message };
    case 'closed':
      return { kind: 'closed', reason: reply.reason };
  }
}

/** The workflow's own note in the trace: closed, exact data or `invalid_annotation`, and never a failure of the run. */
export async function annotate(run: CallRun, caller: EvaluationCaller, text: string): Promise<CallAnswer> {
  const reading = normaliseArguments(text, run.limits.capability_argument_bytes, null);
  const parsed = reading instanceof Promise ? await reading : reading;
  if (!parsed.ok) return rejected(run, caller, refusedArguments(parsed));
  const input = parsed.input.value;
  const type = input.get('type');
  if (input.size !== 2 || typeof type !== 'string' || !input.has('data')) {
    return rejected(run, caller, errorAnswer('protocol_error', 'invalid_workflow_annotation'));
  }
  const data = annotationData(type, input.get('data'));
  if (data === null) return rejected(run, caller, errorAnswer('invalid_annotation', 'invalid_workflow_annotation'));
  return emit(run, workflowAnnotation(type, data)) ? doneAnswer() : RUN_CLOSED;
}

interface RouteWork {
  /** What comes of arguments that are none, or too many. */
  readonly refused: (error: CallAnswer) => CallAnswer;
  readonly answerOf: (input: JsonObject, capabilityId: string) => Promise<CallAnswer>;
}

/** Brackets a route with its events and private records (evidence.md §3). */
async function writeRecord(
  run: CallRun,
  caller: EvaluationCaller,
  name: string,
  text: string,
  { refused, answerOf }: RouteWork,
): Promise<CallAnswer> {
  const reading = normaliseArguments(text, run.limits.capability_argument_bytes, null);
  const parsed = reading instanceof Promise ? await reading : reading;
  if (!parsed.ok) return refused(refusedArguments(parsed));
  const capabilityId = run.newCapabilityId();
  const identity = { capabilityId, mission: missionOf(caller), name };
  const started = { ...ownerOf(caller), capability_id: capabilityId, name };
  const startedAt = run.clock.monotonic();
  if (!emit(run, capabilityStarted(started))) return RUN_CLOSED;
  if (!(await recordInspection(run, () => capabilityInput(identity, parsed.input, null)))) return RUN_CLOSED;
  const answer = caller.signal.aborted ? RUN_CLOSED : await answerOf(parsed.input.value, capabilityId);
  const isStored = await recordInspection(run, () => capabilityOutput(identity, shown(answer)));
  const stopped = {
    ...started,
    ...statusOf(answer),
    duration_ms: Math.max(0, Math.round(run.clock.monotonic() - startedAt)),
  };
  const isOnRecord = emit(run, capabilityStopped(stopped));
  return isStored && isOnRecord && !run.signal.aborted ? answer : RUN_CLOSED;
}

function shown(answer: CallAnswer): SerializedJson {
  switch (answer.kind) {
    case 'value':
      return answer.value;
    case 'ok':
    case 'error':
      return answer.envelope;
    case 'raise':
    case 'closed':
      return SerializedJson.of(null);
  }
}

function statusOf(answer: CallAnswer) {
  if (answer.kind === 'error')
    return { status: 'error', ...rejectionFacts(answer.error.kind, answer.error.reason) } as const;
  return { status: answer.kind === 'raise' || answer.kind === 'closed' ? 'error' : 'ok' } as const;
}

function describe(_: CallRun, { capabilities }: RouteSources, input: JsonObject): CallAnswer | null {
  const name = input.get('name');
  if (input.size !== 1 || typeof name !== 'string') return null;
  const capability = capabilities.get(name);
  return { kind: 'value', value: SerializedJson.of(capability?.isModelVisible === true ? metadata(capability) : null) };
}

function search(_: CallRun, { capabilities }: RouteSources, input: JsonObject): CallAnswer | null {
  const words = input.get('words');
  if (input.size !== 1 || typeof words !== 'string' || Array.from(words).length > WORDS_LENGTH_MAX) return null;
  return { kind: 'value', value: SerializedJson.of(searchCapabilities(visible(capabilities), words)) };
}

function visible(capabilities: ReadonlyMap<string, Capability>): readonly Capability[] {
  return [...capabilities.values()].filter(({ isModelVisible }) => isModelVisible);
}

function metadata({ name, description, effect, approval = 'never', inputSchema, outputSchema }: Capability): JsonValue {
  return new Map<string, JsonValue>([
    ['name', name],
    ['description', description],
    ['effect', effect],
    ['input_schema', inputSchema],
    ['output_schema', outputSchema],
    ...(needsApproval(approval, effect) ? ([['approval', ASKS_PERSON]] as const) : []),
  ]);
}

function bare(plain: unknown): CallAnswer {
  return { kind: 'value', value: SerializedJson.of(json(plain)) };
}

/** Data of our own making. */
function json(plain: unknown): JsonValue {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('a route answers with JSON');
  return value;
}
