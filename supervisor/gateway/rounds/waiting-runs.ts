/** A run that outlives the requests that it is answered to. */
export interface WaitingRun {
  readonly runRef: string;
  /** Whether it waits for a person. */
  isAsking(): boolean;
  /** Whether it does, and no request for it. */
  isWaiting(): boolean;
  /** Ends it though its client may come back. */
  abandon(): void;
}

/** Runs that have ended and whose answer a client may still fetch. */
const ENDED_MAX = 16;

/** The runs of a gateway that a client may come back to (approvals.md §6, "retry", "slots"). */
export class WaitingRuns<Run extends WaitingRun> {
  readonly #most: number;
  readonly #others: () => number;
  readonly #live = new Map<string, Run>();
  readonly #ended = new Map<string, Run>();

  /** `most`: runs that wait at once (`--max-waiting-runs`); `others`: those of programs. */
  constructor(most: number, others: () => number = () => 0) {
    this.#most = most;
    this.#others = others;
  }

  /** Those that wait for a person now, also before their client knows of it: so there are never more than may be. */
  get count(): number {
    return this.#others() + [...this.#live.values()].filter((run) => run.isAsking()).length;
  }

  get isFull(): boolean {
    return this.count >= this.#most;
  }

  add(run: Run): void {
    this.#live.set(run.runRef, run);
  }

  find(runRef: string): Run | null {
    return this.#live.get(runRef) ?? this.#ended.get(runRef) ?? null;
  }

  /** `isFetched`: its client has the end. */
  end(run: Run, isFetched: boolean): void {
    this.#live.delete(run.runRef);
    if (isFetched) return;
    this.#ended.set(run.runRef, run);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > ENDED_MAX && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** No client comes back while the gateway stops. */
  abandonWaiting(): void {
    for (const run of this.#live.values()) if (run.isWaiting()) run.abandon();
  }
}
