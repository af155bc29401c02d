import type { Environment } from '../environment.ts';
import { isFunction } from '../invoke.ts';
import { Atom, Delay, Volatile } from '../values/atom.ts';
import { char } from '../values/char.ts';
import { BoxedDouble, Float32 } from '../values/double.ts';
import { keepIdentity } from '../values/hashing.ts';
import { keyword } from '../values/keyword.ts';
import { type LazyBodies, type LazyBody, LazySeq } from '../values/lazy-seq.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { MultiMethod } from '../values/multimethod.ts';
import { EMPTY_SEQ } from '../values/seq.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { UNBOUND, Var } from '../values/var.ts';
import { COLLECTIONS } from './decode-collections.ts';
import { REFERENCES } from './decode-references.ts';
import type { Compound, Decoding } from './decoding.ts';
import { HashedCollections } from './hashed.ts';
import { lazyBodies } from './lazy-bodies.ts';
import { NUMBERED_TEXT, STATES, TAGS } from './tags.ts';
import { readTemporal } from './temporals.ts';
import { TextReader } from './text-reader.ts';
import type { EncodingWorld } from './world.ts';

/** By the code of their tags. */
const COMPOUNDS: (Compound | undefined)[] = [];
for (const [tag, compound] of Object.entries({ ...COLLECTIONS, ...REFERENCES })) COMPOUNDS[tag.charCodeAt(0)] = compound;

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

/** Stands for a value that is still being read. */
const UNDER_WAY: unique symbol = Symbol('under way');

const NOTHING_SAID: readonly string[] = [];
const NO_ITEMS: unknown[] = [];

const NINE = '9'.charCodeAt(0);
const REFERENCE = TAGS.reference.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);

/** Reads what a `ValueEncoder` wrote. Texts of one encoder are read in the order in which they were written. */
export class ValueDecoder implements Decoding {
  readonly world: EncodingWorld;
  readonly environment: Environment;
  readonly table: unknown[];
  reader = new TextReader('');
  hashed = new HashedCollections();
  readonly #furtherBodies: () => LazyBodies;
  readonly #frames: Frame[] = [];
  /** Values that are parts of open frames. */
  readonly #values: unknown[] = [];
  #waiting: object[] = [];
  /** Whether some lazy seq has no content yet. */
  #hasLazies = false;
  #bodies: LazyBodies | null = null;

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
    const value = this.#read();
    for (let at = 0; at < this.#waiting.length; at += 1) {
      const holder = this.#waiting[at];
      if (holder !== undefined) this.#fill(holder);
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
    const text = tag === TAGS.reference ? this.#referred() : this.#text(tag);
    return typeof text === 'string' ? text : this.reader.fail('no name');
  }

  body(name: string): LazyBody {
    this.#bodies ??= lazyBodies(this.#furtherBodies);
    const body = Object.hasOwn(this.#bodies, name) ? this.#bodies[name] : undefined;
    return body ?? this.reader.fail('no such lazy seq');
  }

  /** One value with all its parts, without recursion. */
  #read(): unknown {
    const frames = this.#frames;
    const values = this.#values;
    for (;;) {
      let value = this.#start();
      let frame = frames[frames.length - 1];
      for (;;) {
        if (frame === undefined) return value;
        if (value !== UNDER_WAY) values.push(value);
        if (values.length < frame.end) break;
        frames.pop();
        value = this.#finish(frame);
        frame = frames[frames.length - 1];
      }
    }
  }

  /** Reads a tag: a simple value, or `UNDER_WAY` and a frame for its parts. */
  #start(): unknown {
    const { reader } = this;
    const code = reader.code();
    if ((code >= ZERO && code <= NINE) || code === MINUS) return reader.integer();
    if (code === REFERENCE) {
      reader.at += 1;
      return this.#referred();
    }
    return this.#tagged();
  }

  #tagged(): unknown {
    const { reader } = this;
    let tag = reader.unit();
    const simple = this.#simple(tag);
    if (simple !== UNDER_WAY) return simple;
    let identity = 0;
    if (tag === TAGS.identity) {
      identity = reader.safeInteger();
      tag = reader.unit();
    }
    const hasMeta = tag === TAGS.metadata;
    if (hasMeta) tag = reader.unit();
    const compound = COMPOUNDS[tag.charCodeAt(0)];
    if (compound === undefined) return reader.fail('no such tag');
    this.#open(compound, identity, hasMeta);
    return UNDER_WAY;
  }

  #open(compound: Compound, identity: number, hasMeta: boolean): void {
    const { table } = this;
    const slot = table.length;
    const { numbered } = compound;
    const takes = numbered === 'tag' || (numbered === 'metadata' && hasMeta);
    if (takes) table.push(OPEN);
    const { parts, said = NOTHING_SAID, slots = 0 } = compound.head(this, hasMeta);
    for (let i = 0; i < slots; i += 1) table.push(OPEN);
    const base = this.#values.length;
    this.#frames.push({ compound, base, end: base + parts + (hasMeta ? 1 : 0), said, slot: takes || slots > 0 ? slot : -1, hasMeta, identity });
  }

  #finish(frame: Frame): unknown {
    const { compound, base, end, said, slot, identity, hasMeta } = frame;
    const items = base === end ? NO_ITEMS : this.#values.splice(base);
    const meta = hasMeta ? items.shift() : null;
    if (hasMeta && !(meta instanceof LispMap)) return this.reader.fail('metadata that is no map');
    const value = compound.make({ items, said, meta, slot }, this);
    if (slot >= 0) this.table[slot] = value;
    if (identity !== 0 && ((typeof value === 'object' && value !== null) || typeof value === 'function')) keepIdentity(value, identity);
    return value;
  }

  #simple(tag: string): unknown {
    const { reader } = this;
    switch (tag) {
      case TAGS.text:
      case TAGS.units:
        return this.#text(tag);
      case TAGS.vector:
      case TAGS.arrayMap:
        return UNDER_WAY;
      case TAGS.keyword:
        return this.#keyword();
      case TAGS.nil:
        return null;
      case TAGS.true:
        return true;
      case TAGS.false:
        return false;
      case TAGS.double:
        return reader.float();
      case TAGS.boxed:
        return new BoxedDouble(reader.float());
      case TAGS.notANumber:
        return NaN;
      case TAGS.infinity:
        return Infinity;
      case TAGS.minusInfinity:
        return -Infinity;
      case TAGS.float32:
        return new Float32(reader.float());
      case TAGS.char:
        return char(reader.safeInteger() & 0xffff);
      case TAGS.temporal:
        return readTemporal(reader.unit(), { integer: () => reader.integer(), take: (length) => reader.take(length) }) ?? reader.fail('no such time');
      case TAGS.emptySeq:
        return EMPTY_SEQ;
      case TAGS.absent:
        return ABSENT;
      case TAGS.unbound:
        return UNBOUND;
      default:
        return UNDER_WAY;
    }
  }

  /** Keywords without a namespace are the most frequent compound values; reading them here saves them a frame. */
  #keyword(): unknown {
    const slot = this.table.push(OPEN) - 1;
    const made = keyword(null, this.name());
    this.table[slot] = made;
    return made;
  }

  #referred(): unknown {
    const value = this.table[this.reader.reference()];
    return value === OPEN ? this.reader.fail('a reference to nothing') : value;
  }

  #text(tag: string): string {
    const { reader } = this;
    if (tag !== TAGS.text && tag !== TAGS.units) return reader.fail('no text');
    const length = reader.count();
    const text = tag === TAGS.text ? reader.take(length) : textOfUnits(reader.take(length * 4));
    if (length >= NUMBERED_TEXT) this.table.push(text);
    return text;
  }

  /** Reads the content of something changeable. */
  #fill(holder: object): void {
    if (holder instanceof Var) {
      holder.value = this.#read();
      holder.meta = this.#read();
    } else if (holder instanceof Atom) {
      holder.value = this.#read();
      holder.validator = this.#read();
      holder.meta = this.#read();
    } else if (holder instanceof Volatile || holder instanceof SharedCell) holder.value = this.#read();
    else if (holder instanceof MultiMethod) {
      holder.methods = this.#read();
      holder.preferences = this.#read();
    } else if (holder instanceof LazySeq) this.#fillLazySeq(holder);
    else if (holder instanceof Delay) this.#fillDelay(holder);
  }

  #fillDelay(delay: Delay): void {
    const state = this.reader.unit();
    const value = this.#read();
    if (state === STATES.waiting) {
      if (!isFunction(value)) return this.reader.fail('no function');
      delay.body = value;
      return;
    }
    delay.body = null;
    if (state === STATES.done) delay.value = value;
    else delay.failure = value;
  }

  #fillLazySeq(lazy: LazySeq): void {
    const state = this.reader.unit();
    if (state === STATES.waitingBody) {
      lazy.body = this.body(this.name());
      lazy.captures = Array.from({ length: this.reader.count() }, () => this.#read());
      return;
    }
    const value = this.#read();
    lazy.captures = [];
    if (state === STATES.waiting) {
      if (!isFunction(value)) return this.reader.fail('no function');
      lazy.body = value;
      return;
    }
    lazy.body = null;
    lazy.result = value;
    lazy.forced = state === STATES.done;
  }
}

function textOfUnits(digits: string): string {
  let text = '';
  for (let i = 0; i < digits.length; i += 4) text += String.fromCharCode(Number.parseInt(digits.slice(i, i + 4), 16) || 0);
  return text;
}
