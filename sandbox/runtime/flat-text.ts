/** Matches every text. */
const ANY = /^/;

/**
 * The same text in one piece. The engine keeps a text that was put together of others as a rope of 32 bytes for each of
 * them until something looks into it, as a pattern does; plainer looks it does without, or leaves out as useless.
 */
export function flatText(text: string): string {
  ANY.test(text);
  return text;
}

/** Parts that are made one piece at a time. */
const PARTS = 256;

/** A long text in the making: of its parts only the last few are a rope. */
export class LongText {
  #whole = '';
  #recent = '';
  #parts = 0;

  get length(): number {
    return this.#whole.length + this.#recent.length;
  }

  add(part: string): void {
    this.#recent += part;
    this.#parts += 1;
    if (this.#parts < PARTS) return;
    this.#whole += flatText(this.#recent);
    this.#recent = '';
    this.#parts = 0;
  }

  text(): string {
    return this.#whole + this.#recent;
  }
}
