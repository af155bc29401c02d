import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ProgramEnd } from '../../code/session/program-end.ts';
import { PendingRuns } from '../../code/serve/pending-runs.ts';
import {
  answerRound,
  callCodeTool,
  type PendingRunEnd,
  type ToolCall,
  type ToolServices,
} from '../../code/serve/tools.ts';
import { errorResult } from '../../code/serve/answer-text.ts';
import { VALUE_CHARS_DEFAULT } from '../../code/serve/definitions.ts';
import type { HostedRoom, HostedSession, HostedTerms } from '../../service/runs/hosted-sessions.ts';
import type { RunRefused, RunResult } from '../../service/embedding/types.ts';
import { renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';
import type { EventStream } from '../http/event-stream.ts';
import { showsForms } from '../../code/asking/capability.ts';
import { readEarlierRound } from '../../code/asking/input-required.ts';
import type { RoundOwner } from '../../code/asking/round-state.ts';
import type { QuestionCounts, RunQuestions } from '../../code/asking/run-questions.ts';
import { META, MODERN_VERSION, metaOf } from '../../../contract/mcp/era.ts';
import { resultText, RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import { auditedCall, type OneAudited } from '../tools/audited-call.ts';
import { timeoutOf, traceparentOf } from '../tools/call.ts';
import type { CallServices, Tool, ToolCallRequest } from '../tools/call-services.ts';
import { endOf, isRefusedPlace, isUncleaned, unaskedText, type Answering, type RunEnded } from '../tools/outcome.ts';
import { progressOf } from '../tools/progress.ts';
import type { CodeSessions, OpenSession, SessionOwner, SessionTimers } from './code-sessions.ts';
import type { CodeToolName } from './offered.ts';

/** A session of one client. */
export class ClientSession implements OpenSession {
  readonly hosted: HostedSession;
  readonly runs: PendingRuns<PendingRunEnd>;
  #pending = 0;

  constructor(hosted: HostedSession, answerWithinMs: number, timers: SessionTimers) {
    this.hosted = hosted;
    this.runs = new PendingRuns(answerWithinMs, timers, { endsUnanswered: true });
  }

  isBusy(): boolean {
    return this.#pending > 0;
  }

  async evaluate(...input: Parameters<HostedSession['evaluate']>): ReturnType<HostedSession['evaluate']> {
    this.#pending += 1;
    try {
      return await this.hosted.evaluate(...input);
    } finally {
      this.#pending -= 1;
    }
  }

  async close(): Promise<void> {
    await this.runs.close();
    await this.hosted.close();
  }
}

/** A configured tool as programs see it. */
export interface OpenedCodeTool {
  readonly tool: Tool;
  readonly room: HostedRoom;
}

/** What calls of such tools are answered with. */
export interface CodeServices {
  /** By the name of one of the three. */
  find(name: string): { readonly code: OpenedCodeTool; readonly own: CodeToolName } | null;
  readonly sessions: CodeSessions<ClientSession>;
  /** Name of the binding that every caller shows. */
  readonly bearer: string;
  readonly answerWithinMs: number;
  readonly timers: SessionTimers;
}

/** A client that hears nothing for longer may think that nobody is there. */
const COMMIT_MS = 1000;
/** For a place for its run. */
const WAIT_MS = 2000;
const LONGEST_MS = 2_592_000_000;

/** What one call came to beside its answer. */
interface CallState {
  /** Why its program had no run. */
  refused: RunRefused | null;
  /** Nothing ran, since what it leaves has no place. */
  isPlaceless: boolean;
  audited: OneAudited | null;
}

/** Answers one of the three tools of code mode (code-mode.md §2); null: it was streamed, or nobody waits for it. */
export async function callCode(
  request: ToolCallRequest,
  { code, own }: NonNullable<ReturnType<CodeServices['find']>>,
  services: CallServices,
  offered: CodeServices,
): Promise<GatewayAnswer | null> {
  const { message, era } = request;
  const { id, params } = message;
  const input = params?.get('arguments') ?? new Map<string, JsonValue>();
  const round = readEarlierRound(params);
  const isRoundOfNone =
    (era === 'legacy' || own !== 'run') &&
    (params?.has('requestState') === true || params?.has('inputResponses') === true);
  if (!isJsonObject(input) || round === 'unreadable' || isRoundOfNone)
    return rpcError(200, id, RPC.params, { reason: 'arguments' });
  // A program that went on would be repeated: nothing of a session is kept by key.
  if (metaOf(message)?.has('svc/idempotency_key') === true)
    return rpcError(200, id, RPC.params, { reason: 'idempotency_key' });
  const timeoutMs = timeoutOf(message);
  if (timeoutMs === 'invalid') return rpcError(200, id, RPC.params, { reason: 'timeout' });
  if (services.isDraining()) return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
  const answering: Answering = { id, era, server: services.server };
  if (own !== 'run') {
    const result = await callCodeTool(
      { name: own, input, disconnected: request.disconnected, onCall: () => undefined, canAnswerAsk: false },
      {
        ...toolServices(code),
        ...NO_ASKING,
        session: NO_SESSION,
        runs: new PendingRuns(offered.answerWithinMs, offered.timers),
      },
    );
    return answered(answering, result);
  }
  if (code.tool.application.effect === 'write' && services.audit?.isFenced() !== false)
    return rpcError(503, id, RPC.unavailable, { reason: 'writes_fenced' });
  if (code.tool.providers.current() === 'unavailable')
    return rpcError(503, id, RPC.unavailable, { reason: 'tool_unavailable' });
  const canAnswerAsk = era === 'modern' && showsForms(metaOf(message)?.get(META.capabilities));
  const roundOwner: RoundOwner = {
    principal: offered.bearer,
    tool: `${code.tool.entry.name}.run`,
    arguments: canonicalJson(input),
  };
  const owner: SessionOwner = { bearer: offered.bearer, tool: code.tool.entry.name };
  if (round !== null) {
    const joined = canAnswerAsk ? joinedRun(round, roundOwner, { owner, sessions: offered.sessions, services }) : null;
    if (joined === null) return rpcError(200, id, RPC.params, { reason: 'state_invalid' });
    const { joins, ...session } = joined;
    return new CodeRun(
      request,
      { code, input, timeoutMs, answering, canAnswerAsk, roundOwner, joins, ...session },
      services,
    ).answer();
  }
  // What would ask has to have a place to wait in.
  if (canAnswerAsk && code.tool.asks && services.waiting.isFull)
    return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
  const found = sessionOf(input, owner, code, offered);
  if ('refused' in found) return answered(answering, errorResult(found.refused));
  return new CodeRun(
    request,
    { code, input, timeoutMs, answering, canAnswerAsk, roundOwner, ...found },
    services,
  ).answer();
}

/** The run that a state names, which has its answers by now; null for any fault. */
function joinedRun(
  { state, answers }: { readonly state: string; readonly answers: JsonObject },
  roundOwner: RoundOwner,
  {
    owner,
    sessions,
    services,
  }: { readonly owner: SessionOwner; readonly sessions: CodeServices['sessions']; readonly services: CallServices },
): (Pick<RunPreparation, 'name' | 'session'> & { readonly joins: NonNullable<ToolCall['joins']> }) | null {
  const opened = services.rounds.open(roundOwner, state);
  if (opened === null) return null;
  const [name = '', run = ''] = opened.run.split('/');
  const session = sessions.find(owner, name);
  const joins = { round: { ...opened, run }, answers };
  return session === null || answerRound(session.runs, joins) === null ? null : { name, session, joins };
}

const NO_ASKING: Pick<ToolServices, 'asking' | 'seal' | 'approveCommand'> = {
  asking: null,
  seal: () => {
    throw new Error('search and describe ask nobody');
  },
  approveCommand: null,
};

function sessionOf(
  input: JsonObject,
  owner: SessionOwner,
  { room }: OpenedCodeTool,
  { sessions, answerWithinMs, timers }: CodeServices,
): { readonly name: string; readonly session: ClientSession } | { readonly refused: string } {
  const name = input.get('session');
  if (name !== undefined) {
    const session = typeof name === 'string' ? sessions.find(owner, name) : null;
    return session === null || typeof name !== 'string' ? { refused: UNKNOWN } : { name, session };
  }
  if (input.has('continue')) return { refused: 'continue is of a session: give the session of the same answer too' };
  return sessions.open(owner, () => new ClientSession(room.openSession(), answerWithinMs, timers)) ?? { refused: FULL };
}

const UNKNOWN =
  'session_unknown: there is no such session, or it was idle too long: run the definitions again without session, and go on with the session of that answer';
const FULL = 'busy: every session of this gateway has a program that goes on; come again when one has ended';

const NO_SESSION: ToolServices['session'] = {
  evaluate: async () => Promise.reject(new Error('search and describe evaluate nothing')),
  reset: async () => undefined,
};

function toolServices({ room }: OpenedCodeTool): Pick<ToolServices, 'contents' | 'valueChars' | 'longestMs'> {
  return { contents: async () => room.contents(), valueChars: VALUE_CHARS_DEFAULT, longestMs: room.longestMs };
}

interface RunPreparation {
  readonly code: OpenedCodeTool;
  readonly input: JsonObject;
  readonly timeoutMs: number | null;
  readonly answering: Answering;
  readonly name: string;
  readonly session: ClientSession;
  readonly canAnswerAsk: boolean;
  readonly roundOwner: RoundOwner;
  readonly joins?: ToolCall['joins'];
}

/** One call of `run`, from its session on. */
class CodeRun {
  readonly #request: ToolCallRequest;
  readonly #preparation: RunPreparation;
  readonly #services: CallServices;
  readonly #state: CallState = { refused: null, isPlaceless: false, audited: null };
  readonly #unasked = new Set<string>();
  #questions: RunQuestions | null = null;
  #isOver = false;
  #stream: EventStream | null = null;

  constructor(request: ToolCallRequest, runPreparation: RunPreparation, services: CallServices) {
    this.#request = request;
    this.#preparation = runPreparation;
    this.#services = services;
  }

  async answer(): Promise<GatewayAnswer | null> {
    const { disconnected, open } = this.#request;
    const { code, input, name, session, answering, canAnswerAsk, joins, roundOwner } = this.#preparation;
    if (disconnected.aborted) return null;
    const token = metaOf(this.#request.message)?.get('progressToken');
    const progress =
      typeof token === 'string' || typeof token === 'number'
        ? progressOf(token, (text) => this.#stream?.notify(text), this.#services.now)
        : null;
    const commit = (): void => {
      if (disconnected.aborted || this.#isOver) return;
      this.#stream ??= open(answering.era === 'modern' ? { 'mcp-protocol-version': MODERN_VERSION } : {});
      progress?.begin();
    };
    const committing = setTimeout(commit, COMMIT_MS);
    try {
      const result = await callCodeTool(
        {
          name: 'run',
          input,
          disconnected,
          onCall: () => undefined,
          canAnswerAsk,
          ...(joins === undefined ? {} : { joins }),
        },
        {
          ...toolServices(code),
          sessionName: name,
          asking: {
            client: null,
            waiting: null,
            onQuestions: (questions) => {
              const { questionCounter } = this.#services;
              if (questionCounter !== null) questions.countWith(questionCounter);
              this.#questions = questions;
            },
            isFull: () => canAnswerAsk && this.#services.waiting.isFull,
            onUnasked: (tool) => this.#unasked.add(tool),
          },
          seal: (round) => this.#services.rounds.seal(roundOwner, { ...round, run: `${name}/${round.run}` }),
          approveCommand: null,
          runs: session.runs,
          session: {
            reset: async () => session.hosted.reset(),
            evaluate: async (program) =>
              this.#endOf(
                await session.evaluate(program, (runRef) =>
                  this.#terms(runRef, program.signal, (event, data) => {
                    if (event === 'queued' || event === 'admitted' || event === 'finished') return;
                    commit();
                    progress?.onEvent(event, data);
                  }),
                ),
              ),
          },
        },
      );
      this.#isOver = true;
      if (disconnected.aborted) return null;
      progress?.end();
      const whole = withUnasked(result, this.#unasked);
      if (this.#stream === null) return this.#refusal() ?? answered(answering, whole);
      await this.#stream.end(resultText(answering.id, rendered(answering, whole)));
      return null;
    } finally {
      clearTimeout(committing);
      progress?.end();
    }
  }

  #terms(runRef: string, signal: AbortSignal, onEvent: (...event: ReportedEvent) => void): HostedTerms {
    const { code, timeoutMs } = this.#preparation;
    const { application } = code.tool;
    const startedAt = this.#services.now();
    const endedAs = (end: RunEnded) =>
      end.envelope.status === 'ok'
        ? ({ outcome: 'success', text: '' } as const)
        : endOf(end, {
            ...this.#preparation.answering,
            durationMs: Math.round(this.#services.now() - startedAt),
            cancelledBy: signal.aborted ? 'client' : this.#services.isDraining() ? 'gateway' : null,
          });
    const audited =
      this.#services.audit === null || application.effect !== 'write'
        ? null
        : auditedCall(this.#services.audit, {
            toolName: `${code.tool.entry.name}.run`,
            contentDigest: application.contentDigest,
            runRef,
            isDisconnected: () => signal.aborted,
            approvals: () => this.#questions?.counts ?? NOBODY_ASKED,
            endedAs,
          });
    this.#state.audited = audited;
    const traceparent = traceparentOf(this.#request.message);
    return {
      ...(audited === null ? {} : { witness: audited.witness }),
      deadlineMs: Math.min(timeoutMs ?? LONGEST_MS, code.room.longestRunMs ?? LONGEST_MS),
      startWithinMs: WAIT_MS,
      ...(traceparent === null ? {} : { traceparent }),
      onEvent: ({ event, data }) => {
        onEvent(event, data);
      },
      onEnd: (end) => {
        this.#ended(end, startedAt, endedAs);
      },
    };
  }

  #ended(end: RunResult, startedAt: number, endedAs: (end: RunEnded) => { readonly outcome: Outcome }): void {
    if (end.kind === 'refused') {
      this.#state.refused = end;
      return;
    }
    const { tool } = this.#preparation.code;
    // What may still be at work is given nothing more to do (gateway.md §15).
    if (isUncleaned(end)) tool.providers.fence();
    if (end.unexpected !== null) this.#services.reportBug(end.unexpected);
    this.#state.isPlaceless = isRefusedPlace(end);
    this.#services.onRun(`${tool.entry.name}.run`, endedAs(end).outcome, this.#services.now() - startedAt);
  }

  /** A run that had no place, or is on no record, is reported as a program that came to nothing. */
  #endOf(end: ProgramEnd | RunRefused): ProgramEnd {
    const error = (kind: string, message: string, runRef: string): ProgramEnd => ({
      kind: 'error',
      runRef,
      prints: [],
      calls: [],
      hasEvidence: true,
      error: { kind, message, place: null, remedy: null },
    });
    if (end.kind === 'refused')
      return error(
        end.code === 'queue_full' ? 'run_capacity_exhausted' : end.code,
        'nothing ran: the gateway had no place for it; call again later',
        end.runRef,
      );
    return this.#state.audited?.state() === 'not_ended'
      ? error(
          'audit_unavailable',
          'how the run ended could not be put on record; it may have had effects: look before it is repeated',
          end.runRef,
        )
      : end;
  }

  /** Nothing ran, and nothing of an answer was sent yet. */
  #refusal(): GatewayAnswer | null {
    const { refused, isPlaceless, audited } = this.#state;
    const { id } = this.#preparation.answering;
    if (isPlaceless) return rpcError(503, id, RPC.unavailable, { reason: 'artifact_unavailable' });
    if (refused === null) return null;
    if (audited?.state() === 'not_begun') return rpcError(503, id, RPC.unavailable, { reason: 'writes_fenced' });
    switch (refused.code) {
      case 'queue_full':
      case 'tenant_quota':
        return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
      case 'draining':
        return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
      case 'unavailable':
        return rpcError(503, id, RPC.unavailable, { reason: 'tool_unavailable' });
      default:
        return null;
    }
  }
}

const NOBODY_ASKED: QuestionCounts = { allowed: 0, denied: 0, expired: 0 };

/** What a client reads beside the result, where it could not be asked. */
function withUnasked(result: JsonObject | null, tools: ReadonlySet<string>): JsonObject | null {
  const content = result?.get('content');
  if (result === null || tools.size === 0 || !isJsonArray(content)) return result;
  const note = new Map([
    ['type', 'text'],
    ['text', unaskedText([...tools])],
  ]);
  return new Map<string, JsonValue>([...result, ['content', [...content, note]]]);
}

type ReportedEvent = Parameters<ReturnType<typeof progressOf>['onEvent']>;
type Outcome = Parameters<CallServices['onRun']>[1];

function answered(answering: Answering, result: JsonObject | null): GatewayAnswer {
  return renderJsonAnswer(200, resultText(answering.id, rendered(answering, result)));
}

/** As a client of this revision is answered. */
function rendered({ era, server }: Answering, result: JsonObject | null): string {
  if (result === null) throw new Error('the three tools are there');
  const members: [string, JsonValue][] = [...result];
  const asks = result.get('resultType') === 'input_required';
  if (!result.has('isError') && !asks) members.push(['isError', false]);
  if (era === 'legacy') return canonicalJson(new Map(members));
  const text = canonicalJson(new Map<string, JsonValue>([['resultType', 'complete'], ...members]));
  return `{"_meta":${server},${text.slice(1)}`;
}
