import { integerOf, isJsonArray, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { describeInRoom, SEARCHED, searchRoom, type RoomContents, type Searched } from '../index/room-index.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import type { ProgramEnd } from '../session/program-end.ts';
import type { ProgramSession } from '../session/session.ts';
import { unwrapFence } from '../session/unwrap-fence.ts';
import { inputRequired, nextRound } from '../asking/input-required.ts';
import type { Round } from '../asking/round-state.ts';
import { errorResult, failureText, objectResult, valueAnswer } from './answer-text.ts';
import { askerOf, type AskingServices } from './asking.ts';
import { waitingAnswer } from './waiting-answer.ts';
import { DESCRIBED_NAMES, QUERY_LENGTH, SEARCH_LIMIT, VALUE_CHARS } from './definitions.ts';
import type { PendingAnswer, PendingRuns } from './pending-runs.ts';

/** What the three tools answer from. */
export interface ToolServices {
  readonly session: Pick<ProgramSession, 'evaluate' | 'reset'>;
  readonly runs: PendingRuns<PendingRunEnd>;
  /** Waits for servers that are starting, a short time. */
  readonly contents: () => Promise<RoomContents>;
  readonly valueChars: number;
  /** `evaluation_timeout_ms`. */
  readonly longestMs: number;
  /** What later calls name the session by; absent: there is one, which needs no name. */
  readonly sessionName?: string;
  /** Null: nobody is to be asked. */
  readonly asking: AskingServices | null;
  /** Seals the round of a run that waits for its caller: its ID in `runs`, its questions. */
  readonly seal: (round: Round) => string;
  /** The command that allows a question; null: no other command can. */
  readonly approveCommand: ((approvalId: string) => string) | null;
}

/** What `run` came to, and the program that places in it are of. */
export interface PendingRunEnd {
  readonly end: ProgramEnd | null;
  readonly program: string;
}

export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  /** Raised when nobody waits for the answer. */
  readonly disconnected: AbortSignal;
  readonly onCall: (calls: number) => void;
  /** Whether the answer may ask: `input_required`. */
  readonly canAnswerAsk: boolean;
  /** The run that a state of the caller names, with answers to questions of it; absent: the call begins one. */
  readonly joins?: { readonly round: Round; readonly answers: JsonObject };
}

/** The result of a call; null: there is no such tool. */
export async function callCodeTool(call: ToolCall, services: ToolServices): Promise<JsonObject | null> {
  switch (call.name) {
    case 'search':
      return search(call.input, services);
    case 'describe':
      return describe(call.input, services);
    case 'run':
      return run(call, services);
    default:
      return null;
  }
}

async function search(input: JsonObject, { contents }: ToolServices): Promise<JsonObject> {
  const [query, kind = 'all', limit = SEARCH_LIMIT.default] = [input.get('query'), input.get('in'), input.get('limit')];
  const { minimum, maximum } = SEARCH_LIMIT;
  if (typeof query !== 'string' || Array.from(query).length > QUERY_LENGTH)
    return errorResult(`query is a text of at most ${QUERY_LENGTH} characters`);
  if (!isSearched(kind)) return errorResult(`in is one of ${SEARCHED.join(', ')}`);
  const most = integerWithin(limit, minimum, maximum);
  if (most === null) return errorResult(rangeText('limit', minimum, maximum));
  return objectResult(searchRoom(await contents(), { query, in: kind, limit: most }));
}

function isSearched(value: JsonValue): value is Searched {
  return SEARCHED.some((kind) => kind === value);
}

async function describe(input: JsonObject, { contents }: ToolServices): Promise<JsonObject> {
  const names = input.get('names');
  const texts = isJsonArray(names) ? names.filter((name) => typeof name === 'string') : [];
  if (!isJsonArray(names) || texts.length < names.length || texts.length === 0 || texts.length > DESCRIBED_NAMES)
    return errorResult(`names is a list of 1 to ${DESCRIBED_NAMES} texts`);
  return objectResult(describeInRoom(await contents(), texts));
}

async function run(call: ToolCall, services: ToolServices): Promise<JsonObject> {
  const { input, disconnected, onCall, canAnswerAsk, joins } = call;
  const { runs, session, longestMs } = services;
  if (joins !== undefined) return answerOf(await runs.continue(joins.round.run, disconnected), call, services);
  const [program, requested, reset = false] = [input.get('program'), input.get('continue'), input.get('reset')];
  const chars = integerWithin(
    input.get('value_chars') ?? services.valueChars,
    VALUE_CHARS.minimum,
    VALUE_CHARS.maximum,
  );
  if (chars === null) return errorResult(rangeText('value_chars', VALUE_CHARS.minimum, VALUE_CHARS.maximum));
  const timeoutMs = integerWithin(input.get('timeout_ms') ?? longestMs, 1, longestMs);
  if (timeoutMs === null) return errorResult(rangeText('timeout_ms', 1, longestMs));
  if (typeof reset !== 'boolean') return errorResult('reset is true or false');
  if (program !== undefined && typeof program !== 'string') return errorResult('program is a text');
  if (requested !== undefined) {
    if (typeof requested !== 'string' || program !== undefined)
      return errorResult('continue is the ID of a run that goes on, and stands alone');
    return answerOf(await runs.continue(requested, disconnected), call, services);
  }
  if (program === undefined && !reset) return errorResult('give a program, or continue, or "reset": true');
  await services.contents();
  return answerOf(
    await runs.run(async (signal, questions): Promise<PendingRunEnd> => {
      if (reset) await session.reset();
      if (program === undefined) return { end: null, program: '' };
      const source = unwrapFence(program);
      const asker = services.asking === null ? {} : { asker: askerOf(questions, canAnswerAsk, services.asking) };
      const request = { program: source, valueChars: chars, timeoutMs, signal, onCall, ...asker };
      const end = await session.evaluate(request);
      return { end, program: source };
    }, disconnected),
    call,
    services,
  );
}

/** Gives the answers of a caller to the questions of the round that they are to; null: its run is not held. */
export function answerRound(
  runs: PendingRuns<PendingRunEnd>,
  { round, answers }: NonNullable<ToolCall['joins']>,
): 'joined' | null {
  const questions = runs.questionsOf(round.run);
  if (questions === null) return null;
  for (const id of round.ids) {
    const answer = answers.get(id);
    if (answer !== undefined) questions.answer(id, answer);
  }
  return 'joined';
}

function answerOf(answer: PendingAnswer<PendingRunEnd>, call: ToolCall, services: ToolServices): JsonObject {
  const { sessionName } = services;
  const named: readonly (readonly [string, string])[] = sessionName === undefined ? [] : [['session', sessionName]];
  const withNamed = (facts: JsonObject): JsonObject => objectResult(new Map([...facts, ...named]));
  switch (answer.kind) {
    case 'busy':
      return errorResult('busy: one run goes on and eight wait; come again when one of them has ended');
    case 'unknown':
      return errorResult('there is no result under this ID: it was returned already, or nobody asked for it in time');
    case 'running': {
      const prompt = plainJson(Object.fromEntries([['continue', answer.id], ...named]));
      return withNamed(
        new Map([
          ['status', 'running'],
          ['continue', answer.id],
          ['how', `the program goes on, and has no result yet: call run with ${prompt}`],
        ]),
      );
    }
    case 'asked': {
      const open = answer.questions.reportOpen();
      const forCaller = open.filter(({ route }) => route !== 'client');
      if (call.canAnswerAsk && forCaller.length > 0) {
        const round = nextRound(answer.id, forCaller);
        return inputRequired(round.questions, services.seal(round), 'session');
      }
      return withNamed(
        waitingAnswer(answer.id, open, plainJson(Object.fromEntries([['continue', answer.id], ...named])), services),
      );
    }
    case 'ended': {
      const { end, program } = answer.end;
      if (end === null)
        return withNamed(
          new Map<string, JsonValue>([
            ['status', 'ok'],
            ['value', null],
            ['text', 'all definitions and values are forgotten'],
          ]),
        );
      if (end.kind === 'value') return withNamed(valueAnswer(end));
      return errorResult([failureText(end, program), ...named.map(([name, value]) => `${name}: ${value}`)].join('\n'));
    }
  }
}

function integerWithin(value: JsonValue, minimum: number, maximum: number): number | null {
  const integer = integerOf(value);
  return typeof integer === 'number' && integer >= minimum && integer <= maximum ? integer : null;
}

function rangeText(name: string, minimum: number, maximum: number): string {
  return `${name} is a whole number from ${minimum} to ${maximum}`;
}
