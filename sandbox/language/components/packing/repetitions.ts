/** Units that a repetition has at least. */
export const LEAST = 4;

/** Units that are compared with each earlier place that begins alike, and the most places that are looked at. */
const TABLE_BITS = 16;
const LOOKED_AT = 8;
/** Places whose predecessors are remembered: enough for what is worth it, in a megabyte. */
const REMEMBERED = 2 ** 18;
/** A repetition of this length is good enough. */
const ENOUGH = 32;

/**
 * A text taken apart: each number from 0 up is a unit as it is; each below 0 the length of a repetition, followed by
 * how many units before it was.
 */
export function takeApart(text: string): readonly number[] {
  const earlier = new Earlier(text);
  const tokens: number[] = [];
  let at = 0;
  while (at < text.length) {
    const { length, distance } = earlier.longestAt(at);
    // A short repetition from far away takes more than its units do.
    if (length < LEAST || (length < LEAST + 2 && distance > 4096)) {
      tokens.push(text.charCodeAt(at));
      earlier.add(at);
      at += 1;
      continue;
    }
    tokens.push(-length, distance);
    for (let inside = at; inside < at + length; inside += 1) earlier.add(inside);
    at += length;
  }
  return tokens;
}

/** The places of a text that were passed, by how they begin. */
class Earlier {
  readonly #text: string;
  readonly #last = new Int32Array(2 ** TABLE_BITS).fill(-1);
  readonly #before = new Int32Array(REMEMBERED);

  constructor(text: string) {
    this.#text = text;
  }

  add(at: number): void {
    const slot = this.#slot(at);
    this.#before[at % REMEMBERED] = this.#last[slot] ?? -1;
    this.#last[slot] = at;
  }

  /** The longest repetition at a place; length 0 where there is none. */
  longestAt(at: number): { readonly length: number; readonly distance: number } {
    let [length, distance] = [0, 0];
    let place = this.#last[this.#slot(at)] ?? -1;
    for (let looked = 0; place >= 0 && looked < LOOKED_AT && length < ENOUGH; looked += 1) {
      const found = this.#common(place, at);
      if (found > length) [length, distance] = [found, at - place];
      place = place > at - REMEMBERED ? (this.#before[place % REMEMBERED] ?? -1) : -1;
    }
    return { length, distance };
  }

  #slot(at: number): number {
    const text = this.#text;
    const units =
      Math.imul(text.charCodeAt(at), 0x1f35d) +
      Math.imul(text.charCodeAt(at + 1), 0x2f0b5) +
      Math.imul(text.charCodeAt(at + 2), 0x6a09) +
      text.charCodeAt(at + 3);
    return Math.imul(units, 0x9e3779b1) >>> (32 - TABLE_BITS);
  }

  #common(place: number, at: number): number {
    const text = this.#text;
    let length = 0;
    while (at + length < text.length && text.charCodeAt(place + length) === text.charCodeAt(at + length)) length += 1;
    return length;
  }
}
