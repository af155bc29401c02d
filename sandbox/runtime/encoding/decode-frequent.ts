import { isFunction, type LispFunction } from '../invoke.ts';
import { char } from '../values/char.ts';
import { BoxedDouble, Float32 } from '../values/double.ts';
import { EMPTY_HASH_MAP } from '../values/hash-map.ts';
import { keyword } from '../values/keyword.ts';
import { ABSENT } from '../values/map.ts';
import { Cons, EMPTY_LIST, EMPTY_SEQ, List, Seq } from '../values/seq.ts';
import { EMPTY_SET } from '../values/set.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { symbol } from '../values/symbol.ts';
import { UNBOUND } from '../values/var.ts';
import { MapEntry } from '../values/vector.ts';
import type { Decoding } from './decoding.ts';
import { TAGS } from './tags.ts';
import { readTemporal } from './temporals.ts';

/** What the readers of frequent values see of the decoder as well. */
export interface QuickDecoding extends Decoding {
  /** Takes the next number for a value that is being read. */
  open(): number;
  /** Gives a value its number. */
  close(slot: number, value: unknown): unknown;
  /** A text whose tag was taken: as it is, or as its units. */
  text(tag: 's' | 'S'): string;
  /** The next value, as a part of one that is being read. */
  inner(): unknown;
  /** A built-in that makes functions. */
  maker(name: string): LispFunction;
  /** What makes the functions of a unit. */
  factory(block: string, number: string): LispFunction;
}

type Reader = (decoder: QuickDecoding) => unknown;

function byCode(readers: Readonly<Record<string, Reader>>): readonly (Reader | undefined)[] {
  const table: (Reader | undefined)[] = [];
  for (const [tag, read] of Object.entries(readers)) table[tag.charCodeAt(0)] = read;
  return table;
}

/** Values without parts, by the codes of their tags. */
export const SIMPLE = byCode({
  [TAGS.text]: (decoder) => decoder.text(TAGS.text),
  [TAGS.units]: (decoder) => decoder.text(TAGS.units),
  [TAGS.keyword]: (decoder) => {
    const slot = decoder.open();
    return decoder.close(slot, keyword(null, decoder.name()));
  },
  [TAGS.nil]: () => null,
  [TAGS.true]: () => true,
  [TAGS.false]: () => false,
  [TAGS.double]: ({ reader }) => reader.float(),
  [TAGS.boxed]: ({ reader }) => new BoxedDouble(reader.float()),
  [TAGS.notANumber]: () => NaN,
  [TAGS.infinity]: () => Infinity,
  [TAGS.minusInfinity]: () => -Infinity,
  [TAGS.float32]: ({ reader }) => new Float32(reader.float()),
  [TAGS.char]: ({ reader }) => char(reader.safeInteger() & 0xffff),
  [TAGS.temporal]: ({ reader }) => readTemporal(reader) ?? reader.fail('no such time'),
  [TAGS.emptySeq]: () => EMPTY_SEQ,
  [TAGS.absent]: () => ABSENT,
  [TAGS.unbound]: () => UNBOUND,
});

function counted(make: (items: unknown[], decoder: QuickDecoding) => unknown, empty: unknown, size: number): Reader {
  return (decoder) => {
    const count = decoder.reader.count();
    if (count === 0) return empty;
    const slot = decoder.open();
    return decoder.close(slot, make(decoder.items(count * size), decoder));
  };
}

/**
 * Frequent values with parts, where they have neither metadata nor an identity: without what others need. The most
 * frequent of all are not here but in the decoder.
 */
export const FREQUENT = byCode({
  [TAGS.hashMap]: counted((flat, { hashed, canHash }) => hashed.map(flat, null, canHash()), EMPTY_HASH_MAP, 2),
  [TAGS.hashSet]: counted((members, { hashed, canHash }) => hashed.set(members, null, canHash()), EMPTY_SET, 1),
  [TAGS.entry]: (decoder) => {
    const slot = decoder.open();
    if (decoder.reader.count() !== 2) return decoder.reader.fail('no entry');
    return decoder.close(slot, new MapEntry(decoder.read(), decoder.read()));
  },
  [TAGS.list]: (decoder) => {
    const { reader, table } = decoder;
    const count = reader.count();
    const first = table.length;
    for (let i = 0; i < count; i += 1) table.push(undefined);
    const heads = decoder.items(count);
    let made = EMPTY_LIST;
    for (let i = count - 1; i >= 0; i -= 1) {
      made = new List(heads[i], made, made.count + 1, null);
      table[first + i] = made;
    }
    return made;
  },
  [TAGS.conses]: (decoder) => {
    const { reader, table } = decoder;
    const count = reader.count();
    if (count === 0) return reader.fail('no elements');
    if (count === 1) {
      const slot = decoder.open();
      const head = decoder.inner();
      const tail = decoder.inner();
      return tail instanceof Seq ? decoder.close(slot, new Cons(head, tail, null)) : reader.fail('no seq');
    }
    const first = table.length;
    for (let i = 0; i < count; i += 1) table.push(undefined);
    const heads = decoder.items(count + 1);
    let made = heads[count];
    for (let i = count - 1; i >= 0; i -= 1) {
      if (!(made instanceof Seq)) return reader.fail('no seq');
      made = new Cons(heads[i], made, null);
      table[first + i] = made;
    }
    return made;
  },
  [TAGS.cell]: (decoder) => decoder.close(decoder.open(), decoder.later(new SharedCell())),
  [TAGS.qualifiedKeyword]: (decoder) => {
    const slot = decoder.open();
    const namespace = decoder.name();
    return decoder.close(slot, keyword(namespace, decoder.name()));
  },
  [TAGS.symbol]: (decoder) => symbol(null, decoder.name(), null),
  [TAGS.qualifiedSymbol]: (decoder) => {
    const namespace = decoder.name();
    return symbol(namespace, decoder.name(), null);
  },
  [TAGS.variable]: (decoder) => {
    const slot = decoder.open();
    const namespace = decoder.name();
    const variable = decoder.world.variable(namespace, decoder.name());
    return decoder.close(slot, decoder.world.isOwn(variable) ? decoder.later(variable) : variable);
  },
  [TAGS.derived]: (decoder) => {
    const slot = decoder.open();
    const maker = decoder.maker(decoder.name());
    const made: unknown = maker(...decoder.items(decoder.reader.count()));
    return isFunction(made) ? decoder.close(slot, made) : decoder.reader.fail('no function');
  },
  [TAGS.unit]: (decoder) => {
    const slot = decoder.open();
    const factory = decoder.factory(decoder.name(), decoder.reader.upTo(':'));
    return decoder.close(slot, factory(...decoder.items(decoder.reader.count())));
  },
});
