import { BitReader, BitWriter } from './bits.ts';
import { PrefixCode } from './prefix-code.ts';
import { LEAST, takeApart } from './repetitions.ts';

/**
 * Packs a long text. Generated code repeats itself and the names of its source so much that a bundle of the largest
 * source the language allows stays below the bound of a compiled one (language.md §13); short bundles, which are loaded
 * at every start, stay as they are.
 *
 * A packed text is its length in UTF-16 units, a line feed, and bits: the two prefix codes, then a word for each unit
 * or length of a repetition; after a length a word for the distance. Lengths and distances are in groups, the larger
 * the wider, each followed by the bits that say which of the group it is.
 */

/** Units with a word of their own; others follow the word `OTHER` in 16 bits. */
const UNITS = 256;
const OTHER = UNITS;
const LENGTHS = OTHER + 1;
const GROUPS = 48;
const UNIT_BITS = 16;

/**
 * The group of a number and the bits within it: 0 to 3 are groups of their own, then two groups for each power of two.
 */
function groupOf(number: number): { readonly group: number; readonly bits: number } {
  if (number < 4) return { group: number, bits: 0 };
  const power = 31 - Math.clz32(number);
  return { group: 2 * power + ((number >> (power - 1)) & 1), bits: power - 1 };
}

function leastOf(group: number): { readonly number: number; readonly bits: number } {
  if (group < 4) return { number: group, bits: 0 };
  const power = group >> 1;
  return { number: (2 + (group & 1)) << (power - 1), bits: power - 1 };
}

export function pack(text: string): string {
  const tokens = takeApart(text);
  const words = Array.from({ length: LENGTHS + GROUPS }, () => 0);
  const distances = Array.from({ length: GROUPS }, () => 0);
  visitTokens(tokens, {
    unit: (unit) => {
      count(words, Math.min(unit, OTHER));
    },
    repetition: (length, distance) => {
      count(words, LENGTHS + groupOf(length - LEAST).group);
      count(distances, groupOf(distance).group);
    },
  });
  const bits = new BitWriter();
  const wordCode = PrefixCode.for(words);
  const distanceCode = PrefixCode.for(distances);
  wordCode.describe(bits);
  distanceCode.describe(bits);
  const number = (code: PrefixCode, from: number, value: number): void => {
    const { group, bits: within } = groupOf(value);
    code.write(bits, from + group);
    bits.write(value & ((1 << within) - 1), within);
  };
  visitTokens(tokens, {
    unit: (unit) => {
      wordCode.write(bits, Math.min(unit, OTHER));
      if (unit >= OTHER) bits.write(unit, UNIT_BITS);
    },
    repetition: (length, distance) => {
      number(wordCode, LENGTHS, length - LEAST);
      number(distanceCode, 0, distance);
    },
  });
  return `${text.length}\n${bits.text()}`;
}

interface TokenVisitor {
  unit(unit: number): void;
  repetition(length: number, distance: number): void;
}

function visitTokens(tokens: readonly number[], visitor: TokenVisitor): void {
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? 0;
    if (token >= 0) visitor.unit(token);
    else {
      index += 1;
      visitor.repetition(-token, tokens[index] ?? 0);
    }
  }
}

function count(counts: number[], symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

/** Units that are made into a string at once. */
const SLICE = 8192;

/** The text that `pack` packed. Throws a TypeError or RangeError for what it never makes. */
export function unpack(packed: string): string {
  const end = packed.indexOf('\n');
  const units = new Uint16Array(Number(packed.slice(0, end)));
  const bits = new BitReader(packed, end + 1);
  const wordCode = PrefixCode.read(bits, LENGTHS + GROUPS);
  const distanceCode = PrefixCode.read(bits, GROUPS);
  const number = (group: number): number => {
    const least = leastOf(group);
    return least.number + bits.read(least.bits);
  };
  let at = 0;
  while (at < units.length) {
    const word = wordCode.next(bits);
    if (word < LENGTHS) {
      units[at] = word < OTHER ? word : bits.read(UNIT_BITS);
      at += 1;
      continue;
    }
    const length = number(word - LENGTHS) + LEAST;
    const distance = number(distanceCode.next(bits));
    // One by one: what is repeated may reach into the repetition itself.
    for (const to = Math.min(at + length, units.length); at < to; at += 1) units[at] = units[at - distance] ?? 0;
  }
  const slices: string[] = [];
  for (let from = 0; from < units.length; from += SLICE)
    slices.push(String.fromCharCode(...units.subarray(from, from + SLICE)));
  return slices.join('');
}
