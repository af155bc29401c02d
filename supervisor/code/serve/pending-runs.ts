import { RunQuestions } from '../asking/run-questions.ts';

/** Timers that a test can hold still. */
export interface RunTimers {
  /** Calls `act` after so many milliseconds unless what it gives is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

export interface PendingRunsOptions {
  /** Whether a run is cancelled when a question of it expires and no request waits for it (approvals.md §6). */
  readonly endsUnanswered: boolean;
}

export type PendingAnswer<End> =
  | { readonly kind: 'ended'; readonly end: End }
  | { readonly kind: 'running'; readonly id: string }
  /** A person has to answer before it goes on. */
  | { readonly kind: 'asked'; readonly id: string; readonly questions: RunQuestions }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' };

interface PendingRun<End> {
  readonly ended: Promise<End>;
  readonly abort: AbortController;
  readonly questions: RunQuestions;
  /** Requests that wait for its answer. */
  attached: number;
  /** Ends what was to happen if nobody asks. */
  cancelExpiry: () => void;
}

/** Those that wait behind the one that runs. */
const WAITING_MAX = 8;
/** Ends that nobody fetched, and how long they are kept. */
const STORED_MAX = 8;
const RETENTION_MS = 15 * 60_000;
/** A run that nobody asks for is cancelled. */
const UNASKED_MS = 10 * 60_000;

/**
 * Runs of one session, one at a time; one that takes longer than its client waits goes on, and is asked for again
 * (code-mode.md §5, "order" and "slow").
 */
export class PendingRuns<End> {
  readonly #timers: RunTimers;
  readonly #answerWithinMs: number;
  readonly #options: PendingRunsOptions;
  readonly #runs = new Map<string, PendingRun<End>>();
  #count = 0;
  #pending = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(answerWithinMs: number, timers: RunTimers, options: PendingRunsOptions = { endsUnanswered: false }) {
    this.#answerWithinMs = answerWithinMs;
    this.#timers = timers;
    this.#options = options;
  }

  /** `perform` begins when those before it have ended. `closed`: nobody waits for the answer; the run is not wanted. */
  async run(
    perform: (signal: AbortSignal, questions: RunQuestions) => Promise<End>,
    closed: AbortSignal,
  ): Promise<PendingAnswer<End>> {
    if (this.#pending > WAITING_MAX) return { kind: 'busy' };
    this.#pending += 1;
    this.#count += 1;
    const id = `c-${this.#count}`;
    const abort = new AbortController();
    const questions = this.#questionsOf(id);
    const ended = this.#last
      .then(async () => perform(abort.signal, questions))
      .finally(() => {
        this.#pending -= 1;
      });
    this.#last = ended.catch(() => undefined);
    const pendingRun: PendingRun<End> = { ended, abort, questions, attached: 0, cancelExpiry: () => undefined };
    this.#runs.set(id, pendingRun);
    return this.#answer(id, pendingRun, closed);
  }

  async continue(id: string, signal: AbortSignal): Promise<PendingAnswer<End>> {
    const pendingRun = this.#runs.get(id);
    return pendingRun === undefined ? { kind: 'unknown' } : this.#answer(id, pendingRun, signal);
  }

  /** The questions of a run that is held; null: none is held under this ID. */
  questionsOf(id: string): RunQuestions | null {
    return this.#runs.get(id)?.questions ?? null;
  }

  /** Runs that wait for a person. */
  get askingCount(): number {
    return [...this.#runs.values()].filter(({ questions }) => questions.open.length > 0).length;
  }

  /** Ends those for which no request waits. */
  abandonWaiting(): void {
    for (const { abort } of this.#waiting()) abort.abort();
  }

  #waiting(): readonly PendingRun<End>[] {
    return [...this.#runs.values()].filter(({ attached, questions }) => attached === 0 && questions.open.length > 0);
  }

  #questionsOf(id: string): RunQuestions {
    return new RunQuestions({
      toolScope: 'session',
      timers: this.#timers,
      onExpired: () => {
        const pendingRun = this.#runs.get(id);
        // Nobody came back with the answer.
        if (this.#options.endsUnanswered && pendingRun?.attached === 0) pendingRun.abort.abort();
      },
    });
  }

  /** Ends all of them; settles when none is alive. */
  async close(): Promise<void> {
    for (const { abort, cancelExpiry } of this.#runs.values()) {
      cancelExpiry();
      abort.abort();
    }
    await Promise.allSettled([...this.#runs.values()].map(({ ended }) => ended));
    this.#runs.clear();
    await this.#last;
  }

  async #answer(id: string, pendingRun: PendingRun<End>, signal: AbortSignal): Promise<PendingAnswer<End>> {
    pendingRun.cancelExpiry();
    pendingRun.attached += 1;
    const late = Promise.withResolvers<'late'>();
    const cancel = this.#timers.after(this.#answerWithinMs, () => {
      late.resolve('late');
    });
    const over = new AbortController();
    const leave = (): void => {
      pendingRun.abort.abort();
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const end = await Promise.race([
        pendingRun.ended.then((value) => ({ value })),
        late.promise,
        pendingRun.questions.asked(over.signal).then(() => 'asked' as const),
      ]);
      if (end !== 'late' && end !== 'asked') {
        this.#runs.delete(id);
        return { kind: 'ended', end: end.value };
      }
      this.#endUnasked(pendingRun);
      void this.#keepWhenEnded(id, pendingRun);
      const { questions } = pendingRun;
      return questions.open.length > 0 ? { kind: 'asked', id, questions } : { kind: 'running', id };
    } finally {
      pendingRun.attached -= 1;
      over.abort();
      cancel();
      signal.removeEventListener('abort', leave);
    }
  }

  /** A run that waits for a person is not asked for meanwhile: its questions expire by themselves. */
  #endUnasked(pendingRun: PendingRun<End>): void {
    pendingRun.cancelExpiry = this.#timers.after(UNASKED_MS, () => {
      if (pendingRun.questions.open.length > 0) this.#endUnasked(pendingRun);
      else pendingRun.abort.abort();
    });
  }

  async #keepWhenEnded(id: string, pendingRun: PendingRun<End>): Promise<void> {
    try {
      await pendingRun.ended;
    } catch {
      this.#runs.delete(id);
      return;
    }
    this.#keep(id, pendingRun);
  }

  /** An end that nobody waits for now. */
  #keep(id: string, pendingRun: PendingRun<End>): void {
    if (this.#runs.get(id) !== pendingRun) return;
    pendingRun.cancelExpiry();
    pendingRun.cancelExpiry = this.#timers.after(RETENTION_MS, () => {
      this.#runs.delete(id);
    });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > STORED_MAX + this.#pending && oldest !== undefined) this.#runs.delete(oldest);
  }
}
