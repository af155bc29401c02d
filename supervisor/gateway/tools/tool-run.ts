import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { inputRequired, nextRound } from '../../code/asking/input-required.ts';
import type { Round } from '../../code/asking/round-state.ts';
import { RunQuestions, type QuestionAnswer, type QuestionWay } from '../../code/asking/run-questions.ts';
import { metaOf } from '../../../contract/mcp/era.ts';
import { resultText, RPC } from '../../../contract/mcp/rpc.ts';
import type { RunHandle, RunRefused, RunWitness } from '../../service/embedding/types.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { WaitingRun } from '../rounds/waiting-runs.ts';
import { Attachment } from './attachment.ts';
import { auditedCall, type OneAudited } from './audited-call.ts';
import type { RunnableCall, CallServices, ToolCallRequest } from './call-services.ts';
import { keyedWitness } from './keyed-call.ts';
import { refusedCall } from './refused-call.ts';
import {
  endOf,
  isRefusedPlace,
  isUncleaned,
  unaudited,
  type Answering,
  type CancelledBy,
  type RunEnded,
  type ToolCallEnd,
} from './outcome.ts';

/** For a place for its run. */
const WAIT_MS = 2000;
const LONGEST_MS = 2_592_000_000;
/** What a run whose client is gone is stopped with. */
const CLOSED = 'SIGINT';

type EndFacts = { readonly durationMs: number; readonly cancelledBy: CancelledBy };

/**
 * One run of a tool: steps 5 to 13 of gateway.md §5. It is answered to the request that began it, and where it asks a
 * person, to those that come back with answers (approvals.md §6).
 */
export class ToolRun implements WaitingRun {
  readonly runRef: string;
  readonly #call: RunnableCall;
  readonly #services: CallServices;
  /** Of the request that began it. */
  readonly #first: Answering;
  readonly #questions: RunQuestions;
  readonly #stop = new AbortController();
  readonly #attached = new Set<Attachment>();
  readonly #handle: RunHandle;
  readonly #audited: OneAudited | null;
  readonly #startedAt: number;
  /** Settles when all that is reported of the run was reported. */
  readonly #reported = Promise.withResolvers<undefined>();
  readonly #refusedTools = new Set<string>();
  #facts: EndFacts | null = null;
  #isEnded = false;
  #isAnswered = false;

  /** Begins it. */
  constructor(
    { message, era }: Pick<ToolCallRequest, 'message' | 'era'>,
    runnableCall: RunnableCall,
    services: CallServices,
  ) {
    this.runRef = runnableCall.runRef;
    this.#call = runnableCall;
    this.#services = services;
    this.#first = { id: message.id, era, server: services.server };
    this.#startedAt = services.now();
    this.#questions = new RunQuestions({
      toolScope: 'tool',
      timers: services.questionTimers,
      // Nobody came back with the answer.
      onExpired: () => {
        if (this.#attached.size === 0) this.abandon();
      },
    });
    if (services.questionCounter !== null) this.#questions.countWith(services.questionCounter);
    const { tool } = runnableCall;
    const endedAs = (end: RunEnded): ToolCallEnd => this.#endAs(end, this.#first);
    this.#audited =
      services.audit === null || tool.application.effect !== 'write'
        ? null
        : auditedCall(services.audit, {
            toolName: tool.entry.name,
            contentDigest: tool.application.contentDigest,
            runRef: runnableCall.runRef,
            isDisconnected: () => this.#stop.signal.aborted,
            approvals: () => this.#questions.counts,
            endedAs,
          });
    this.#handle = this.#begin(this.#witness(endedAs));
    services.waiting.add(this);
    void this.#whenEnded();
  }

  isAsking(): boolean {
    return this.#questions.open.length > 0;
  }

  isWaiting(): boolean {
    return this.#attached.size === 0 && this.isAsking();
  }

  abandon(): void {
    this.#stop.abort(CLOSED);
  }

  /** Gives the answers of a client to the questions of the round that they are to. */
  takeAnswers({ ids }: Round, answers: JsonObject): void {
    for (const id of ids) {
      const answer = answers.get(id);
      if (answer !== undefined) this.#questions.answer(id, answer);
    }
  }

  /** Answers a request with its end, or with what it asks first; null: that was streamed, or nobody waits for it. */
  async answer(request: ToolCallRequest): Promise<GatewayAnswer | null> {
    const { disconnected, message, era } = request;
    const answering: Answering = { id: message.id, era, server: this.#services.server };
    const token = metaOf(message)?.get('progressToken');
    const isWatched = typeof token === 'string' || typeof token === 'number';
    const attachment = new Attachment(request, isWatched ? token : null, this.#services.now);
    this.#attached.add(attachment);
    // The first one may be refused until its run begins.
    if (this.#isAnswered) attachment.commitSoon();
    this.#isAnswered = true;
    const over = new AbortController();
    const leave = (): void => {
      this.#attached.delete(attachment);
      over.abort();
      if (this.#attached.size === 0 && !this.#isEnded) this.abandon();
    };
    if (disconnected.aborted) leave();
    disconnected.addEventListener('abort', leave, { once: true });
    try {
      let end: RunEnded | RunRefused | 'asked';
      do {
        const asks = this.#questions.asked(over.signal).then(() => 'asked' as const);
        end = await Promise.race([this.#handle.result, asks]);
        // A decision about another call may have been for this one too.
      } while (end === 'asked' && this.#questions.open.length === 0 && !disconnected.aborted);
      if (disconnected.aborted) {
        // Its cleanup, audit and publication go on in its place.
        await this.#handle.result;
        return null;
      }
      if (end === 'asked') {
        await attachment.end(this.#roundText(answering));
        return null;
      }
      return await this.#answerEnd(end, answering, attachment);
    } finally {
      attachment.close();
      over.abort();
      disconnected.removeEventListener('abort', leave);
      this.#attached.delete(attachment);
    }
  }

  #begin(witness: RunWitness | null): RunHandle {
    const { tool, providers, input, timeoutMs, traceparent, canAsk, runRef } = this.#call;
    const { supervisor, artifacts } = this.#services;
    const { run_duration_ms: longest } = tool.application.limits;
    // What waits for a person lasts as long as its own clock says, unless its caller said how long he waits.
    const longestMs = canAsk && tool.asks ? null : longest;
    const deadlineMs =
      timeoutMs === null && longestMs === null ? null : Math.min(timeoutMs ?? LONGEST_MS, longestMs ?? LONGEST_MS);
    return supervisor.run(tool.application, {
      runRef,
      input: new TextEncoder().encode(canonicalJson(input)),
      tenant: tool.tenant,
      startWithinMs: WAIT_MS,
      signal: this.#stop.signal,
      ...(deadlineMs === null ? {} : { deadlineMs }),
      ...(traceparent === null ? {} : { traceparent }),
      ...(providers === null ? {} : { providers }),
      ...(witness === null ? {} : { witness }),
      ...(artifacts === null ? {} : { artifacts }),
      asker: { ask: async (...args) => this.#ask(...args) },
      onEvent: (event) => {
        for (const attachment of this.#attached) attachment.onEvent(event);
        if (event.event === 'finished') this.#reported.resolve(undefined);
      },
    });
  }

  #witness(endedAs: (end: RunEnded) => ToolCallEnd): RunWitness | null {
    const { ticket } = this.#call;
    const audited = this.#audited;
    if (ticket === null) return audited?.witness ?? null;
    return keyedWitness(ticket, audited?.witness ?? null, {
      answering: this.#first,
      endedAs,
      isKnown: () => audited === null || audited.state() === 'on_record',
    });
  }

  async #ask(request: ApprovalRequest, signal: AbortSignal, run?: QuestionWay['run']): Promise<QuestionAnswer> {
    const { canAsk } = this.#call;
    if (!canAsk) {
      this.#refusedTools.add(request.tool);
      return { unavailable: 'client_without_elicitation' };
    }
    if (!this.isAsking() && this.#services.waiting.isFull) return { unavailable: 'too_many' };
    return this.#questions.ask(request, signal, { route: 'result', run });
  }

  #roundText({ id, server }: Answering): string {
    const round = nextRound(this.runRef, this.#questions.open);
    const state = this.#services.rounds.seal(this.#call.owner, round);
    const text = canonicalJson(inputRequired(round.questions, state, 'tool'));
    return resultText(id, `{"_meta":${server},${text.slice(1)}`);
  }

  /** Once, so that all who report it report the same. */
  #endAs(end: RunEnded, answering: Answering): ToolCallEnd {
    const cancelledBy = this.#stop.signal.aborted ? 'client' : this.#services.isDraining() ? 'gateway' : null;
    this.#facts ??= { durationMs: Math.round(this.#services.now() - this.#startedAt), cancelledBy };
    return endOf(end, { ...answering, ...this.#facts, refusedTools: [...this.#refusedTools] });
  }

  async #whenEnded(): Promise<void> {
    const { tool, ticket } = this.#call;
    const { onRun, now, waiting, reportBug } = this.#services;
    try {
      const end = await this.#handle.result;
      this.#isEnded = true;
      waiting.end(this, end.kind === 'refused' || this.#attached.size > 0 || this.#stop.signal.aborted);
      if (end.kind === 'refused') return;
      // What may still be at work is given nothing more to do (gateway.md §15).
      if (isUncleaned(end)) tool.providers.fence();
      onRun(tool.entry.name, this.#endAs(end, this.#first).outcome, now() - this.#startedAt);
      if (end.unexpected !== null) reportBug(end.unexpected);
    } finally {
      await ticket?.withdraw();
    }
  }

  async #answerEnd(
    end: RunEnded | RunRefused,
    answering: Answering,
    attachment: Attachment,
  ): Promise<GatewayAnswer | null> {
    const { id } = answering;
    if (end.kind === 'refused')
      return this.#audited?.state() === 'not_begun'
        ? rpcError(503, id, RPC.unavailable, { reason: 'writes_fenced' })
        : refusedCall(end, answering);
    if (!attachment.hasStream && isRefusedPlace(end))
      return rpcError(503, id, RPC.unavailable, { reason: 'artifact_unavailable' });
    // Events come in their own time; the last message comes behind all of them.
    await this.#reported.promise;
    await attachment.end(
      this.#audited?.state() === 'not_ended' ? unaudited(end, answering) : this.#endAs(end, answering).text,
    );
    return null;
  }
}
