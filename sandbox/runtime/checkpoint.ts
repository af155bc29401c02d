import { functionFacts } from './functions.ts';
import { isFunction } from './invoke.ts';
import { Atom, Delay, Volatile } from './values/atom.ts';
import { ChainedTable } from './values/chained-table.ts';
import { Keyword } from './values/keyword.ts';
import { LazySeq } from './values/lazy-seq.ts';
import { MultiMethod } from './values/multimethod.ts';
import { Protocol } from './values/protocol.ts';
import { TextMatcher } from './regex/text-matcher.ts';
import { LispSymbol } from './values/symbol.ts';
import { Var } from './values/var.ts';

/**
 * Notes everything changeable that these values reach, and returns what puts it all back (language.md §11: a failed
 * evaluation restores state as if it had never run). Takes time and memory in proportion to what is reachable;
 * evaluates nothing.
 */
export function checkpoint(roots: Iterable<unknown>): () => void {
  const undo: (() => void)[] = [];
  const seen = new ChainedTable<object, true>();
  const waiting: unknown[] = [...roots];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!isTraversable(value) || seen.has(value)) continue;
    seen.add(value, true);
    const back = restorer(value);
    if (back !== null) undo.push(back);
    if (isFunction(value)) {
      const facts = functionFacts(value);
      if (facts !== null) waiting.push(facts.captures, facts.meta);
    } else for (const member of Object.values(value)) if (isTraversable(member)) waiting.push(member);
  }
  return () => {
    for (const back of undo) back();
  };
}

function isTraversable(value: unknown): value is object {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && !(value instanceof Keyword) && !(value instanceof LispSymbol);
}

/** Puts back the state of one value; null for the values that never change. */
function restorer(target: object): (() => void) | null {
  if (target instanceof Var || target instanceof Atom) {
    const { value, meta } = target;
    return () => {
      target.value = value;
      target.meta = meta;
    };
  }
  if (target instanceof Volatile) {
    const { value } = target;
    return () => {
      target.value = value;
    };
  }
  if (target instanceof Delay) {
    const { body, value, failure } = target;
    return () => {
      target.body = body;
      target.value = value;
      target.failure = failure;
    };
  }
  if (target instanceof LazySeq) {
    const { body, captures, result, forced } = target;
    return () => {
      target.body = body;
      target.captures = captures;
      target.result = result;
      target.forced = forced;
    };
  }
  if (target instanceof MultiMethod) {
    const { methods, preferences } = target;
    return () => {
      target.methods = methods;
      target.preferences = preferences;
    };
  }
  if (target instanceof Protocol) {
    const { implementations } = target;
    return () => {
      target.implementations = implementations;
    };
  }
  if (target instanceof TextMatcher) {
    const { places, from } = target;
    return () => {
      target.places = places;
      target.from = from;
    };
  }
  return null;
}
