/** Units that an entry keeps of what was printed (language.md §18). */
const ENTRY_LENGTH = 2000;

/** The output of one evaluation, cut into entries (language.md §18). */
export class PrintStream {
  #entries: string[] = [];
  #pending = '';
  /** Texts under capture, by print call; innermost capture last. */
  readonly #captured: string[][] = [];

  /** Takes the text of one print call. */
  write(text: string): void {
    const captured = this.#captured.at(-1);
    if (captured !== undefined) {
      captured.push(text);
      return;
    }
    this.#pending += text;
    if (this.#pending.endsWith('\n')) {
      this.#entries.push(cut(this.#pending.slice(0, -1)));
      this.#pending = '';
    }
  }

  /** Runs a body and gives back what it printed, by print call, instead of letting it through. */
  capture(body: () => unknown): readonly string[] {
    const printed: string[] = [];
    const depth = this.#captured.push(printed);
    try {
      body();
      return printed;
    } finally {
      this.#captured.length = depth - 1;
    }
  }

  /** The entries so far; the stream is empty afterwards. */
  take(): string[] {
    const entries = this.#pending === '' ? this.#entries : [...this.#entries, cut(this.#pending)];
    this.#entries = [];
    this.#pending = '';
    this.#captured.length = 0;
    return entries;
  }
}

function cut(entry: string): string {
  return entry.length > ENTRY_LENGTH ? `${entry.slice(0, ENTRY_LENGTH)}...` : entry;
}
