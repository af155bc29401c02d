import type { Clock } from '../../system/clock.ts';
import { plainError, type FormError } from './form-end.ts';
import type { SessionLimits } from './limits.ts';

/** What a whole session may have: its time, and how many forms it evaluates. */
export class SessionQuota {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limits: Pick<SessionLimits, 'durationMs' | 'evaluations'>;
  readonly #deadline: number;
  #evaluations = 0;

  /** Its time begins now. */
  constructor(clock: Pick<Clock, 'monotonic'>, limits: Pick<SessionLimits, 'durationMs' | 'evaluations'>) {
    this.#clock = clock;
    this.#limits = limits;
    this.#deadline = clock.monotonic() + limits.durationMs;
  }

  /** The limit that is reached, as an error; null: none. */
  reached(): FormError | null {
    if (this.remainingMs() <= 0) return this.timeError();
    const { evaluations } = this.#limits;
    if (this.#evaluations < evaluations) return null;
    return plainError('runtime_limit_exceeded', `the session has had its ${evaluations} evaluations`);
  }

  timeError(): FormError {
    return plainError('run_timeout', `the session has had its ${this.#limits.durationMs} ms`);
  }

  remainingMs(): number {
    return this.#deadline - this.#clock.monotonic();
  }

  count(): void {
    this.#evaluations += 1;
  }
}
