import { flatText } from '../flat-text.ts';
import { Atom } from '../values/atom.ts';
import { ChainedTable } from '../values/chained-table.ts';
import { Char } from '../values/char.ts';
import { Collection } from '../values/collection.ts';
import { BoxedDouble, Float32 } from '../values/double.ts';
import { identityNumber } from '../values/hashing.ts';
import { ClassValue } from '../values/java.ts';
import { Keyword } from '../values/keyword.ts';
import type { LazyBodies, LazyBody } from '../values/lazy-seq.ts';
import { ABSENT } from '../values/map.ts';
import { RecordType } from '../values/record.ts';
import { LispSymbol } from '../values/symbol.ts';
import { Temporal } from '../values/temporal.ts';
import { UNBOUND, Var } from '../values/var.ts';
import { encodeCollection } from './encode-collections.ts';
import { encodeContent, encodeFunction, encodeReference, encodeVariable } from './encode-references.ts';
import { type Encoding, refuse } from './encoding.ts';
import { lazyBodyNames } from './lazy-bodies.ts';
import { NUMBERED_TEXT, TAGS } from './tags.ts';
import { temporalText } from './temporals.ts';
import { EncodingStop, type EncodingWorld } from './world.ts';

/** A value as text. */
export interface Encoded {
  readonly text: string;
  /** Code units whose functions are in it. */
  readonly units: ReadonlySet<string>;
  /** Everything changeable whose content is in it. All else that it was made of never changes. */
  readonly holders: readonly object[];
}

/** Values within values that are written by recursion; those further down wait on a stack of the encoder's own. */
const DEEPEST = 64;
/** Units of a part of the text that is put together by itself. */
const CHUNK = 4096;

/** Writes values as text (`tags.ts`). Texts of one encoder share their parts: a later one builds on those before it. */
export class ValueEncoder implements Encoding {
  readonly world: EncodingWorld;
  readonly #furtherBodies: () => LazyBodies;
  /** Numbers of compound values, keywords and texts. */
  readonly #numbers = new ChainedTable<unknown, number>();
  /** What was numbered since the last mark, where that is to be forgotten. */
  #added: unknown[] | null = null;
  /** Finished parts of the text, and their length. */
  #chunks: string[] = [];
  #length = 0;
  /** What follows them. */
  #out = '';
  #limit = 0;
  /** How many values around the next one are being written by recursion. */
  #depth = 0;
  /** What is still to be written inside a value at the deepest level of recursion, the next one last. */
  #stack: unknown[] = [];
  #isDeep = false;
  /** Changeable things whose contents are still to be written. */
  #waiting: object[] = [];
  #units = new Set<string>();
  #bodyNames: ReadonlyMap<LazyBody, string> | null = null;

  /** `known`: what is in texts that were read already, by its numbers. */
  constructor(world: EncodingWorld, furtherBodies: () => LazyBodies, known: readonly unknown[] = []) {
    this.world = world;
    this.#furtherBodies = furtherBodies;
    for (const value of known) this.#numbers.add(value, this.#numbers.size);
  }

  /** What has a number so far, by its number. */
  known(): unknown[] {
    return this.#numbers.keys();
  }

  /** As `encode`, but later texts do not build on this one; `added`: what it gave further numbers. */
  encodeApart(
    value: unknown,
    limit: number,
  ): { readonly text: string; readonly units: ReadonlySet<string>; readonly added: readonly unknown[] } {
    const added: unknown[] = [];
    this.#added = added;
    try {
      return { ...this.encode(value, limit), added };
    } finally {
      this.#added = null;
      for (const each of added) this.#numbers.delete(each);
    }
  }

  #number(value: unknown): void {
    this.#numbers.add(value, this.#numbers.size);
    this.#added?.push(value);
  }

  /**
   * The text of a value. Throws `EncodingStop` soon after it is longer
   * than `limit` UTF-16 units (and some more), or at a value that cannot be written. Uses no stack in proportion to the
   * value.
   */
  encode(value: unknown, limit: number): Encoded {
    this.#chunks = [];
    this.#length = 0;
    this.#out = '';
    this.#limit = limit;
    this.#units = new Set();
    this.#waiting = [];
    this.#stack = [];
    this.#depth = 0;
    this.#isDeep = false;
    this.#value(value);
    for (let at = 0; at < this.#waiting.length; at += 1) {
      const holder = this.#waiting[at];
      if (holder !== undefined) encodeContent(this, holder);
      if (this.#out.length > CHUNK) this.#flush();
    }
    this.#flush();
    return { text: this.#chunks.join(''), units: this.#units, holders: this.#waiting };
  }

  /**
   * Ends a chunk. It becomes one flat text of the many small ones that it was put together from, which are then garbage
   * at once: those of a whole encoding would outlive several collections.
   */
  #flush(): void {
    const { length } = this.#out;
    this.#length += length;
    if (this.#length > this.#limit) throw new EncodingStop({ kind: 'too_large' });
    this.#chunks.push(length > CHUNK ? flatText(this.#out) : this.#out);
    this.#out = '';
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.#out += numberText(value);
        return;
      case 'string':
        this.text(value);
        return;
      case 'object':
        if (value === null) this.#out += TAGS.nil;
        else this.#object(value);
        return;
      case 'boolean':
        this.#out += value ? TAGS.true : TAGS.false;
        return;
      case 'bigint':
        this.#out += `${value},`;
        return;
      case 'function':
        encodeFunction(this, value);
        return;
      default:
        this.#out += value === ABSENT ? TAGS.absent : value === UNBOUND ? TAGS.unbound : refuse('what is no value');
    }
  }

  #object(value: object): void {
    if (value instanceof Collection) encodeCollection(this, value);
    else if (value instanceof Keyword) {
      if (!this.stands(value)) this.#qualified(TAGS.keyword, TAGS.qualifiedKeyword, value);
    } else if (value instanceof Atom) encodeReference(this, value);
    else if (value instanceof BoxedDouble) this.#out += TAGS.boxed + floatText(value.value);
    else if (value instanceof Char) this.#out += `${TAGS.char}${value.code},`;
    else if (value instanceof LispSymbol) this.#symbol(value);
    else if (value instanceof Float32) this.#out += TAGS.float32 + floatText(value.value);
    else if (value instanceof Temporal) this.#out += TAGS.temporal + temporalText(value);
    else if (value instanceof ClassValue && !(value instanceof RecordType)) {
      this.identity(value);
      this.#out += TAGS.class;
      this.text(value.name);
    } else if (value instanceof Var) encodeVariable(this, value);
    else encodeReference(this, value);
  }

  #symbol(value: LispSymbol): void {
    if (value.meta !== null) {
      if (this.stands(value)) return;
      this.#out += TAGS.metadata;
    }
    this.#qualified(TAGS.symbol, TAGS.qualifiedSymbol, value);
    if (value.meta !== null) this.next([value.meta]);
  }

  #qualified(plain: string, qualified: string, { namespace, name }: Keyword | LispSymbol): void {
    this.#out += namespace === null ? plain : qualified;
    if (namespace !== null) this.text(namespace);
    this.text(name);
  }

  write(text: string): void {
    this.#out += text;
  }

  text(text: string): void {
    const { length } = text;
    if (length >= NUMBERED_TEXT) {
      const known = this.#numbers.get(text);
      if (known !== undefined) {
        this.#out += referenceText(known);
        return;
      }
      this.refuseCount(length);
      this.#number(text);
    }
    this.#out += text.isWellFormed() ? `${TAGS.text}${length}:${text}` : `${TAGS.units}${length}:${unitsOf(text)}`;
  }

  scalar(value: string | number | boolean | null): void {
    this.#value(value);
  }

  stands(value: object): boolean {
    const known = this.#numbers.get(value);
    if (known === undefined) {
      this.#number(value);
      return false;
    }
    this.#out += referenceText(known);
    return true;
  }

  takes(cell: object): boolean {
    if (this.#numbers.has(cell)) return false;
    this.#number(cell);
    return true;
  }

  identity(value: object): void {
    const number = identityNumber(value);
    if (number !== null) this.#out += `${TAGS.identity}${number},`;
  }

  next(values: readonly unknown[], meta: unknown = null): void {
    if (this.#isDeep) this.#push(values, meta);
    else if (this.#depth < DEEPEST) {
      this.#depth += 1;
      if (meta !== null) this.#value(meta);
      for (let i = 0; i < values.length; i += 1) {
        this.#value(values[i]);
        if (this.#out.length > CHUNK) this.#flush();
      }
      this.#depth -= 1;
    } else {
      this.#isDeep = true;
      this.#push(values, meta);
      this.#drain();
      this.#isDeep = false;
    }
  }

  #push(values: readonly unknown[], meta: unknown): void {
    const stack = this.#stack;
    for (let i = values.length - 1; i >= 0; i -= 1) stack.push(values[i]);
    if (meta !== null) stack.push(meta);
  }

  #drain(): void {
    const stack = this.#stack;
    while (stack.length > 0) {
      this.#value(stack.pop());
      if (this.#out.length > CHUNK) this.#flush();
    }
  }

  later(tag: string, holder: object): void {
    this.#out += tag;
    this.#waiting.push(holder);
  }

  refuseCount(count: number): void {
    if (count > this.#limit) throw new EncodingStop({ kind: 'too_large' });
  }

  unit(id: string): void {
    this.#units.add(id);
  }

  bodyName(body: LazyBody): string | null {
    this.#bodyNames ??= lazyBodyNames(this.#furtherBodies);
    return this.#bodyNames.get(body) ?? null;
  }
}

function referenceText(number: number): string {
  return `${TAGS.reference}${number.toString(36)},`;
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return Object.is(value, -0) ? `${TAGS.boxed}-0,` : `${value},`;
  if (Number.isFinite(value)) return `${TAGS.double}${value},`;
  return Number.isNaN(value) ? TAGS.notANumber : value > 0 ? TAGS.infinity : TAGS.minusInfinity;
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0,' : `${value},`;
}

/** Four hexadecimal digits for each unit of a text with lone surrogates, which no UTF-8 could hold. */
function unitsOf(text: string): string {
  let units = '';
  for (let i = 0; i < text.length; i += 1) units += text.charCodeAt(i).toString(16).padStart(4, '0');
  return units;
}
