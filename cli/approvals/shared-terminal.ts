import { closeSync, writeSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { DISCARD_MS, openTerminalDevice, terminalColumns } from './controlling-terminal.ts';
import type { Terminal } from './terminal-asker.ts';

const CTRL_C = '\u0003';

/** How lines are typed there now. */
export interface SharedTerminalOptions {
  /** False for terminals that cannot move the cursor. */
  readonly canEdit: boolean;
  /** Called for Ctrl+C, of which the system makes no signal while keys are read. */
  readonly interrupt: () => void;
}

/**
 * The controlling terminal, for questions within a conversation that is typed at it: nothing is read of it but while a
 * question is open. Null without a terminal.
 */
export function openSharedTerminal(options: () => SharedTerminalOptions): Terminal | null {
  const descriptor = openTerminalDevice();
  return descriptor === null ? null : new SharedTerminal(descriptor, options);
}

class SharedTerminal implements Terminal {
  readonly #descriptor: number;
  readonly #options: () => SharedTerminalOptions;
  readonly #output: Writable;
  /** The line that the cursor is in: the editor of lines writes it, and again after each change. */
  #prompt = '';
  #isLost = false;

  constructor(descriptor: number, options: () => SharedTerminalOptions) {
    this.#descriptor = descriptor;
    this.#options = options;
    this.#output = new Writable({
      write: (chunk: Buffer, _, done) => {
        this.#put(chunk);
        done();
      },
    });
  }

  write(text: string): void {
    const whole = this.#prompt + text;
    const end = whole.lastIndexOf('\n') + 1;
    this.#prompt = whole.slice(end);
    this.#put(Buffer.from(whole.slice(0, end)));
  }

  #put(text: Buffer): void {
    try {
      writeSync(this.#descriptor, text);
    } catch {
      // Nobody could read the question, so nobody can answer it.
      this.#isLost = true;
    }
  }

  columns(): number {
    return terminalColumns();
  }

  /** Read without lines, so that what has no end yet comes too. */
  async discardTyped(): Promise<void> {
    const stream = this.#open();
    if (stream === null) return;
    let typed = '';
    stream.on('data', (chunk: Buffer) => {
      typed += chunk.toString('latin1');
    });
    stream.setRawMode(true);
    await new Promise((resolve) => setTimeout(resolve, DISCARD_MS));
    stream.setRawMode(false);
    stream.destroy();
    if (!typed.includes(CTRL_C)) return;
    this.#options().interrupt();
  }

  async readLine(signal: AbortSignal): Promise<string | null> {
    const input = signal.aborted ? null : this.#open();
    if (input === null) return null;
    const { canEdit, interrupt } = this.#options();
    const prompt = this.#prompt;
    this.#prompt = '';
    const editor = createInterface({
      input,
      output: Object.assign(this.#output, { columns: terminalColumns() }),
      terminal: canEdit,
      historySize: 0,
      prompt,
    });
    try {
      return await nextLine(editor, signal, interrupt);
    } finally {
      editor.close();
      input.destroy();
    }
  }

  /** A stream that pauses goes on reading what it can keep, so each is closed; closing it closes its descriptor. */
  #open(): ReadStream | null {
    const descriptor = this.#isLost ? null : openTerminalDevice();
    if (descriptor === null) return null;
    return new ReadStream(descriptor).on('error', () => {
      this.#isLost = true;
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function nextLine(editor: Interface, signal: AbortSignal, interrupt: () => void): Promise<string | null> {
  return new Promise((resolve) => {
    const over = (): void => resolve(null);
    signal.addEventListener('abort', over, { once: true });
    editor.once('line', resolve);
    editor.once('close', () => {
      signal.removeEventListener('abort', over);
      resolve(null);
    });
    editor.on('SIGINT', () => {
      interrupt();
      resolve(null);
    });
    editor.prompt();
  });
}
