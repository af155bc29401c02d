import { constants, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Terminal } from './terminal-asker.ts';

const PATH = '/dev/tty';
const COLUMNS = 80;
/** How long what was typed before may take to be read. */
export const DISCARD_MS = 20;
/** A line of a person: what is longer is none. */
const LINE_MAX = 4096;

/** The terminal of this process, whatever its standard streams are; null without one. */
export function openControllingTerminal(): Terminal | null {
  const descriptor = openTerminalDevice();
  return descriptor === null ? null : new ControllingTerminal(descriptor);
}

/** A descriptor of the controlling terminal; null without one. */
export function openTerminalDevice(): number | null {
  try {
    return openSync(PATH, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

export function terminalColumns(): number {
  return process.stderr.columns > 0 ? process.stderr.columns : COLUMNS;
}

class ControllingTerminal implements Terminal {
  readonly #descriptor: number;
  readonly #stream: ReadStream;
  #typed = '';
  #isLost = false;
  #wake: () => void = () => undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#stream = new ReadStream(descriptor);
    this.#stream.setEncoding('utf8');
    this.#stream.on('data', (text) => {
      this.#typed = (this.#typed + String(text)).slice(-LINE_MAX);
      this.#wake();
    });
    const onLost = (): void => {
      this.#isLost = true;
      this.#wake();
    };
    this.#stream.on('end', onLost);
    this.#stream.on('error', onLost);
    this.#stream.on('close', onLost);
    this.#stream.pause();
  }

  write(text: string): void {
    try {
      writeSync(this.#descriptor, text);
    } catch {
      // Nobody could read the question, so nobody can answer it.
      this.#isLost = true;
      this.#wake();
    }
  }

  columns(): number {
    return terminalColumns();
  }

  /** Read without lines, so that what has no end yet comes too. */
  async discardTyped(): Promise<void> {
    if (this.#isLost) return;
    this.#stream.setRawMode(true);
    this.#stream.resume();
    await new Promise((resolve) => setTimeout(resolve, DISCARD_MS));
    this.#stream.pause();
    this.#stream.setRawMode(false);
    // Without lines the terminal makes no signal of it.
    if (this.#typed.includes('\u0003')) process.kill(process.pid, 'SIGINT');
    this.#typed = '';
  }

  async readLine(signal: AbortSignal): Promise<string | null> {
    this.#stream.resume();
    const over = (): void => this.#wake();
    signal.addEventListener('abort', over);
    try {
      for (;;) {
        if (this.#isLost || signal.aborted) return null;
        const end = this.#typed.indexOf('\n');
        if (end !== -1) {
          const line = this.#typed.slice(0, end);
          this.#typed = this.#typed.slice(end + 1);
          return line;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', over);
      this.#stream.pause();
    }
  }

  close(): void {
    // Closes the descriptor too.
    this.#stream.destroy();
  }
}
