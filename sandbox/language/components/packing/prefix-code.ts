import type { BitReader, BitWriter } from './bits.ts';

/** Bits of the longest code word. */
const LONGEST = 15;
/** Bits for the length of a code word. */
const LENGTH_BITS = 4;

/**
 * A code of words of which none begins another, the shorter the more frequent the symbol (Huffman), in canonical form:
 * the lengths of the words say all.
 */
export class PrefixCode {
  readonly #lengths: readonly number[];
  readonly #words: readonly number[];
  /** Symbols in the order of their words, and for each length how many have it. */
  readonly #symbols: readonly number[];
  readonly #counts: readonly number[];

  private constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
    const counts = Array.from({ length: LONGEST + 1 }, () => 0);
    for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
    this.#counts = counts;
    this.#symbols = lengths
      .map((_, symbol) => symbol)
      .filter((symbol) => lengths[symbol] !== 0)
      .toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
    this.#words = wordsOf(lengths, this.#symbols);
  }

  /** The best code for symbols that occur so often. */
  static for(frequencies: readonly number[]): PrefixCode {
    let scaled = frequencies;
    for (;;) {
      const lengths = lengthsOf(scaled);
      if (Math.max(0, ...lengths) <= LONGEST) return new PrefixCode(lengths);
      scaled = scaled.map((frequency) => Math.ceil(frequency / 4));
    }
  }

  /** A code that `describe` wrote, for so many symbols. */
  static read(bits: BitReader, symbols: number): PrefixCode {
    return new PrefixCode(Array.from({ length: symbols }, () => bits.read(LENGTH_BITS)));
  }

  describe(bits: BitWriter): void {
    for (const length of this.#lengths) bits.write(length, LENGTH_BITS);
  }

  write(bits: BitWriter, symbol: number): void {
    bits.write(this.#words[symbol] ?? 0, this.#lengths[symbol] ?? 0);
  }

  /** Reads one symbol. Throws a TypeError for bits that are no word. */
  next(bits: BitReader): number {
    let word = 0;
    let first = 0;
    let before = 0;
    for (let length = 1; length <= LONGEST; length += 1) {
      word = (word << 1) | bits.read(1);
      const count = this.#counts[length] ?? 0;
      if (word - first < count) return this.#symbols[before + word - first] ?? 0;
      before += count;
      first = (first + count) << 1;
    }
    throw new TypeError('no word of a packed text');
  }
}

function wordsOf(lengths: readonly number[], symbols: readonly number[]): number[] {
  const words = lengths.map(() => 0);
  let word = 0;
  let before = 0;
  for (const symbol of symbols) {
    const length = lengths[symbol] ?? 0;
    word <<= length - before;
    words[symbol] = word;
    word += 1;
    before = length;
  }
  return words;
}

interface Tree {
  readonly frequency: number;
  readonly symbols: readonly number[];
}

/** Lengths of the words; 0 for symbols that do not occur. */
function lengthsOf(frequencies: readonly number[]): number[] {
  const lengths = frequencies.map(() => 0);
  const leaves: Tree[] = frequencies
    .map((frequency, symbol) => ({ frequency, symbols: [symbol] }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => a.frequency - b.frequency);
  if (leaves.length === 1) for (const symbol of leaves[0]?.symbols ?? []) lengths[symbol] = 1;
  // Both queues are ascending, so the two least frequent trees are always at their heads.
  const joined: Tree[] = [];
  let [leaf, join] = [0, 0];
  const least = (): Tree => {
    const [a, b] = [leaves[leaf], joined[join]];
    if (a !== undefined && (b === undefined || a.frequency <= b.frequency)) {
      leaf += 1;
      return a;
    }
    join += 1;
    return b ?? { frequency: 0, symbols: [] };
  };
  for (let joins = leaves.length - 1; joins > 0; joins -= 1) {
    const [a, b] = [least(), least()];
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    joined.push({ frequency: a.frequency + b.frequency, symbols });
  }
  return lengths;
}
