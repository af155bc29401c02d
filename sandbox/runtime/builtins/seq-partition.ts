import { badValue } from '../errors.ts';
import { equals } from '../equality.ts';
import { invoke1, type LispFunction } from '../invoke.ts';
import { first, isLazySource, seq, toArray, visit } from '../sequence.ts';
import { Reduced } from '../values/atom.ts';
import type { Collection } from '../values/collection.ts';
import { type LazyBodies, lazySeq } from '../values/lazy-seq.ts';
import { ABSENT } from '../values/map.ts';
import { type Cell, Cons, realised } from '../values/seq.ts';
import { vector } from '../values/vector.ts';
import { dropBody, howMany } from './seq-take.ts';
import { reducing, stepOf, transducer } from './transducers.ts';
import { fixed, type FunctionRow, maker, type Row } from './row.ts';

/** What a part becomes: a seq, or a vector for the functions with a v. */
type Part = (elements: readonly unknown[]) => Collection;

const PARTS: Readonly<Record<string, Part>> = { seq: realised, vector: (elements) => vector(elements) };

/** How to cut: window, step, kind of part, and what happens to a short tail. */
interface Cut {
  readonly size: number;
  readonly step: number;
  readonly kind: 'seq' | 'vector';
  /** 'drop' it, 'keep' it and all later ones, or fill it up from these elements, as far as they are needed, and end. */
  readonly tail: 'drop' | 'keep' | { readonly pad: unknown };
}

function positive(operation: string, n: unknown): number {
  const count = howMany(operation, n);
  if (count < 1) throw badValue(`${operation}: sizes and steps must be one or more`);
  return count;
}

function partOf(cut: Cut, elements: readonly unknown[]): Collection {
  const make = PARTS[cut.kind] ?? realised;
  return make(elements);
}

function cutUp(cut: Cut, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(partitionBody, cut.size, cut.step, cut.kind, packTail(cut.tail), source);
  const elements = toArray(source);
  const parts: unknown[] = [];
  for (let at = 0; at < elements.length; at += cut.step) {
    const window = elements.slice(at, at + cut.size);
    if (window.length === cut.size || cut.tail === 'keep') parts.push(partOf(cut, window));
    else {
      if (cut.tail !== 'drop') parts.push(partOf(cut, filled(window, cut)));
      break;
    }
  }
  return realised(parts);
}

function filled(window: readonly unknown[], cut: Cut): readonly unknown[] {
  const pad = cut.tail === 'drop' || cut.tail === 'keep' ? null : cut.tail.pad;
  const elements = [...window];
  visit(pad, (element) => elements.push(element) >= cut.size);
  return elements;
}

/** The tail rule as a value that a lazy seq can capture. */
function packTail(tail: Cut['tail']): unknown {
  return typeof tail === 'string' ? tail : vector([tail.pad]);
}

export function partitionBody(size: unknown, step: unknown, kind: unknown, tail: unknown, source: unknown): unknown {
  const cut: Cut = {
    size: Number(size),
    step: Number(step),
    kind: kind === 'vector' ? 'vector' : 'seq',
    tail: tail === 'drop' || tail === 'keep' ? tail : { pad: first(tail) },
  };
  const start = seq(source);
  if (start === null) return null;
  const window: unknown[] = [];
  let at: unknown = start;
  while (window.length < cut.size) {
    const cells: Cell | null = seq(at);
    if (cells === null) break;
    window.push(cells.first());
    at = cells.rest();
  }
  const rest = cut.step === cut.size ? at : lazySeq(dropBody, cut.step, start);
  const later = lazySeq(partitionBody, size, step, kind, tail, rest);
  if (window.length === cut.size || cut.tail === 'keep') return new Cons(partOf(cut, window), later, null);
  return cut.tail === 'drop' ? null : realised([partOf(cut, filled(window, cut))]);
}

/** `partition` and `partitionv`: two to four arguments. */
function partitioning(name: string, parameters: string, doc: string, kind: Cut['kind']): Row {
  const cut = (n: unknown, step: unknown, tail: Cut['tail'], source: unknown): unknown =>
    cutUp({ size: positive(name, n), step: positive(name, step), kind, tail }, source);
  return fixed(
    name,
    parameters,
    doc,
    (n: unknown, source: unknown) => cut(n, n, 'drop', source),
    (n: unknown, step: unknown, source: unknown) => cut(n, step, 'drop', source),
    (n: unknown, step: unknown, pad: unknown, source: unknown) => cut(n, step, { pad }, source),
  );
}

/** `partition-all` and `partitionv-all`: one argument gives a transducer, whose parts are vectors. */
function partitioningAll(name: string, parameters: string, doc: string, kind: Cut['kind']): FunctionRow {
  const cut = (n: unknown, step: unknown, source: unknown): unknown =>
    cutUp({ size: positive(name, n), step: positive(name, step), kind, tail: 'keep' }, source);
  return fixed(
    name,
    parameters,
    doc,
    (n: unknown) => grouping(name, [n], groupBySize(positive(name, n))),
    (n: unknown, source: unknown) => cut(n, n, source),
    cut,
  );
}

/** Says of each input whether the group ends before it or after it. */
type Border = (input: unknown, size: number) => 'before' | 'after' | 'inside';

function groupBySize(count: number): () => Border {
  return () => (_input, size) => (size + 1 === count ? 'after' : 'inside');
}

function groupByKey(f: unknown): () => Border {
  return () => {
    let last: unknown = ABSENT;
    return (input) => {
      const key = invoke1(f, input);
      const changed = last !== ABSENT && !equals(last, key);
      last = key;
      return changed ? 'before' : 'inside';
    };
  };
}

/** A transducer of groups as vectors; the rest goes out at completion, also after an early stop. */
function grouping(name: string, captures: readonly unknown[], start: () => Border): LispFunction {
  return transducer(name, captures, (rf) => {
    const step = stepOf(rf);
    const border = start();
    let group: unknown[] = [];
    const flush = (result: unknown): unknown => {
      const full = vector(group);
      group = [];
      return step(result, full);
    };
    return reducing(
      rf,
      (result, input) => {
        const where = border(input, group.length);
        if (where === 'before') {
          const flushed = flush(result);
          if (!(flushed instanceof Reduced)) group.push(input);
          return flushed;
        }
        group.push(input);
        return where === 'after' ? flush(result) : result;
      },
      (result) => {
        const last = group.length === 0 ? result : flush(result);
        return invoke1(rf, last instanceof Reduced ? last.value : last);
      },
    );
  });
}

function partitionBy(f: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(partitionByBody, f, source);
  const parts: unknown[] = [];
  let group: unknown[] = [];
  let last: unknown = ABSENT;
  visit(source, (element) => {
    const key = invoke1(f, element);
    if (last !== ABSENT && !equals(last, key)) {
      parts.push(realised(group));
      group = [];
    }
    last = key;
    group.push(element);
  });
  if (group.length > 0) parts.push(realised(group));
  return realised(parts);
}

export function partitionByBody(f: unknown, source: unknown): unknown {
  const cells = seq(source);
  if (cells === null) return null;
  const key = invoke1(f, cells.first());
  const group = [cells.first()];
  let at: unknown = cells.rest();
  for (;;) {
    const further: Cell | null = seq(at);
    if (further === null || !equals(key, invoke1(f, further.first()))) break;
    group.push(further.first());
    at = further.rest();
  }
  return new Cons(realised(group), lazySeq(partitionByBody, f, at), null);
}

export function seqPartition(): readonly Row[] {
  return [
    partitioning(
      'partition',
      'n coll|n step coll|n step pad coll',
      'The elements in groups of n, a short last one dropped or filled up.',
      'seq',
    ),
    partitioning('partitionv', 'n coll|n step coll|n step pad coll', 'As partition, with vectors.', 'vector'),
    maker(
      partitioningAll(
        'partition-all',
        'n|n coll|n step coll',
        'The elements in groups of n, short last ones kept.',
        'seq',
      ),
    ),
    maker(partitioningAll('partitionv-all', 'n|n coll|n step coll', 'As partition-all, with vectors.', 'vector')),
    maker(
      fixed(
        'partition-by',
        'f|f coll',
        'The elements in groups, a new one where a function gives another value.',
        (f: unknown) => grouping('partition-by', [f], groupByKey(f)),
        partitionBy,
      ),
    ),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function partitionBodies(): LazyBodies {
  return { partitionBody, partitionByBody, dropBody };
}
