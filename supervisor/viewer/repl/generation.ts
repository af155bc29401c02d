import { members } from '../../history/analysis/members.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { success, type Success } from '../../../contract/outcome.ts';
import { PROFILE_LIMITS } from '../../session/profiles/contract.ts';
import type { SetupRefusal } from '../../session/profiles/refusal.ts';
import { randomSecret } from '../secrets.ts';
import type { OpenBackend, ReplBackend } from './backend.ts';
import { evaluationOf } from './evaluation.ts';
import { newTranscript, type SessionTranscript } from './transcript.ts';

export interface GenerationOptions {
  readonly open: OpenBackend;
  readonly now: () => number;
  /** Called with exceptions behind an operation, which are bugs. */
  readonly reportBug: (error: unknown) => void;
}

/** One session, from before it is opened until after it has ended. */
export class Generation {
  readonly id = randomSecret();
  readonly sequence: number;
  readonly transcript: SessionTranscript = newTranscript();
  readonly #options: GenerationOptions;
  /** Ends with the session, or with an opening that took too long. */
  #stop = new AbortController();
  #backend: ReplBackend | null = null;
  #openedAt = 0;
  #evaluations = 0;
  #calls: Readonly<Record<string, number>> = {};
  #terminalReason: string | null = null;
  #isTraceWritten = false;

  constructor(sequence: number, options: GenerationOptions) {
    this.sequence = sequence;
    this.#options = options;
  }

  /** Null before it is opened, and once it has ended. */
  backend(): ReplBackend | null {
    return this.#backend;
  }

  /** What it was opened with; `signal` gives the opening up. */
  async open(signal: AbortSignal): Promise<Success<ReplBackend> | SetupRefusal | 'start_timeout'> {
    if (this.#backend !== null) return success(this.#backend);
    const { open, now, reportBug } = this.#options;
    const stop = this.#stop;
    const opening = open(stop.signal);
    const first = await Promise.race([opening, awaitAbort(signal)]);
    if (first === null) {
      stop.abort();
      // Its result is released as soon as it is there.
      opening.then(async (late) => (late.ok ? late.value.close(null) : null)).catch(reportBug);
      this.#stop = new AbortController();
      return 'start_timeout';
    }
    if (!first.ok) return first;
    this.#backend = first.value;
    this.#openedAt = now();
    return first;
  }

  async evaluate(
    backend: ReplBackend,
    source: string,
    signal: AbortSignal,
  ): Promise<{ readonly evaluation: JsonObject; readonly hasEnded: boolean }> {
    const { now } = this.#options;
    const startedAt = now();
    this.#evaluations += 1;
    const end = await backend.session.evaluate(source, signal);
    const durationMs = now() - startedAt;
    // What a form returned is no part of the history that can be printed again.
    const printed = end.kind === 'value' && end.outcome === 'continued' ? await backend.session.wholeValue() : null;
    const evaluation = evaluationOf({
      id: `evaluation-${this.sequence}-${this.#evaluations}`,
      end,
      printed,
      durationMs,
      calls: backend.calls(),
    });
    this.transcript.add(source, evaluation);
    if (end.ended) this.#terminalReason = end.kind === 'failed' ? end.error.kind : 'run_timeout';
    return { evaluation, hasEnded: end.ended };
  }

  /** Ends it and writes its trace: where that is. `unwritten`: it could not be; null: there is nothing to write. */
  async end(): Promise<{ readonly tracePath: string } | 'unwritten' | null> {
    const backend = this.#backend;
    if (backend === null) return null;
    this.#calls = backend.calls();
    this.#backend = null;
    const { isTraceWritten, tracePath } = await backend.close(null);
    this.#isTraceWritten = isTraceWritten;
    return isTraceWritten ? { tracePath } : 'unwritten';
  }

  /** Gives up what is at work. */
  stop(): void {
    this.#stop.abort();
  }

  /** What people are shown of it; null where there was nothing yet. */
  members(): JsonObject | null {
    const backend = this.#backend;
    if (backend === null && this.#evaluations === 0) return null;
    const calls = Object.values(backend === null ? this.#calls : backend.calls());
    return members({
      profile_id: backend?.profile.id,
      profile_digest: backend?.profileDigest,
      namespaces: backend === null ? undefined : [...backend.profile.namespaces],
      evaluation_count: this.#evaluations,
      terminal_reason: this.#terminalReason,
      usage: members({
        evaluations: this.#evaluations,
        capability_calls: calls.reduce((all, count) => all + count, 0),
        remaining_ms: backend === null ? 0 : this.#remainingMs(),
      }),
      snapshot: backend === null ? undefined : snapshotOf(backend),
      trace: members({ 'written?': this.#isTraceWritten }),
    });
  }

  #remainingMs(): number {
    return Math.max(0, Math.round(this.#openedAt + PROFILE_LIMITS.run_duration_ms - this.#options.now()));
  }
}

function snapshotOf({ counts }: ReplBackend): JsonObject {
  return members(
    Object.fromEntries(
      [...counts].map(([name, { files, runs }]) => [name, members({ file_count: files, run_count: runs })]),
    ),
  );
}

async function awaitAbort(signal: AbortSignal): Promise<null> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
    });
  return null;
}
