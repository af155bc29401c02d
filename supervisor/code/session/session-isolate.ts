import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { lastingIsolate, type LastingIsolate } from '../../run/workflow-isolates.ts';
import type { SessionRoom } from './session-room.ts';

/** The isolate in which the programs of a session see each other's definitions, until it is given up. */
export class SessionIsolate {
  readonly #domain: () => string;
  #isolate: LastingIsolate | null = null;
  /** Its compiled components; null without any. */
  #code: string | null = null;

  /** `domain`: names the domain of its next isolate. */
  constructor(domain: () => string) {
    this.#domain = domain;
  }

  /** Whether there is one, and it was made with other components. */
  isOfOther(code: string | null): boolean {
    return this.#isolate !== null && this.#code !== code;
  }

  open(room: SessionRoom, sandbox: Sandbox): LastingIsolate {
    if (this.#isolate !== null) return this.#isolate;
    this.#code = room.code;
    this.#isolate = lastingIsolate({
      take: async () => ({
        isolate: await sandbox.openIsolate({
          environment: 'mission',
          trustDomain: this.#domain(),
          heapWords: room.application.limits.evaluation_heap_words,
        }),
        bundle: room.code,
      }),
      giveBack: (input) => input.dispose(),
    });
    return this.#isolate;
  }

  async drop(): Promise<void> {
    const ending = this.#isolate;
    this.#isolate = null;
    await ending?.close();
  }
}
