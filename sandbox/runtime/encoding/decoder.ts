import type { Environment } from '../environment.ts';
import type { LispFunction } from '../invoke.ts';
import { keepIdentity } from '../values/hashing.ts';
import { type LazyBodies, type LazyBody, LazySeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { COLLECTIONS } from './decode-collections.ts';
import { fillContent } from './decode-content.ts';
import { FREQUENT, type QuickDecoding, SIMPLE } from './decode-frequent.ts';
import { REFERENCES } from './decode-references.ts';
import type { Compound } from './decoding.ts';
import { HashedCollections } from './hashed.ts';
import { lazyBodies } from './lazy-bodies.ts';
import { NUMBERED_TEXT, TAGS } from './tags.ts';
import { TextReader } from './text-reader.ts';
import type { EncodingWorld } from './world.ts';

/** By the code of their tags. */
const COMPOUNDS = byCode({ ...COLLECTIONS, ...REFERENCES });

function byCode(compounds: Readonly<Record<string, Compound>>): readonly (Compound | undefined)[] {
  const table: (Compound | undefined)[] = [];
  for (const [tag, compound] of Object.entries(compounds)) table[tag.charCodeAt(0)] = compound;
  return table;
}

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

/** What a number stands for while its value is being read. No value is undefined. */
const OPEN = undefined;

const NOTHING_SAID: readonly string[] = [];

/** Values within values that are read by recursion. */
const DEEPEST = 64;
/** Values of more parts than this get their array at once; those of fewer one that is as long as it must be. */
const MANY = 64;

const NINE = '9'.charCodeAt(0);
const REFERENCE = TAGS.reference.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const METADATA = TAGS.metadata.charCodeAt(0);
const IDENTITY = TAGS.identity.charCodeAt(0);

/** Reads what a `ValueEncoder` wrote. Texts of one encoder are read in the order in which they were written. */
export class ValueDecoder implements QuickDecoding {
  readonly world: EncodingWorld;
  readonly environment: Environment;
  readonly table: unknown[];
  reader = new TextReader('');
  hashed = new HashedCollections();
  readonly #furtherBodies: () => LazyBodies;
  /** How many values around the next one are being read by recursion. */
  #depth = 0;
  /** Values that are parts of values under way. */
  readonly #values: unknown[] = [];
  #waiting: object[] = [];
  /** Whether some lazy seq has no content yet. */
  #hasLazies = false;
  #bodies: LazyBodies | null = null;
  #lastFactory: { readonly block: string; readonly number: string; readonly make: LispFunction } | null = null;

  /** `known`: what stands in texts that were written already, by its numbers. */
  constructor(world: EncodingWorld, environment: Environment, furtherBodies: () => LazyBodies, known: readonly unknown[] = []) {
    this.table = [...known];
    this.world = world;
    this.environment = environment;
    this.#furtherBodies = furtherBodies;
  }

  /** The value of a text. Throws `DamagedEncoding` for a text that no encoder wrote, and what its parts throw. */
  decode(text: string): unknown {
    this.reader = new TextReader(text);
    this.hashed = new HashedCollections();
    this.#waiting = [];
    this.#hasLazies = false;
    const value = this.read();
    for (let at = 0; at < this.#waiting.length; at += 1) {
      const holder = this.#waiting[at];
      if (holder !== undefined) fillContent(this, holder);
    }
    this.hashed.settle();
    if (this.reader.left > 0) this.reader.fail('more text');
    return value;
  }

  /** Everything changeable whose content stood in the last text. */
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
    const tag = this.reader.unit();
    const text = tag === TAGS.reference ? this.#referred() : tag === TAGS.text || tag === TAGS.units ? this.text(tag) : null;
    return typeof text === 'string' ? text : this.reader.fail('no name');
  }

  body(name: string): LazyBody {
    this.#bodies ??= lazyBodies(this.#furtherBodies);
    const body = Object.hasOwn(this.#bodies, name) ? this.#bodies[name] : undefined;
    return body ?? this.reader.fail('no such lazy seq');
  }

  /** One value with all its parts: by recursion as far as that may go, then without. */
  read(): unknown {
    const { reader } = this;
    const code = reader.code();
    if ((code >= ZERO && code <= NINE) || code === MINUS) return reader.integer();
    reader.at += 1;
    if (code === REFERENCE) return this.#referred();
    const simple = SIMPLE[code];
    if (simple !== undefined) return simple(this);
    if (this.#depth === DEEPEST) return this.#readDeep(code);
    const frequent = FREQUENT[code];
    return frequent === undefined ? this.#readCompound(code) : frequent(this);
  }

  /** As many values, in an array of their own. */
  items(count: number): unknown[] {
    this.#depth += 1;
    const values: unknown[] = count > MANY ? [] : this.#values;
    const base = values.length;
    for (let left = count; left > 0; left -= 1) values.push(this.read());
    this.#depth -= 1;
    return count > MANY ? values : this.#taken(base);
  }

  /** The last values of the stack, which are there no longer. */
  #taken(base: number): unknown[] {
    const values = this.#values;
    const taken = values.slice(base);
    while (values.length > base) values.pop();
    return taken;
  }

  #readCompound(code: number): unknown {
    const frame = this.#opened(code);
    const base = this.#values.length;
    return this.#finish(frame, this.items(frame.end - base));
  }

  /** A compound value and all that is in it, without recursion. */
  #readDeep(code: number): unknown {
    const { reader } = this;
    const values = this.#values;
    const frames: Frame[] = [this.#opened(code)];
    for (;;) {
      let frame = frames[frames.length - 1];
      let value: unknown = null;
      while (frame !== undefined && values.length === frame.end) {
        frames.pop();
        value = this.#finish(frame, this.#taken(frame.base));
        frame = frames[frames.length - 1];
        if (frame !== undefined) values.push(value);
      }
      if (frame === undefined) return value;
      const next = reader.code();
      // A tag may be compound behind metadata alone. What is no tag is refused where it would be opened.
      if (SIMPLE[next] !== undefined || next === REFERENCE || next === MINUS || (next >= ZERO && next <= NINE)) values.push(this.read());
      else {
        reader.at += 1;
        frames.push(this.#opened(next));
      }
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
    const base = this.#values.length;
    return { compound, base, end: base + parts + (hasMeta ? 1 : 0), said, slot: takes || slots > 0 ? slot : -1, hasMeta, identity };
  }

  #finish(frame: Frame, items: unknown[]): unknown {
    const { compound, said, slot, identity, hasMeta } = frame;
    const meta = hasMeta ? items.shift() : null;
    if (hasMeta && !(meta instanceof LispMap)) return this.reader.fail('metadata that is no map');
    const value = compound.make({ items, said, meta, slot }, this);
    if (slot >= 0) this.table[slot] = value;
    if (identity !== 0 && ((typeof value === 'object' && value !== null) || typeof value === 'function')) keepIdentity(value, identity);
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

  #referred(): unknown {
    const value = this.table[this.reader.reference()];
    return value === OPEN ? this.reader.fail('a reference to nothing') : value;
  }

  /** A text whose tag was taken: as it is, or as its units. */
  text(tag: 's' | 'S'): string {
    const { reader } = this;
    const length = reader.count();
    const text = tag === TAGS.text ? reader.take(length) : textOfUnits(reader.take(length * 4));
    if (length >= NUMBERED_TEXT) this.table.push(text);
    return text;
  }
}

function textOfUnits(digits: string): string {
  let text = '';
  for (let i = 0; i < digits.length; i += 4) text += String.fromCharCode(Number.parseInt(digits.slice(i, i + 4), 16) || 0);
  return text;
}
