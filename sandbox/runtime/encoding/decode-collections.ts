import { orderingBy } from '../builtins/maps.ts';
import { eduction } from '../builtins/transducers.ts';
import { ArrayMap, EMPTY_MAP } from '../values/array-map.ts';
import { LazySeq, sameSeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { Range } from '../values/range.ts';
import { EMPTY_QUEUE, Queue } from '../values/queue.ts';
import { LispRecord, RecordType } from '../values/record.ts';
import { ArraySeq, Cons, DeferredSeq, EMPTY_LIST, EMPTY_SEQ, List, Seq, VectorSeq } from '../values/seq.ts';
import { LispSet } from '../values/set.ts';
import { SortedEntries } from '../values/sorted-entries.ts';
import { SortedMap } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { EMPTY_VECTOR, MapEntry, Vector, vector } from '../values/vector.ts';
import type { Compound, Compounds, Parts } from './decoding.ts';
import { twice } from './hashed.ts';
import { TAGS } from './tags.ts';

/**
 * A collection of elements or entries (`size` parts each). One that is empty and has no metadata is the same object
 * everywhere, so it has no number.
 */
function counted(size: number, make: Compound['make']): Compound {
  return {
    numbered: 'head',
    head: ({ reader }, hasMeta) => {
      const count = reader.count();
      return { parts: count * size, slots: count === 0 && !hasMeta ? 0 : 1 };
    },
    make,
  };
}

/** A sorted collection: its comparator, then elements or entries. */
function sorted(size: number, make: Compound['make']): Compound {
  return { numbered: 'tag', head: ({ reader }) => ({ parts: reader.count() * size + 1 }), make };
}

function fixed(parts: number, make: Compound['make']): Compound {
  return { numbered: 'tag', head: () => ({ parts }), make };
}

/** Cells in front of a tail, each with a number. */
function cells(more: 0 | 1, make: Compound['make']): Compound {
  return {
    numbered: 'head',
    head: ({ reader }, hasMeta) => {
      const count = reader.count();
      if (count === 0 && more === 1) reader.fail('no elements');
      return { parts: count + more, slots: count === 0 && hasMeta ? 1 : count };
    },
    make,
  };
}

function listOnto(heads: readonly unknown[], end: List, { meta, slot }: Parts, table: unknown[]): List {
  let made = end;
  for (let i = heads.length - 1; i >= 0; i -= 1) {
    made = new List(heads[i], made, made.count + 1, i === 0 ? meta : null);
    table[slot + i] = made;
  }
  return heads.length === 0 && meta !== null ? made.withMeta(meta) : made;
}

export const COLLECTIONS: Compounds = {
  [TAGS.vector]: counted(1, ({ items, meta }) => vector(items, meta)),
  [TAGS.entry]: counted(1, ({ items }) => new MapEntry(items[0], items[1])),
  [TAGS.hashSet]: counted(1, ({ items, meta }, { hashed, canHash }) => hashed.set(items, meta, canHash())),
  [TAGS.arrayMap]: counted(2, ({ items, meta }) =>
    items.length === 0 && meta === null ? EMPTY_MAP : new ArrayMap(items, meta),
  ),
  [TAGS.hashMap]: counted(2, ({ items, meta }, { hashed, canHash }) => hashed.map(items, meta, canHash())),
  [TAGS.realised]: counted(1, ({ items, meta }) => new ArraySeq(items, 0, false, meta)),
  [TAGS.counted]: counted(1, ({ items, meta }) => new ArraySeq(items, 0, true, meta)),
  [TAGS.sortedMap]: sorted(
    2,
    ({ items, meta }) => new SortedMap(SortedEntries.ofSorted(orderingBy(items[0]), items.slice(1)), meta),
  ),
  [TAGS.sortedSet]: sorted(
    1,
    ({ items, meta }) => new SortedSet(SortedEntries.ofSorted(orderingBy(items[0]), twice(items, 1)), meta),
  ),
  [TAGS.list]: cells(0, (parts, { table }) => listOnto(parts.items, EMPTY_LIST, parts, table)),
  [TAGS.listOnto]: cells(1, (parts, { table, reader }) => {
    const end = parts.items.at(-1);
    return end instanceof List ? listOnto(parts.items.slice(0, -1), end, parts, table) : reader.fail('no list');
  }),
  [TAGS.conses]: cells(1, ({ items, meta, slot }, { table, reader }) => {
    let made = items.at(-1);
    for (let i = items.length - 2; i >= 0; i -= 1) {
      if (!(made instanceof Seq)) return reader.fail('no seq');
      made = new Cons(items[i], made, i === 0 ? meta : null);
      table[slot + i] = made;
    }
    return made;
  }),
  [TAGS.emptySeq]: fixed(0, ({ meta }) => EMPTY_SEQ.withMeta(meta)),
  [TAGS.vectorSeq]: {
    numbered: 'tag',
    head: ({ reader }) => ({ parts: 1, said: [String(reader.safeInteger())] }),
    make: ({ items: [source], said: [offset], meta }, { reader }) => {
      const at = Number(offset);
      return source instanceof Vector && at >= 0 && at < source.count
        ? new VectorSeq(source, at, meta)
        : reader.fail('no vector');
    },
  },
  [TAGS.deferredSeq]: fixed(1, ({ items: [source], meta }, { reader }) =>
    source instanceof LispMap || source instanceof LispSet
      ? new DeferredSeq(source, meta)
      : reader.fail('no map or set'),
  ),
  [TAGS.range]: {
    numbered: 'tag',
    head: ({ reader }) => ({
      parts: 0,
      said: [reader.safeInteger(), reader.safeInteger(), reader.safeInteger(), reader.safeInteger()].map(String),
    }),
    make: ({ said, meta }, { reader }) => {
      const [start = 0, step = 0, count = 0, lazy] = said.map(Number);
      return count > 0 ? new Range(start, step, count, lazy === 1, meta) : reader.fail('an empty range');
    },
  },
  [TAGS.eduction]: fixed(2, ({ items: [transducer, source] }) => eduction(transducer, source)),
  [TAGS.queue]: counted(1, ({ items, meta }) =>
    items.length === 0 && meta === null ? EMPTY_QUEUE : new Queue(vector(items), 0, EMPTY_VECTOR, meta),
  ),
  [TAGS.record]: {
    numbered: 'tag',
    head: ({ reader }) => ({ parts: reader.count() + 2 }),
    make: ({ items: [type, extra, ...values], meta }, { reader }) =>
      type instanceof RecordType && extra instanceof LispMap && values.length === type.fields.length
        ? new LispRecord(type, values, extra, meta)
        : reader.fail('no record'),
  },
  [TAGS.lazySeq]: fixed(0, ({ meta }, { later }) => later(new LazySeq(sameSeq, [null], meta))),
};
