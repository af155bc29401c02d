import { castError, mismatch, nullError } from './errors.ts';
import { typeName } from './classes.ts';
import { describeFunction, functionFacts } from './functions.ts';
import { isFunction } from './invoke.ts';
import { Atom } from './values/atom.ts';
import { Collection } from './values/collection.ts';
import { Eduction } from './values/eduction.ts';
import { LispMap } from './values/map.ts';
import { Reified } from './values/reified.ts';
import { LispSymbol } from './values/symbol.ts';
import { Var } from './values/var.ts';
import { MapEntry } from './values/vector.ts';

/** `meta`: null where there is none or cannot be any. */
export function metaOf(value: unknown): unknown {
  if (value instanceof Collection || value instanceof LispSymbol) return value.meta;
  if (value instanceof Atom || value instanceof Var || value instanceof Reified) return value.meta;
  return functionFacts(value)?.meta ?? null;
}

/**
 * `with-meta`, for an operation that an error is to name: symbols, collections, seqs and functions; everything else is
 * TE.
 */
export function withMeta(value: unknown, meta: unknown, operation = 'with-meta'): unknown {
  if (meta !== null && !(meta instanceof LispMap)) {
    throw mismatch(meta, `${operation}: metadata must be a map, not ${typeName(meta)}`);
  }
  if (value instanceof Collection && !(value instanceof MapEntry) && !(value instanceof Eduction)) {
    return value.withMeta(meta);
  }
  if (value instanceof LispSymbol || value instanceof Reified) return value.withMeta(meta);
  if (isFunction(value)) {
    const facts = functionFacts(value);
    const same = (...args: readonly unknown[]): unknown => value(...args);
    return describeFunction(same, { ...(facts ?? { name: null, unit: '', captures: null }), meta });
  }
  if (value === null) throw nullError(`${operation}: nil takes no metadata`);
  throw castError(`${operation}: ${typeName(value)} takes no metadata`);
}

/** A producer's result under the metadata of what it came from. */
export function keepMeta(result: Collection, source: unknown): Collection {
  const meta = metaOf(source);
  return meta === null ? result : result.withMeta(meta);
}
