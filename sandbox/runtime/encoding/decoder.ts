import type { Effects } from '../effects.ts';
import type { LispFunction } from '../invoke.ts';
import { ArrayMap, EMPTY_MAP } from '../values/array-map.ts';
import { Atom, Delay, Volatile } from '../values/atom.ts';
import { keepIdentity } from '../values/hashing.ts';
import { type LazyBodies, type LazyBody, LazySeq, sameSeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { EMPTY_VECTOR, type Vector, vector, vectorOfLeaves } from '../values/vector.ts';
import { COLLECTIONS } from './decode-collections.ts';
import { fillContent } from './decode-content.ts';
import { FREQUENT, type QuickDecoding, SIMPLE } from './decode-frequent.ts';
import { REFERENCES } from './decode-references.ts';
import type { Compound } from './decoding.ts';
import { HashedCollections } from './hashed.ts';
import { lazyBodies } from './lazy-bodies.ts';
import { makerNamed } from './makers.ts';
import { NUMBERED_TEXT, TAGS } from './tags.ts';
import { SAFE_DIGITS, TextReader } from './text-reader.ts';
import type { EncodingWorld } from './world.ts';

/** By the code of their tags. */
const COMPOUNDS = byCode({ ...COLLECTIONS, ...REFERENCES });

function byCode(compounds: Readonly<Record<string, Compound>>): readonly (Compound | undefined)[] {
  const table: (Compound | undefined)[] = [];
  for (const [tag, compound] of Object.entries(compounds)) table[tag.charCodeAt(0)] = compound;
  return table;
}

/** What a lazy seq and a delay hold before their contents are read. */
const NOTHING_YET: readonly unknown[] = [null];
const NO_BODY = (): unknown => null;

/** A compound value whose parts are being read. */
interface Frame {
  readonly compound: Compound;
  /** Where its values begin on the stack of values, and where they end; metadata included. */
  readonly base: number;
  readonly end: number;
  readonly said: readonly string[];
  /** Its number, -1 for none. */
  readonly slot: number;
  readonly hasMeta: boolean;
  /** Its number among the objects hashed by identity, 0 for none. */
  readonly identity: number;
}

/** What takes the place of a number while its value is being read. No value is undefined. */
const OPEN = undefined;

const NOTHING_SAID: readonly string[] = [];

/** In this module too: in the guest's bundle what is another's is asked of it at each use, here for each value. */
const SIMPLE_READERS = SIMPLE;
const FREQUENT_READERS = FREQUENT;
const MOST_DIGITS = SAFE_DIGITS;

/** Values within values that are read by recursion. */
const DEEPEST = 64;
/** Takes the place of the tag of a value that has a frame. */
const FRAME = 0;
/** Elements of the arrays of which long vectors are made. */
const LEAF = 32;

const COMMA = ','.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const LOWER_A = 'a'.charCodeAt(0);
const LOWER_Z = 'z'.charCodeAt(0);
const NIL = TAGS.nil.charCodeAt(0);
const TEXT = TAGS.text.charCodeAt(0);
const UNITS = TAGS.units.charCodeAt(0);
const VECTOR = TAGS.vector.charCodeAt(0);
const ARRAY_MAP = TAGS.arrayMap.charCodeAt(0);
const ATOM = TAGS.atom.charCodeAt(0);
const LAZY_SEQ = TAGS.lazySeq.charCodeAt(0);
const DELAY = TAGS.delay.charCodeAt(0);
const VOLATILE = TAGS.volatile.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const REFERENCE = TAGS.reference.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const METADATA = TAGS.metadata.charCodeAt(0);
const IDENTITY = TAGS.identity.charCodeAt(0);

/** Reads what a `ValueEncoder` wrote. Texts of one encoder are read in the order in which they were written. */
export class ValueDecoder implements QuickDecoding {
  readonly world: EncodingWorld;
  readonly effects: Effects;
  readonly table: unknown[];
  reader = new TextReader('');
  hashed = new HashedCollections();
  readonly #furtherBodies: () => LazyBodies;
  /** How many values around the next one are being read by recursion. */
  #depth = 0;
  /** Values that are parts of values under way: as many as `#top` says. The first one makes it an array of anything. */
  #values: unknown[] = [null];
  #top = 0;
  #waiting: object[] = [];
  /** Whether some lazy seq has no content yet. */
  #hasLazies = false;
  #bodies: LazyBodies | null = null;
  #lastFactory: { readonly block: string; readonly number: string; readonly make: LispFunction } | null = null;
  #lastMaker: { readonly name: string; readonly make: LispFunction } | null = null;

  /** `known`: what is in texts that were written already, by its numbers. */
  constructor(world: EncodingWorld, effects: Effects, furtherBodies: () => LazyBodies, known: readonly unknown[] = []) {
    this.table = [...known];
    this.world = world;
    this.effects = effects;
    this.#furtherBodies = furtherBodies;
  }

  /**
   * The value of a text, from a place in it on. Throws `DamagedEncoding` for a text that no encoder wrote, and what its
   * parts throw.
   */
  decode(text: string, from = 0): unknown {
    this.reader = new TextReader(text, from);
    this.hashed = new HashedCollections();
    this.#waiting = [];
    this.#hasLazies = false;
    this.#top = 0;
    this.#depth = 0;
    const value = this.read();
    const waiting = this.#waiting;
    for (let at = 0; at < waiting.length; at += 1) {
      const holder = waiting[at];
      if (holder instanceof Atom) {
        holder.value = this.read();
        holder.validator = this.read();
        holder.meta = this.read();
      } else if (holder !== undefined) fillContent(this, holder);
    }
    this.hashed.settle();
    this.#values = [null];
    if (this.reader.left > 0) this.reader.fail('more text');
    return value;
  }

  /** Everything changeable whose content is in the last text. */
  get holders(): readonly object[] {
    return this.#waiting;
  }

  readonly later = <T extends object>(holder: T): T => {
    if (holder instanceof LazySeq) this.#hasLazies = true;
    this.#waiting.push(holder);
    return holder;
  };

  readonly canHash = (): boolean => !this.#hasLazies;

  name(): string {
    const code = this.reader.takeCode();
    if (code === TEXT) return this.#plainText();
    const text = code === REFERENCE ? this.#referred() : code === UNITS ? this.text(TAGS.units) : null;
    return typeof text === 'string' ? text : this.reader.fail('no name');
  }

  body(name: string): LazyBody {
    this.#bodies ??= lazyBodies(this.#furtherBodies);
    const body = Object.hasOwn(this.#bodies, name) ? this.#bodies[name] : undefined;
    return body ?? this.reader.fail('no such lazy seq');
  }

  /**
   * One value with all its parts: by recursion as far as that may go, then without. A fresh isolate runs this before it
   * is compiled, so what is most frequent is read right here, in few steps.
   */
  read(): unknown {
    const { reader } = this;
    const { text, at } = reader;
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      let number = code - ZERO;
      let next = at + 1;
      for (;;) {
        const digit = text.charCodeAt(next);
        if (!(digit >= ZERO && digit <= NINE)) {
          if (digit !== COMMA || next - at > MOST_DIGITS) return reader.integer();
          reader.at = next + 1;
          return number;
        }
        number = number * 10 + digit - ZERO;
        next += 1;
      }
    }
    reader.at = at + 1;
    if (code === REFERENCE) return this.#referred();
    if (code === TEXT) return this.#plainText();
    if (code === NIL) return null;
    if (this.#depth < DEEPEST) {
      if (code === VECTOR) return this.#vector();
      if (code === ARRAY_MAP) return this.#arrayMap();
    }
    if (code === ATOM) return this.#changeable(new Atom(null, null, null));
    if (code === LAZY_SEQ) {
      this.#hasLazies = true;
      return this.#changeable(new LazySeq(sameSeq, NOTHING_YET, null));
    }
    if (code === DELAY) return this.#changeable(new Delay(NO_BODY));
    if (code === VOLATILE) return this.#changeable(new Volatile(null));
    const simple = SIMPLE_READERS[code];
    if (simple !== undefined) return simple(this);
    if (code === MINUS) {
      reader.at = at;
      return reader.integer();
    }
    if (this.#depth === DEEPEST) return this.#readDeep(code);
    const frequent = FREQUENT_READERS[code];
    return frequent === undefined ? this.#readCompound(code) : frequent(this);
  }

  #changeable(holder: object): object {
    this.table.push(holder);
    this.#waiting.push(holder);
    return holder;
  }

  #vector(): unknown {
    const count = this.reader.count();
    if (count === 0) return EMPTY_VECTOR;
    const { table } = this;
    const slot = table.push(OPEN) - 1;
    let made: Vector;
    if (count <= LEAF) made = vector(this.items(count));
    else {
      const leaves: unknown[][] = [];
      let left = count;
      for (; left > LEAF; left -= LEAF) leaves.push(this.items(LEAF));
      made = vectorOfLeaves(count, leaves, this.items(left));
    }
    table[slot] = made;
    return made;
  }

  #arrayMap(): unknown {
    const count = this.reader.count();
    if (count === 0) return EMPTY_MAP;
    const { table } = this;
    const slot = table.push(OPEN) - 1;
    const made = new ArrayMap(this.items(count * 2), null);
    table[slot] = made;
    return made;
  }

  /** As many values, in an array of their own that is as long as it must be. */
  items(count: number): unknown[] {
    if (count === 0) return [];
    this.#depth += 1;
    let popped: unknown[];
    if (count === 1) popped = [this.read()];
    else if (count === 2) popped = [this.read(), this.read()];
    else {
      const values = this.#values;
      const base = this.#top;
      for (let left = count; left > 0; left -= 1) {
        const value = this.read();
        values[this.#top] = value;
        this.#top += 1;
      }
      popped = this.#popValues(base);
    }
    this.#depth -= 1;
    return popped;
  }

  inner(): unknown {
    this.#depth += 1;
    const value = this.read();
    this.#depth -= 1;
    return value;
  }

  /** The last values of the stack, which are there no longer. */
  #popValues(base: number): unknown[] {
    const popped = this.#values.slice(base, this.#top);
    this.#top = base;
    return popped;
  }

  #push(value: unknown): void {
    this.#values[this.#top] = value;
    this.#top += 1;
  }

  #readCompound(code: number): unknown {
    const frame = this.#opened(code);
    return this.#finish(frame, this.items(frame.end - frame.base));
  }

  /**
   * A compound value and all that is in it, without recursion. Vectors and array maps without marks, of which nests are
   * mostly made, are four small numbers each while they are read; all else has a frame.
   */
  #readDeep(code: number): unknown {
    const { reader, table } = this;
    const frames: Frame[] = [];
    const codes: number[] = [];
    const bases: number[] = [];
    const ends: number[] = [];
    const slots: number[] = [];
    for (let next = code; ;) {
      // The mark at `next` was taken, and begins a compound value.
      const isVector = next === VECTOR;
      if (isVector || next === ARRAY_MAP) {
        const count = reader.count();
        codes.push(next);
        slots.push(count === 0 ? -1 : table.push(OPEN) - 1);
        bases.push(this.#top);
        ends.push(this.#top + (isVector ? count : count * 2));
      } else {
        const frame = this.#opened(next);
        frames.push(frame);
        codes.push(FRAME);
        slots.push(frame.slot);
        bases.push(frame.base);
        ends.push(frame.end);
      }
      // Values without parts up to the next compound one, and what they complete.
      for (;;) {
        while (this.#top === ends[ends.length - 1]) {
          ends.pop();
          const made = codes.pop();
          const slot = slots.pop() ?? -1;
          const items = this.#popValues(bases.pop() ?? 0);
          const frame = made === FRAME ? frames.pop() : undefined;
          const value = frame === undefined ? plain(made === VECTOR, items) : this.#finish(frame, items);
          if (frame === undefined && slot >= 0) table[slot] = value;
          if (codes.length === 0) return value;
          this.#push(value);
        }
        next = reader.code();
        // A tag may be compound behind metadata alone. What is no tag is refused where it would be opened.
        if (
          SIMPLE_READERS[next] === undefined &&
          next !== REFERENCE &&
          next !== MINUS &&
          !(next >= ZERO && next <= NINE)
        )
          break;
        this.#push(this.read());
      }
      reader.at += 1;
    }
  }

  /** Reads the head of a compound value, of whose marks the first is taken. */
  #opened(first: number): Frame {
    const { reader } = this;
    let code = first;
    let identity = 0;
    if (code === IDENTITY) {
      identity = reader.safeInteger();
      code = reader.takeCode();
    }
    const hasMeta = code === METADATA;
    if (hasMeta) code = reader.takeCode();
    const compound = COMPOUNDS[code];
    return compound === undefined ? reader.fail('no such tag') : this.#open(compound, identity, hasMeta);
  }

  #open(compound: Compound, identity: number, hasMeta: boolean): Frame {
    const { table } = this;
    const slot = table.length;
    const { numbered } = compound;
    const takes = numbered === 'tag' || (numbered === 'metadata' && hasMeta);
    if (takes) table.push(OPEN);
    const { parts, said = NOTHING_SAID, slots = 0 } = compound.head(this, hasMeta);
    for (let i = 0; i < slots; i += 1) table.push(OPEN);
    const base = this.#top;
    return {
      compound,
      base,
      end: base + parts + (hasMeta ? 1 : 0),
      said,
      slot: takes || slots > 0 ? slot : -1,
      hasMeta,
      identity,
    };
  }

  #finish(frame: Frame, items: unknown[]): unknown {
    const { compound, said, slot, identity, hasMeta } = frame;
    const meta = hasMeta ? items.shift() : null;
    if (hasMeta && !(meta instanceof LispMap)) return this.reader.fail('metadata that is no map');
    const value = compound.make({ items, said, meta, slot }, this);
    if (slot >= 0) this.table[slot] = value;
    if (identity !== 0 && ((typeof value === 'object' && value !== null) || typeof value === 'function'))
      keepIdentity(value, identity);
    return value;
  }

  /** Takes the next number for a value that is being read. */
  open(): number {
    return this.table.push(OPEN) - 1;
  }

  /** Gives a value its number. */
  close(slot: number, value: unknown): unknown {
    this.table[slot] = value;
    return value;
  }

  /** What makes the functions of a unit. Many functions in a row are often of one. */
  factory(block: string, number: string): LispFunction {
    const last = this.#lastFactory;
    if (last !== null && last.block === block && last.number === number) return last.make;
    const make = this.world.factory(`${block}:${number}`) ?? this.reader.fail('the code of a function is missing');
    this.#lastFactory = { block, number, make };
    return make;
  }

  /** A built-in that makes functions. */
  maker(name: string): LispFunction {
    const last = this.#lastMaker;
    if (last !== null && last.name === name) return last.make;
    const make = makerNamed(this.world, name) ?? this.reader.fail('no function');
    this.#lastMaker = { name, make };
    return make;
  }

  /** A number in base 36 whose mark was taken, and its comma: what it means. */
  #referred(): unknown {
    const { reader } = this;
    const { text } = reader;
    let { at } = reader;
    let number = 0;
    let code = text.charCodeAt(at);
    while ((code >= ZERO && code <= NINE) || (code >= LOWER_A && code <= LOWER_Z)) {
      number = number * 36 + code - (code <= NINE ? ZERO : LOWER_A - 10);
      at += 1;
      code = text.charCodeAt(at);
    }
    if (code !== COMMA) return reader.fail('no reference');
    reader.at = at + 1;
    const value = this.table[number];
    return value === OPEN ? reader.fail('a reference to nothing') : value;
  }

  /** A text whose tag was taken: as it is, or as its units. */
  text(tag: 's' | 'S'): string {
    if (tag === TAGS.text) return this.#plainText();
    const { reader } = this;
    const length = reader.count();
    const text = textOfUnits(reader.take(length * 4));
    if (length >= NUMBERED_TEXT) this.table.push(text);
    return text;
  }

  /** A text that is as it is; its tag was taken. */
  #plainText(): string {
    const { reader } = this;
    const { text } = reader;
    let { at } = reader;
    let length = 0;
    let digit = text.charCodeAt(at);
    while (digit >= ZERO && digit <= NINE) {
      length = length * 10 + digit - ZERO;
      at += 1;
      digit = text.charCodeAt(at);
    }
    const start = at + 1;
    const end = start + length;
    if (digit !== COLON || at === reader.at || end > text.length) return reader.fail('no text');
    reader.at = end;
    const found = text.slice(start, end);
    if (length >= NUMBERED_TEXT) this.table.push(found);
    return found;
  }
}

/** A vector or an array map. */
function plain(isVector: boolean, items: unknown[]): unknown {
  if (isVector) return vector(items);
  return items.length === 0 ? EMPTY_MAP : new ArrayMap(items, null);
}

function textOfUnits(digits: string): string {
  let text = '';
  for (let i = 0; i < digits.length; i += 4)
    text += String.fromCharCode(Number.parseInt(digits.slice(i, i + 4), 16) || 0);
  return text;
}
