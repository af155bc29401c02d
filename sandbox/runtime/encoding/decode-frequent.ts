import type { LispFunction } from '../invoke.ts';
import { ArrayMap, EMPTY_MAP } from '../values/array-map.ts';
import { Atom } from '../values/atom.ts';
import { char } from '../values/char.ts';
import { BoxedDouble, Float32 } from '../values/double.ts';
import { keyword } from '../values/keyword.ts';
import { LazySeq, sameSeq } from '../values/lazy-seq.ts';
import { ABSENT } from '../values/map.ts';
import { EMPTY_SEQ } from '../values/seq.ts';
import { UNBOUND } from '../values/var.ts';
import { EMPTY_VECTOR, vector } from '../values/vector.ts';
import type { Decoding } from './decoding.ts';
import { TAGS } from './tags.ts';
import { readTemporal } from './temporals.ts';

/** What the readers of frequent values see of the decoder besides. */
export interface QuickDecoding extends Decoding {
  /** Takes the next number for a value that is being read. */
  open(): number;
  /** Gives a value its number. */
  close(slot: number, value: unknown): unknown;
  /** As many values, in an array of their own. */
  items(count: number): unknown[];
  /** A text whose tag was taken: as it is, or as its units. */
  text(tag: 's' | 'S'): string;
  /** What makes the functions of a unit. */
  factory(block: string, number: string): LispFunction;
}

/** What a lazy seq holds before its content is read. */
const NOTHING_YET: readonly unknown[] = [null];

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
  [TAGS.temporal]: ({ reader }) =>
    readTemporal(reader.unit(), { integer: () => reader.integer(), take: (length) => reader.take(length) }) ?? reader.fail('no such time'),
  [TAGS.emptySeq]: () => EMPTY_SEQ,
  [TAGS.absent]: () => ABSENT,
  [TAGS.unbound]: () => UNBOUND,
});

/** The most frequent values with parts, where they have neither metadata nor an identity: without what others need. */
export const FREQUENT = byCode({
  [TAGS.vector]: (decoder) => {
    const count = decoder.reader.count();
    if (count === 0) return EMPTY_VECTOR;
    const slot = decoder.open();
    return decoder.close(slot, vector(decoder.items(count)));
  },
  [TAGS.arrayMap]: (decoder) => {
    const count = decoder.reader.count();
    if (count === 0) return EMPTY_MAP;
    const slot = decoder.open();
    return decoder.close(slot, new ArrayMap(decoder.items(count * 2), null));
  },
  [TAGS.atom]: (decoder) => decoder.close(decoder.open(), decoder.later(new Atom(null, null, null))),
  [TAGS.lazySeq]: (decoder) => decoder.close(decoder.open(), decoder.later(new LazySeq(sameSeq, NOTHING_YET, null))),
  [TAGS.unit]: (decoder) => {
    const slot = decoder.open();
    const factory = decoder.factory(decoder.name(), decoder.reader.upTo(':'));
    return decoder.close(slot, factory(...decoder.items(decoder.reader.count())));
  },
});
