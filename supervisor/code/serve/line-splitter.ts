const LF = 0x0a;
const CR = 0x0d;

/** Cuts a stream of bytes into lines; of one that is longer than it may be, nothing is kept. */
export class LineSplitter {
  readonly #limit: number;
  readonly #onLine: (line: Uint8Array | null) => void;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isTooLong = false;

  /** `onLine`: called with each line without its end; null for one that is too long. Empty lines are nothing. */
  constructor(limit: number, onLine: (line: Uint8Array | null) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#add(chunk.subarray(from, at));
      this.#end();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limit + 1) {
      this.#isTooLong = true;
      this.#parts = [];
    } else if (part.length > 0) this.#parts.push(part.slice());
  }

  #end(): void {
    const whole = Buffer.concat(this.#parts);
    const line = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
    const isTooLong = this.#isTooLong || line.length > this.#limit;
    [this.#parts, this.#bytes, this.#isTooLong] = [[], 0, false];
    if (isTooLong) this.#onLine(null);
    else if (line.length > 0) this.#onLine(line);
  }
}
