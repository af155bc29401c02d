/** Bytes of the evidence of sessions that have no project (code-mode.md §1). */
const EVIDENCE_BYTES = 268_435_456;
/** Milliseconds between two looks at how much there is. */
const LOOK_MS = 60_000;

/** What is deleted: of runs of any age the oldest, until the rest has so many bytes. */
export interface EvidenceBound {
  /** Absolute. */
  readonly root: string;
  readonly maxAgeDays: null;
  readonly maxBytes: number;
  readonly isDryRun: false;
  readonly signal: AbortSignal;
}

/** Deletes runs below an artifact root: never one that is being written. */
export type PruneEvidence = (bound: EvidenceBound) => Promise<unknown>;

/** Keeps the evidence of sessions that have no project below its bound. */
export class OwnEvidence {
  readonly #root: string | null;
  readonly #prune: PruneEvidence;
  #nextAt = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: string | null, prune: PruneEvidence) {
    this.#root = root;
    this.#prune = prune;
  }

  /** After a run, or before the first: at most once a minute. */
  look(): void {
    if (this.#root === null || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + LOOK_MS;
    this.#last = this.#pruneRoot(this.#root);
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#root !== null) await this.#pruneRoot(this.#root);
  }

  /** What cannot be deleted now is at the next look. */
  async #pruneRoot(root: string): Promise<void> {
    await this.#prune({
      root,
      maxAgeDays: null,
      maxBytes: EVIDENCE_BYTES,
      isDryRun: false,
      signal: AbortSignal.timeout(LOOK_MS),
    }).catch(() => undefined);
  }
}
