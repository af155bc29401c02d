import { createHmac, randomBytes } from 'node:crypto';
import {
  APPROVAL_REASON_MAX,
  APPROVAL_SCOPES,
  type ApprovalAuthor,
  type ApprovalDecision,
  type ApprovalLimits,
  type ApprovalRequest,
  type ApprovalUnavailable,
} from '../../../contract/approval.ts';
import { symbolsOf } from '../../../contract/run-reference.ts';
import { timestampOf, type Clock } from '../../../system/clock.ts';
import { setLongTimer } from '../../platform/long-timer.ts';
import type { RunClock } from '../../platform/run-clock/run-clock.ts';
import { holdPlace, type LeasedPlace, type RunPlace } from './leased-place.ts';
import {
  openBook,
  rememberForSession,
  stepBook,
  type ApprovalBook,
  type ApprovableCall,
  type BookEnd,
  type BookEvent,
  type SessionDecisions,
} from './book.ts';

/** What is asked about a call, but for what the desk of its run knows. */
export type Question = Omit<
  ApprovalRequest,
  | 'approvalId'
  | 'runRef'
  | 'application'
  | 'tenant'
  | 'principal'
  | 'isPrivate'
  | 'askedAt'
  | 'expiresAt'
  | 'askedBefore'
  | 'rememberedDenials'
>;

export interface AnsweredQuestion {
  readonly end: BookEnd;
  /** Milliseconds of wall clock. */
  readonly waitedMs: number;
}

/** The run of a question, while it waits. */
export interface AskingRun {
  /** Whether none of its parts works now: no further question comes before one is answered. */
  isStill(): boolean;
}

/** Asks a person, or a program in the place of one. What it throws means that nobody can be asked. */
export interface ApprovalAsker {
  /**
   * Settles with the decision, or with why nobody can be asked. `signal` is aborted when the question has another end:
   * it expired, its run is over, or an earlier decision answers it too. `run` absent: it is taken to stand still.
   */
  ask(
    request: ApprovalRequest,
    signal: AbortSignal,
    run?: AskingRun,
  ): Promise<ApprovalDecision | { readonly unavailable: ApprovalUnavailable } | { readonly expired: true }>;
  /**
   * Ends a question whose time is over, where others decide: gives the decision that came before, or null, and from
   * then on none is taken. Absent: nobody is informed of a decision before the desk has it.
   */
  settle?(request: ApprovalRequest): Promise<ApprovalDecision | null>;
}

/** Where the calls of one run are asked about (approvals.md §2 to §4). */
export interface ApprovalDesk {
  readonly limits: ApprovalLimits;
  /** Whether a person would be asked now: no earlier decision answers the call. */
  isAsked(call: ApprovableCall): boolean;
  /** What a person would be shown, with a new id. */
  request(question: Question): ApprovalRequest;
  /** Never throws. `gone` is aborted when who calls is gone or the run is closed. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<AnsweredQuestion>;
}

export interface DeskOptions {
  readonly limits: ApprovalLimits;
  readonly run: Pick<ApprovalRequest, 'runRef' | 'application' | 'tenant' | 'principal' | 'isPrivate'>;
  readonly clock: RunClock;
  /** The machine's, on which a question expires. */
  readonly machine: Clock;
  /** When the run ends at the latest, on its own clock. */
  readonly runDeadlineAt: number;
  /** When its caller no longer waits for it, on the machine's; Infinity where nobody said. */
  readonly callerDeadlineAt: number;
  /** Null: nobody can be asked. */
  readonly asker: ApprovalAsker | null;
  /** What the run gives up while it waits long (approvals.md §9); null: it has none. */
  readonly place: RunPlace | null;
  /** Allows every call that would be asked about (`--approve-writes`). */
  readonly allowsAll: boolean;
  /** What was decided for all runs of its session; more is added to it. Absent: it is of none. */
  readonly session?: SessionDecisions;
}

export function openDesk(options: DeskOptions): ApprovalDesk {
  return new Desk(options);
}

class Desk implements ApprovalDesk {
  readonly #options: DeskOptions;
  /** Ids of questions are made with it, so that nobody can guess the next one. */
  readonly #key = randomBytes(32);
  readonly #openedAt: number;
  readonly #place: LeasedPlace;
  #book: ApprovalBook;
  #calls = 0;
  /** What ends each open question, by its id. */
  readonly #open = new Map<string, (end: BookEnd) => void>();
  /** Ends the wait of the run when no person may hold it any longer. */
  #unbound: () => void = () => undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#openedAt = options.machine.monotonic();
    this.#place = holdPlace(options.clock, options.place, options.limits.holdMs);
    this.#book = openBook(options.limits, options.session);
  }

  get limits(): ApprovalLimits {
    return this.#options.limits;
  }

  isAsked(call: ApprovableCall): boolean {
    const event: BookEvent = { event: 'call', id: '', call, now: 0 };
    return !this.#options.allowsAll && stepBook(this.#book, event).asks;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<AnsweredQuestion> {
    const { machine, allowsAll } = this.#options;
    if (allowsAll) return { end: { kind: 'decided', decision: ALLOWED_BY_FLAG }, waitedMs: 0 };
    const askedAt = machine.monotonic();
    const { promise, resolve } = Promise.withResolvers<BookEnd>();
    const { approvalId: id, mission, tool, argumentsHash } = request;
    this.#open.set(id, resolve);
    const asks = this.#step({ event: 'call', id, call: { mission, tool, argumentsHash }, now: askedAt });
    const end = asks ? await this.#waitFor(request, promise, signal) : await promise;
    return { end, waitedMs: Math.max(0, Math.round(machine.monotonic() - askedAt)) };
  }

  /** Whether the event makes a person be asked. */
  #step(event: BookEvent): boolean {
    const { book, ended, asks } = stepBook(this.#book, event);
    this.#book = book;
    for (const { id, end } of ended) {
      this.#open.get(id)?.(end);
      this.#open.delete(id);
    }
    return asks;
  }

  async #waitFor(request: ApprovalRequest, ended: Promise<BookEnd>, signal: AbortSignal): Promise<BookEnd> {
    const { clock, limits, asker } = this.#options;
    const { approvalId: id } = request;
    const goOn = clock.wait();
    this.#boundWait();
    const over = new AbortController();
    const leave = (): void => void this.#step({ event: 'gone', id });
    signal.addEventListener('abort', leave);
    const forget = setLongTimer(limits.timeoutMs, () => void this.#expire(request));
    if (signal.aborted) leave();
    else if (asker === null) this.#step({ event: 'unavailable', id, how: 'unattended' });
    else void this.#askPerson(asker, request, over.signal);
    try {
      return await ended;
    } finally {
      forget();
      signal.removeEventListener('abort', leave);
      over.abort(OVER);
      // It works again once it has its place again: until then its clock stands still.
      await this.#place.regain(signal);
      goOn();
      if (this.#open.size === 0) this.#unbound();
    }
  }

  async #askPerson(asker: ApprovalAsker, request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    const { approvalId: id } = request;
    try {
      const answer = await asker.ask(request, signal, this.#options.clock);
      if ('unavailable' in answer) this.#step({ event: 'unavailable', id, how: answer.unavailable });
      else if ('expired' in answer) this.#step({ event: 'expired', id });
      else this.#decide(request, boundedDecision(answer));
    } catch {
      this.#step({ event: 'unavailable', id, how: 'store_unavailable' });
    }
  }

  #decide(request: ApprovalRequest, decision: ApprovalDecision): void {
    const { session } = this.#options;
    // A decision that comes too late is none.
    if (session !== undefined && this.#open.has(request.approvalId)) rememberForSession(session, request, decision);
    this.#step({ event: 'decision', id: request.approvalId, decision });
  }

  /** A decision that was taken elsewhere, and that nobody has brought yet, came first (approvals.md §11). */
  async #expire(request: ApprovalRequest): Promise<void> {
    const { approvalId: id } = request;
    const first = (await this.#options.asker?.settle?.(request).catch(() => null)) ?? null;
    if (first === null) this.#step({ event: 'expired', id });
    else this.#decide(request, boundedDecision(first));
  }

  /** A run that waits ends with its lifetime, and when its caller waits no longer, though its clock stands still. */
  #boundWait(): void {
    const { machine, limits, callerDeadlineAt, clock, runDeadlineAt } = this.#options;
    this.#unbound();
    const latestAt = Math.min(this.#openedAt + limits.lifetimeMs, callerDeadlineAt);
    this.#unbound = setLongTimer(latestAt - machine.monotonic(), () => clock.jump(runDeadlineAt));
  }

  #newId({ evaluationId, branch }: Question): string {
    this.#calls += 1;
    const callKey = JSON.stringify([evaluationId, branch?.index ?? null, this.#calls]);
    const digest = createHmac('sha256', this.#key).update(callKey).digest();
    return `apr-${symbolsOf(digest)}`;
  }

  request(question: Question): ApprovalRequest {
    const { run, machine, limits } = this.#options;
    const approvalId = this.#newId(question);
    const now = machine.wall();
    return {
      ...run,
      ...question,
      approvalId,
      askedAt: timestampOf(now),
      expiresAt: timestampOf(now + limits.timeoutMs),
      askedBefore: this.#book.asked,
      rememberedDenials: this.#book.rememberedDenials,
    };
  }
}

/** Without a reason node makes an error with its stack for each. */
const OVER = 'over';
const ALLOWED_BY_FLAG: ApprovalDecision = { decision: 'allow', scope: 'run', by: 'flag' };
const AUTHORS: ReadonlySet<ApprovalAuthor> = new Set(['terminal', 'cli', 'viewer', 'api', 'elicitation']);

/** What of an answer counts, within its bounds. Throws for a value that is no decision. */
function boundedDecision(answer: ApprovalDecision): ApprovalDecision {
  const { decision, scope, by, reason, principal, isRemembered } = answer;
  if (decision !== 'allow' && decision !== 'deny') throw new TypeError('a decision is "allow" or "deny"');
  if (!APPROVAL_SCOPES.includes(scope)) throw new TypeError(`a scope is one of ${APPROVAL_SCOPES.join(', ')}`);
  return {
    decision,
    scope,
    by: AUTHORS.has(by) ? by : 'api',
    ...(typeof reason === 'string' && reason !== ''
      ? { reason: Array.from(reason.toWellFormed()).slice(0, APPROVAL_REASON_MAX).join('') }
      : {}),
    ...(typeof principal === 'string' ? { principal } : {}),
    ...(isRemembered === false ? { isRemembered } : {}),
  };
}
