import type { JsonObject } from '../../../contract/json/value.ts';
import type { SetupRefusal } from '../../session/profiles/refusal.ts';

/** evidence.md §11, REPL. */
export type Lifecycle =
  | 'never_started'
  | 'open'
  | 'evaluating'
  | 'templating'
  | 'closed'
  | 'terminal'
  | 'terminal_unpersisted'
  | 'persistence_failed'
  | 'backend_failed';

/** Why an operation was not carried out. */
export type ReplFault =
  | {
      readonly fault:
        | 'operation_active'
        | 'session_closed'
        | 'session_terminal'
        | 'persistence_failed'
        | 'adapter_failure'
        | 'start_timeout';
    }
  | { readonly fault: 'not_opened'; readonly refusal: SetupRefusal };

/** `answer`: what the answer has in addition to the state of the session. */
export type Done = { readonly ok: true; readonly answer: JsonObject } | ({ readonly ok: false } & ReplFault);

export function refused(fault: Exclude<ReplFault['fault'], 'not_opened'>): Done {
  return { ok: false, fault };
}

/** Why a session in this lifecycle does nothing more; null: it does. */
function endedFault(lifecycle: Lifecycle): Done | null {
  switch (lifecycle) {
    case 'never_started':
    case 'open':
    case 'evaluating':
    case 'templating':
      return null;
    case 'terminal':
    case 'terminal_unpersisted':
      return refused('session_terminal');
    case 'closed':
    case 'persistence_failed':
    case 'backend_failed':
      return refused('session_closed');
  }
}

/** Operations on a session, one at a time, and the lifecycle that they leave it in. */
export class Operations {
  readonly #reportBug: (error: unknown) => void;
  #lifecycle: Lifecycle = 'never_started';
  #revision = 0;
  #active: Promise<void> | null = null;

  /** `reportBug`: called with what an operation throws. */
  constructor(reportBug: (error: unknown) => void) {
    this.#reportBug = reportBug;
  }

  lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  /** Changes with the lifecycle. */
  revision(): number {
    return this.#revision;
  }

  become(lifecycle: Lifecycle): void {
    this.#lifecycle = lifecycle;
    this.#revision += 1;
  }

  /** Settles when the operation that is at work has ended. */
  async idle(): Promise<void> {
    await this.#active;
  }

  /**
   * Whatever `work` throws is a bug, which the session does not outlive. `after`: asked for the lifecycle that follows
   * where `work` has changed none.
   */
  async alone(during: Lifecycle, work: () => Promise<Done>, after: () => Lifecycle): Promise<Done> {
    if (this.#active !== null) return refused('operation_active');
    this.become(during);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#active = promise;
    try {
      const done = await work();
      if (this.#lifecycle === during) this.become(after());
      return done;
    } catch (error) {
      this.#reportBug(error);
      this.become('backend_failed');
      return refused('adapter_failure');
    } finally {
      this.#active = null;
      resolve();
    }
  }

  /** The same of a session that has not ended. */
  async aloneWhileLiving(during: Lifecycle, work: () => Promise<Done>, after: () => Lifecycle): Promise<Done> {
    return endedFault(this.#lifecycle) ?? this.alone(during, work, after);
  }
}
