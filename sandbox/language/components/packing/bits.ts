/** Bits as text: six to a character. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS = 6;

/** Characters that are joined at once. */
const PIECE = 4096;

export class BitWriter {
  readonly #pieces: string[] = [];
  #piece: string[] = [];
  #buffered = 0;
  #count = 0;

  /** The lowest `count` bits (at most 24) of a number, highest first. */
  write(bits: number, count: number): void {
    this.#buffered = (this.#buffered << count) | bits;
    this.#count += count;
    while (this.#count >= BITS) {
      this.#count -= BITS;
      this.#piece.push(DIGITS[this.#buffered >>> this.#count] ?? '');
      this.#buffered &= (1 << this.#count) - 1;
    }
    if (this.#piece.length < PIECE) return;
    this.#pieces.push(this.#piece.join(''));
    this.#piece = [];
  }

  /** All that was written, filled up with zeros. */
  text(): string {
    const last = this.#count === 0 ? '' : (DIGITS[this.#buffered << (BITS - this.#count)] ?? '');
    return [...this.#pieces, ...this.#piece, last].join('');
  }
}

export class BitReader {
  readonly #text: string;
  #index: number;
  #buffered = 0;
  #count = 0;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#index = from;
  }

  /** The next bits (at most 24) as a number. Throws a TypeError where there are no bits. */
  read(count: number): number {
    while (this.#count < count) {
      const digit = VALUES[this.#text.charCodeAt(this.#index)];
      if (digit === undefined || digit < 0) throw new TypeError('no bits of a packed text');
      this.#buffered = (this.#buffered << BITS) | digit;
      this.#count += BITS;
      this.#index += 1;
    }
    this.#count -= count;
    const bits = this.#buffered >>> this.#count;
    this.#buffered &= (1 << this.#count) - 1;
    return bits;
  }
}

/** The value of each digit by its character code. */
const VALUES: readonly number[] = Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));
