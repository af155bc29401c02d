import type { JsonText } from '../../contract/json/canonical.ts';
import { SerializedJson } from '../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Attempt, CallAnswer, CallRequest, Exchange, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import type { FailureWords } from '../../contract/provider-protocol/provider-words.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import type { Capability, Dispatch, DispatchedCall } from '../calls/broker/capability.ts';
import { thrownFacts } from './source/thrown.ts';
import { isWithin, parsedText, readText } from './adapter-json.ts';
import type { SessionLoss } from './session-loss.ts';

/** What this process itself checks of a capability whose provider may live elsewhere. */
export type SupervisorChecks = Pick<Capability, 'checkArguments' | 'checkResult' | 'accepts'>;

/**
 * Levels of a result and of a message; with the records around them, what an inspection file holds (evidence.md §6).
 */
const RESULT_DEPTH = 50;
const MESSAGE_DEPTH = 51;
/** Of schemas that an adapter admitted. */
const SCHEMA_DEPTH = 64;

/** What serves the calls of a session, and whether it still can. */
export interface ServingSession extends Pick<ProviderSession, 'serve'> {
  /** Of its installation. */
  readonly alias?: string;
  readonly loss: SessionLoss;
}

/**
 * A capability of an opened session, as the pipeline of runtime.md §5 works with it. Everything crosses as text. When
 * the session is lost the calls that are pending end, and further ones are refused before anything is sent. Null where
 * one of its schemas is no JSON.
 */
export function sessionCapability(
  session: ServingSession,
  facts: CapabilityFacts<JsonText>,
  checks: SupervisorChecks,
): Capability | null {
  const schemas = parsedSchemas(facts);
  if (schemas === null) return null;
  const { inputSchema, outputSchema } = schemas;
  return {
    ...facts,
    inputSchema,
    outputSchema,
    ...checks,
    route: null,
    lost: session.loss.lost,
    ...(session.alias !== undefined && { provider: session.alias }),
    dispatch: (input, call) => dispatch(session, facts, input, call),
  };
}

type ParsedSchemas = Pick<CapabilityFacts<JsonValue>, 'inputSchema' | 'outputSchema'>;
/** A session that is lent has the same facts for each run. */
const PARSED = new WeakMap<CapabilityFacts<JsonText>, ParsedSchemas>();

function parsedSchemas(facts: CapabilityFacts<JsonText>): ParsedSchemas | null {
  const known = PARSED.get(facts);
  if (known !== undefined) return known;
  const inputSchema = parsedText(facts.inputSchema, SCHEMA_DEPTH);
  const outputSchema = facts.outputSchema === null ? null : parsedText(facts.outputSchema, SCHEMA_DEPTH);
  if (inputSchema === undefined || outputSchema === undefined) return null;
  const parsed = { inputSchema, outputSchema };
  PARSED.set(facts, parsed);
  return parsed;
}

/** Of a call that nobody is there for any more. */
const REFUSED: ProviderOutcome<SerializedJson> = {
  kind: 'error',
  reason: 'admission_unavailable',
  details: null,
  retryable: false,
  proof: 'not_dispatched',
  isProtocolFault: false,
  usage: null,
  replayMiss: null,
};
/** Of one that was pending: whether it was sent is known from its gate. */
const LOST: ProviderOutcome<SerializedJson> = { kind: 'fault', reason: 'provider_exit', exception: null };

function dispatch(
  { serve, loss }: ServingSession,
  { name, resultBytes }: CapabilityFacts<JsonText>,
  input: SerializedJson<JsonObject>,
  call: DispatchedCall,
): Dispatch {
  if (loss.lost() !== null)
    return { outcome: Promise.resolve(REFUSED), exchanges: () => [], kill: async () => undefined };
  const { capabilityId, signal, deadlineMs, model, keepsExchanges, openGate } = call;
  const begin = (text: JsonText): ServedCall => {
    const request: CallRequest = {
      capabilityId,
      name,
      arguments: text,
      deadlineMs,
      resultBytes,
      model,
      keepsExchanges,
    };
    return beginCall(() => serve(request, { openGate }));
  };
  const writing = input.text(EVENT_LOOP_PACE);
  let exchanges: readonly Exchange<JsonValue>[] = [];
  let attempts: readonly Attempt[] = [];
  let words: FailureWords | null = null;
  const served = typeof writing === 'string' ? begin(writing) : beginCallLater(writing.then(begin));
  const cancel = (): void => served.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const outcome = async (): Promise<ProviderOutcome<SerializedJson>> => {
    try {
      const answer = await served.answer;
      attempts = answer.attempts ?? [];
      words = answer.words ?? null;
      if (answer.exchanges.length > 0) exchanges = await parseExchanges(answer.exchanges);
      const reading = parsedOutcome(answer.outcome, resultBytes);
      return reading instanceof Promise ? await reading : reading;
    } catch (thrown) {
      return { kind: 'fault', reason: 'exception', exception: thrownFacts(thrown) };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
  // What could not be ended is reported when the session is closed.
  return {
    outcome: awaitUnlessLost(loss, outcome()),
    exchanges: () => exchanges,
    attempts: () => attempts,
    words: () => words,
    kill: () => served.kill().catch(() => undefined),
  };
}

/**
 * An adapter that knows of the loss may say more of the call than that it was lost: it has a turn of the event loop for
 * it.
 */
function awaitUnlessLost(
  loss: SessionLoss,
  outcome: Promise<ProviderOutcome<SerializedJson>>,
): Promise<ProviderOutcome<SerializedJson>> {
  return new Promise((resolve) => {
    const hush = loss.onLost(() => setImmediate(resolve, LOST));
    void (async () => {
      resolve(await outcome);
      hush();
    })();
  });
}

/** An adapter that throws instead of answering has a bug; the run goes on. */
function beginCall(serve: () => ServedCall): ServedCall {
  try {
    return serve();
  } catch (thrown) {
    const answer: Promise<CallAnswer> = Promise.reject(thrown);
    return { answer, cancel: () => undefined, kill: async () => undefined };
  }
}

/** A call whose arguments are still being written; nothing was sent of one that is cancelled before. */
function beginCallLater(beginning: Promise<ServedCall>): ServedCall {
  let isCancelled = false;
  let served: ServedCall | null = null;
  const begins = beginning.then((call) => {
    served = call;
    if (isCancelled) call.cancel();
    return call;
  });
  return {
    answer: begins.then(({ answer }) => answer),
    cancel: () => {
      isCancelled = true;
      served?.cancel();
    },
    kill: async () => (await begins).kill(),
  };
}

type Parsed<T> = T | Promise<T>;

function parsedOutcome(outcome: CallAnswer['outcome'], resultBytes: number): Parsed<ProviderOutcome<SerializedJson>> {
  if (outcome.kind !== 'value') return outcome;
  const { value: text } = outcome;
  if (typeof text !== 'string')
    return isWithin(text.value, RESULT_DEPTH) ? { ...outcome, value: text } : { kind: 'invalid_return' };
  // Canonical text has a byte for each of its characters at least.
  if (text.length > resultBytes) return { kind: 'too_large' };
  const parsed = (value: JsonValue | undefined): ProviderOutcome<SerializedJson> =>
    value === undefined ? { kind: 'invalid_return' } : { ...outcome, value: SerializedJson.read(value, text) };
  const reading = readText(text, RESULT_DEPTH);
  return reading instanceof Promise ? reading.then(parsed) : parsed(reading);
}

async function parseExchanges(exchanges: readonly Exchange<JsonText>[]): Promise<readonly Exchange<JsonValue>[]> {
  const parsed: Exchange<JsonValue>[] = [];
  for (const exchange of exchanges) parsed.push(await parseExchange(exchange));
  return parsed;
}

/** What is no JSON is kept as the text that it is. */
async function parseExchange({ request, response, ...facts }: Exchange<JsonText>): Promise<Exchange<JsonValue>> {
  const body = async (text: JsonText): Promise<JsonValue> => {
    const value = await readText(text, MESSAGE_DEPTH);
    return value === undefined ? text.toWellFormed() : value;
  };
  return { ...facts, request: await body(request), response: response === null ? null : await body(response) };
}
