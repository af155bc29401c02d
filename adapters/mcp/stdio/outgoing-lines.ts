import type { Writable } from 'node:stream';

/** A line on its way to a server. */
export interface OutgoingLine {
  readonly bytes: Buffer;
  /** A message answers a server, or informs it: nobody waits for what comes back. */
  readonly kind: 'request' | 'message';
  state: 'waiting' | 'writing' | 'written';
}

/** Writes lines in their order, the next one once the one before was taken. */
export class OutgoingLines {
  readonly #stream: Writable;
  readonly #onFault: () => void;
  readonly #waiting: OutgoingLine[] = [];
  #isWriting = false;
  #isOpen = true;

  /** `onFault`: the stream takes no more. */
  constructor(stream: Writable, onFault: () => void) {
    this.#stream = stream;
    this.#onFault = onFault;
  }

  /** Messages that the server has not read yet. */
  get waitingMessages(): number {
    return this.#waiting.filter(({ kind }) => kind === 'message').length;
  }

  add(kind: OutgoingLine['kind'], text: string): OutgoingLine {
    const line: OutgoingLine = { bytes: Buffer.from(`${text}\n`), kind, state: 'waiting' };
    this.#waiting.push(line);
    this.#writeNext();
    return line;
  }

  /** Takes back a line that waits. */
  withdraw(line: OutgoingLine): void {
    const at = this.#waiting.indexOf(line);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  /** Writes nothing more. */
  stop(): void {
    this.#isOpen = false;
    this.#waiting.length = 0;
  }

  #writeNext(): void {
    const line = this.#isWriting || !this.#isOpen ? undefined : this.#waiting.shift();
    if (line === undefined) return;
    line.state = 'writing';
    this.#isWriting = true;
    this.#stream.write(line.bytes, (error) => {
      this.#isWriting = false;
      line.state = 'written';
      if (error === null || error === undefined) this.#writeNext();
      else this.#onFault();
    });
  }
}
