import type { ApprovalDecision, ApprovalRequest, ApprovalUnavailable } from '../../../contract/approval.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { AskingRun } from '../../calls/approvals/desk.ts';
import { readFormAnswer, UNREADABLE_DENIED, type FormTerms } from './form.ts';

/** A person's answer, or why nobody can be asked. */
export type QuestionAnswer =
  | ApprovalDecision
  | { readonly unavailable: ApprovalUnavailable }
  | { readonly expired: true };

/**
 * How a person is reached: `client`, by a request to the client; `result`, by the answer to the call; `store`, by
 * another command.
 */
export type QuestionRoute = 'client' | 'result' | 'store';

/** How a question is asked. */
export interface QuestionWay {
  readonly route: QuestionRoute;
  /** Absent: it is taken to stand still. */
  readonly run?: AskingRun | undefined;
  readonly elsewhere?: AskElsewhere;
}

/** A question that is open. */
export interface OpenQuestion {
  readonly request: ApprovalRequest;
  readonly route: QuestionRoute;
  readonly isAskedAgain: boolean;
}

interface PendingQuestion extends OpenQuestion {
  route: QuestionRoute;
  isAskedAgain: boolean;
  /** Whether a caller knows of it. */
  isReported: boolean;
  readonly isStill: () => boolean;
  readonly settle: (answer: QuestionAnswer) => void;
}

/** How the questions of a run ended (approvals.md §6, audit). */
export interface QuestionCounts {
  readonly allowed: number;
  readonly denied: number;
  readonly expired: number;
}

/** How a question ended; `abandoned`: its run was over, or nobody could be asked after all. */
export type QuestionEnd = keyof QuestionCounts | 'abandoned';

/** Counts the questions of runs, by the tool that each is about. */
export interface QuestionCounter {
  asked(tool: string): void;
  ended(tool: string, end: QuestionEnd): void;
}

export interface QuestionTimers {
  /** Calls `act` after so many milliseconds unless what it gives is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

export interface QuestionsOptions {
  readonly toolScope: FormTerms['toolScope'];
  readonly timers: QuestionTimers;
  /** Called with a question that nobody answered in time, before its program is. */
  readonly onExpired?: () => void;
}

/** Where else a question is asked; `turn` is called when it has to be asked by another route. */
export type AskElsewhere = (
  request: ApprovalRequest,
  signal: AbortSignal,
  turn: (route: QuestionRoute) => void,
) => Promise<QuestionAnswer>;

/** Milliseconds in which several questions become one round (approvals.md §3). */
const GATHER_MS = 50;
/** At most so many windows while the run still works: a branch that only computes delays no question for long. */
const GATHER_WINDOWS = 40;
/** A timer and a clock differ by that. */
const TIMER_SLACK_MS = 5;

/** The questions of one run, for anyone who answers its calls: one or several requests, one after the other. */
export class RunQuestions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, PendingQuestion>();
  readonly #watchers = new Set<() => void>();
  readonly #counts = { allowed: 0, denied: 0, expired: 0 };
  #counter: QuestionCounter | null = null;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** In the order in which they were asked. */
  get open(): readonly OpenQuestion[] {
    return [...this.#open.values()];
  }

  get counts(): QuestionCounts {
    return { ...this.#counts };
  }

  /** Has the questions that come counted, in addition to `counts`. */
  countWith(counter: QuestionCounter): void {
    this.#counter = counter;
  }

  /**
   * Settles with the answer to a question. `signal` is aborted when it has another end; then what this settles with
   * counts for nothing.
   */
  async ask(
    request: ApprovalRequest,
    signal: AbortSignal,
    { route, run, elsewhere }: QuestionWay,
  ): Promise<QuestionAnswer> {
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    const isStill = (): boolean => run?.isStill() ?? true;
    const question: PendingQuestion = {
      request,
      route,
      isAskedAgain: false,
      isReported: false,
      isStill,
      settle: resolve,
    };
    const startedAt = performance.now();
    const lastsMs = Date.parse(request.expiresAt) - Date.parse(request.askedAt) - TIMER_SLACK_MS;
    let end: QuestionEnd = 'abandoned';
    const leave = (): void => {
      const isExpired = this.#open.get(request.approvalId) === question && performance.now() - startedAt >= lastsMs;
      this.#open.delete(request.approvalId);
      if (isExpired) {
        end = 'expired';
        this.#options.onExpired?.();
      }
      resolve(NOBODY);
    };
    this.#open.set(request.approvalId, question);
    const counter = this.#counter;
    counter?.asked(request.tool);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const turn = (to: QuestionRoute): void => {
      question.route = to;
      this.#notify();
    };
    if (elsewhere !== undefined)
      elsewhere(request, signal, turn).then(resolve, () => resolve({ unavailable: 'store_unavailable' }));
    this.#notify();
    try {
      const answer = await promise;
      if (!signal.aborted && 'decision' in answer) end = answer.decision === 'allow' ? 'allowed' : 'denied';
      return answer;
    } finally {
      if (end !== 'abandoned') this.#counts[end] += 1;
      counter?.ended(request.tool, end);
      signal.removeEventListener('abort', leave);
      this.#open.delete(request.approvalId);
    }
  }

  /** The open questions, as a caller gets them now. */
  reportOpen(): readonly OpenQuestion[] {
    for (const question of this.#open.values()) question.isReported = true;
    return this.open;
  }

  /** Takes what a client answered to the form of a question; a question that is not open is none. */
  answer(approvalId: string, result: JsonValue): void {
    const question = this.#open.get(approvalId);
    if (question === undefined) return;
    const decision = readFormAnswer(result, this.#options.toolScope);
    if (decision === 'unreadable' && !question.isAskedAgain) {
      question.isAskedAgain = true;
      return;
    }
    this.#open.delete(approvalId);
    question.settle(decision === 'unreadable' ? UNREADABLE_DENIED : decision);
  }

  /** Whether the decision counts: a question that is not open is none. */
  decide(approvalId: string, decision: ApprovalDecision): boolean {
    const question = this.#open.get(approvalId);
    if (question === undefined) return false;
    this.#open.delete(approvalId);
    question.settle(decision);
    return true;
  }

  /**
   * Settles when there are questions for the caller that is to be answered, and when `signal` is aborted. Those that
   * come close to each other are reported together, as are those that branches ask which begin one after the other.
   */
  async asked(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#asksCaller()) {
        await this.#gather(signal);
        if (this.#asksCaller()) return;
      } else {
        await this.#pause(signal, (resolve) => {
          this.#watchers.add(resolve);
          return () => this.#watchers.delete(resolve);
        });
      }
    }
  }

  /** Until nothing of the run works that could ask too. */
  async #gather(signal: AbortSignal): Promise<void> {
    for (let windows = 0; windows < GATHER_WINDOWS && !signal.aborted; windows += 1) {
      await this.#pause(signal, (resolve) => this.#options.timers.after(GATHER_MS, resolve));
      if ([...this.#open.values()].every(({ isStill }) => isStill())) return;
    }
  }

  #asksCaller(): boolean {
    // Who knows of a question that somebody else decides waits for that.
    return [...this.#open.values()].some(
      ({ route, isReported }) => route === 'result' || (route === 'store' && !isReported),
    );
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async #pause(signal: AbortSignal, begin: (resolve: () => void) => () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => resolve(undefined);
    const forget = begin(end);
    signal.addEventListener('abort', end, { once: true });
    try {
      await promise;
    } finally {
      forget();
      signal.removeEventListener('abort', end);
    }
  }
}

/** Counts for nothing: the question has its end. */
const NOBODY: QuestionAnswer = { unavailable: 'store_unavailable' };
