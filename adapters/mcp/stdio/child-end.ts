import { setTimeout as pause } from 'node:timers/promises';
import { STDERR_END_BYTES } from '../../../contract/provider-protocol/provider-words.ts';
import type { LastWords } from '../exchanged.ts';
import type { ChildExit, GuardedChild } from './guarded-child.ts';
import { stderrTail } from './stderr-tail.ts';

/** Milliseconds that the output of a server that has exited may be held open by somebody else. */
const DRAIN_MS = 250;

/** How a child comes to its end, and the last that it writes on its standard error. */
export class ChildEnd {
  readonly #child: Pick<GuardedChild, 'exited'>;
  readonly #stderr = stderrTail(STDERR_END_BYTES);
  readonly #drained = Promise.withResolvers<void>();
  #exit: ChildExit | null = null;

  /** `onGone`: it exited, and its output had the time to end. */
  constructor(child: Pick<GuardedChild, 'exited' | 'stderr'>, onClosed: () => void) {
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    child.stderr.once('close', () => this.#drained.resolve());
    void this.#follow(onClosed);
  }

  /** `isOver`: its words end soon, and are waited for. One that is ended by what it wrote may live. */
  async lastWords(isOver: boolean): Promise<LastWords> {
    const whole = Promise.all([this.#child.exited, this.#drained.promise]);
    if (isOver) await Promise.race([whole, pause(DRAIN_MS, undefined, { ref: false })]);
    return { end: this.#exit === null ? null : exitWords(this.#exit), stderr: this.#stderr.since(0) };
  }

  async #follow(onClosed: () => void): Promise<void> {
    this.#exit = await this.#child.exited;
    // Its output may be held by a process that it started.
    setTimeout(() => {
      onClosed();
      this.#drained.resolve();
    }, DRAIN_MS).unref();
  }
}

function exitWords({ code, signal }: ChildExit): string {
  return signal === null ? `it exited with status ${code ?? 'unknown'}` : `it was ended by ${signal}`;
}
