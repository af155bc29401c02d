import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { Continuation } from '../../calls/kernel/continuations/store.ts';
import { openFormHistory, type FormHistory } from '../../run/forms/form-history.ts';

/** What the programs of a session have defined, which outlives their isolate. */
export class SessionMemory {
  #restored: Continuation | null;
  #history: FormHistory | null = null;

  /** `restored`: what it goes on from; null: nothing. */
  constructor(restored: Continuation | null) {
    this.#restored = restored;
  }

  /** The limits are those of the first program; later ones find the same history. */
  open(limits: Pick<EffectiveLimits, 'evaluation_memory_bytes' | 'evaluation_history_bytes'>): FormHistory {
    this.#history ??= openFormHistory(
      { memoryBytes: limits.evaluation_memory_bytes, historyBytes: limits.evaluation_history_bytes },
      this.#restored,
    );
    return this.#history;
  }

  /** Its isolate is lost. */
  lose(): void {
    this.#history?.lose();
  }

  clear(): void {
    this.#history = null;
    this.#restored = null;
  }

  /** What was kept last, as text; null: nothing was. */
  continuation(): Continuation | null {
    return this.#history === null ? this.#restored : this.#history.continuation();
  }
}
