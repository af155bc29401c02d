import { doAll, type Done, type Sliced } from './sliced.ts';
import { slicedSort, sortedMembers, type Member } from './sorted-members.ts';
import { isJsonArray, isJsonObject, type JsonScalar, type JsonValue } from './value.ts';

/** What a notation writes around and for the parts of a value; items and members are separated by commas. */
export interface TreeNotation {
  readonly scalar: (value: JsonScalar) => string;
  readonly key: (key: string) => string;
  /** A piece of a string's inside. */
  readonly piece: (text: string) => string;
  /** Around a string that is written piece by piece. */
  readonly string: readonly [open: string, close: string];
  readonly array: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  /** Before the key, between key and value, after the value. */
  readonly member: readonly [open: string, between: string, close: string];
}

/** A container that is being written; `keys` is null for an array, else as long as `values`. */
interface Level {
  readonly keys: readonly string[] | null;
  readonly values: readonly JsonValue[];
  next: number;
}

/** A string that is too long for one go. */
interface LongString {
  readonly text: string;
  next: number;
}

/** An object that is too large for that. */
interface Sorting {
  readonly sorting: Sliced<readonly Member[]>;
}

/** Units of a string that are written in one go, and the size at which what was written is put aside. */
const PIECE = 16_384;
/** Members of an object that are sorted in one go. */
const SORTED_AT_ONCE = 1024;

/**
 * Writes a value in a notation, members sorted by the UTF-8 bytes of their keys. Open containers are kept in a list,
 * so that nesting never reaches the call stack.
 */
export function writeTree(value: JsonValue, notation: TreeNotation): string {
  return doAll(new TreeWriter(value, notation));
}

/**
 * As `writeTree`, in slices. A unit of its work is a unit of text that was written, or a member that was sorted; a key
 * is written whole.
 */
export function slicedTree(value: JsonValue, notation: TreeNotation): Sliced<string> {
  return new TreeWriter(value, notation);
}

class TreeWriter implements Sliced<string> {
  readonly #notation: TreeNotation;
  readonly #levels: Level[] = [];
  /** Put aside, each in one piece of memory. */
  readonly #pieces: string[] = [];
  /** What is not put aside yet. */
  #text = '';
  /** What comes before any further item. */
  #first: LongString | Sorting | null = null;
  /** Units of the slice that are left. */
  #left = 0;

  constructor(value: JsonValue, notation: TreeNotation) {
    this.#notation = notation;
    this.#text = this.#begin(value);
  }

  advance(units: number): Done<string> | null {
    this.#left = units;
    while (this.#left > 0) {
      const first = this.#first;
      if (first === null && this.#levels.length === 0) {
        return { result: this.#pieces.length === 0 ? this.#text : [...this.#pieces, this.#text].join('') };
      }
      if (first === null) {
        this.#writeItems();
      } else if ('text' in first) {
        this.#writePieces(first);
      } else {
        this.#sort(first);
      }
    }
    return null;
  }

  /** The text of a scalar, or the opening of what `advance` goes on with. */
  #begin(value: JsonValue): string {
    if (isJsonArray(value)) {
      this.#levels.push({ keys: null, values: value, next: 0 });
      return this.#notation.array[0];
    }
    if (isJsonObject(value)) {
      if (value.size > SORTED_AT_ONCE) {
        this.#first = { sorting: slicedSort(value) };
      } else {
        this.#levels.push(levelOf(sortedMembers(value)));
      }
      return this.#notation.object[0];
    }
    if (typeof value === 'string' && value.length > PIECE && value.isWellFormed()) {
      this.#first = { text: value, next: 0 };
      return this.#notation.string[0];
    }
    return this.#notation.scalar(value);
  }

  /** Writes items until something else comes first, enough is written for one piece, or nothing is left. */
  #writeItems(): void {
    const { key: writeKey, array, object, member } = this.#notation;
    const [memberOpen, memberBetween, memberClose] = member;
    const levels = this.#levels;
    let text = this.#text;
    const before = text.length;
    const most = Math.min(PIECE, before + this.#left);
    let level = levels.at(-1);
    while (level !== undefined && text.length < most && this.#first === null) {
      const { keys, values, next } = level;
      const item = values[next];
      const written = keys !== null && next > 0 ? memberClose : '';
      if (item === undefined) {
        levels.pop();
        text += written + (keys === null ? array[1] : object[1]);
      } else {
        level.next += 1;
        const key = keys?.[next];
        text += written + (next > 0 ? ',' : '') + (key === undefined ? '' : memberOpen + writeKey(key) + memberBetween);
        text += this.#begin(item);
      }
      level = levels.at(-1);
    }
    this.#left -= text.length - before;
    this.#text = text;
    if (text.length >= PIECE) {
      this.#putAside();
    }
  }

  #writePieces(string: LongString): void {
    const { text } = string;
    while (string.next < text.length && this.#left > 0) {
      this.#text += this.#notation.piece(text.slice(string.next, string.next + PIECE));
      string.next += PIECE;
      this.#left -= PIECE;
      this.#putAside();
    }
    if (string.next >= text.length) {
      this.#text += this.#notation.string[1];
      this.#first = null;
    }
  }

  #sort({ sorting }: Sorting): void {
    const sorted = sorting.advance(this.#left);
    if (sorted !== null) {
      this.#levels.push(levelOf(sorted.result));
      this.#first = null;
    }
    // What it took of the slice it does not say: all of it.
    this.#left = 0;
  }

  #putAside(): void {
    // Asked for a unit, the engine makes one piece of a text that was put together from many.
    this.#text.charCodeAt(0);
    this.#pieces.push(this.#text);
    this.#text = '';
  }
}

function levelOf(members: readonly Member[]): Level {
  return { keys: members.map(([key]) => key), values: members.map(([, value]) => value), next: 0 };
}
