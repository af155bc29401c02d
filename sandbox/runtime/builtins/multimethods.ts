import { assoc } from '../collections.ts';
import { refuseOuter } from '../branch.ts';
import type { Effects } from '../effects.ts';
import { badState, badValue, mismatch } from '../errors.ts';
import { typeName } from '../classes.ts';
import { invoke } from '../invoke.ts';
import { get, getOr } from '../lookup.ts';
import { displayString } from '../print.ts';
import { EMPTY_HASH_MAP } from '../values/hash-map.ts';
import { keyword } from '../values/keyword.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { MultiMethod } from '../values/multimethod.ts';
import { EMPTY_SET, LispSet } from '../values/set.ts';
import { deref } from './state.ts';
import { isA } from './hierarchies.ts';
import { fixed, type Row, withEffect } from './row.ts';

/** What `defmulti` says. */
export interface MultiMethodFacts {
  /** Name as messages show it, without its namespace. */
  readonly name: string;
  readonly dispatch: unknown;
  readonly defaultValue: unknown;
  /** A var that holds a hierarchy, or null for the global one. */
  readonly hierarchy: unknown;
}

const PARENTS_KEY = keyword(null, 'parents');

/** Whether one dispatch value is preferred over another, also through parents (functions.md §21). */
function isPreferred(method: MultiMethod, hierarchy: unknown, x: unknown, y: unknown, depth = 0): boolean {
  if (depth > 64) return false;
  const over = getOr(method.preferences, x, EMPTY_SET);
  if (over instanceof LispSet && over.lookup(y) !== ABSENT) return true;
  for (const parent of parentsIn(hierarchy, y)) if (isPreferred(method, hierarchy, x, parent, depth + 1)) return true;
  for (const parent of parentsIn(hierarchy, x)) if (isPreferred(method, hierarchy, parent, y, depth + 1)) return true;
  return false;
}

/** A dispatch value in a message, as the reference joins it to the text. */
function asText(value: unknown): string {
  return value === null ? 'null' : displayString(value);
}

function parentsIn(hierarchy: unknown, tag: unknown): readonly unknown[] {
  const parents = get(get(hierarchy, PARENTS_KEY), tag);
  return parents instanceof LispSet ? parents.toArray() : [];
}

function dominates(method: MultiMethod, hierarchy: unknown, x: unknown, y: unknown): boolean {
  return isPreferred(method, hierarchy, x, y) || isA(hierarchy, x, y);
}

function hierarchyOf(effects: Effects, method: MultiMethod): unknown {
  return method.hierarchy === null ? effects.hierarchy : deref(method.hierarchy);
}

/** The function for a dispatch value, the default method, or null. */
function methodFor(effects: Effects, method: MultiMethod, value: unknown): unknown {
  const { methods } = method;
  if (!(methods instanceof LispMap)) return null;
  const hierarchy = hierarchyOf(effects, method);
  let best: { value: unknown; f: unknown } | null = null;
  const candidates: { value: unknown; f: unknown }[] = [];
  methods.visit((key, f) => {
    if (isA(hierarchy, value, key)) candidates.push({ value: key, f });
  });
  for (const candidate of candidates) {
    if (best === null || dominates(method, hierarchy, candidate.value, best.value)) best = candidate;
    if (!dominates(method, hierarchy, best.value, candidate.value)) {
      throw badValue(
        `Multiple methods in multimethod '${method.name}' match dispatch value: ${asText(value)} -> ${asText(candidate.value)} and ${asText(best.value)}, and neither is preferred`,
      );
    }
  }
  if (best !== null) return best.f;
  const fallback = methods.lookup(method.defaultValue);
  return fallback === ABSENT ? null : fallback;
}

function callMethod(effects: Effects, method: MultiMethod, args: readonly unknown[]): unknown {
  const value = invoke(method.dispatch, args);
  const f = methodFor(effects, method, value);
  if (f === null) throw badValue(`No method in multimethod '${method.name}' for dispatch value: ${asText(value)}`);
  return invoke(f, args);
}

/** A multimethod without methods, as `defmulti` makes it. */
export function makeMultiMethod(effects: Effects, facts: MultiMethodFacts): MultiMethod {
  return new MultiMethod({
    ...facts,
    methods: EMPTY_HASH_MAP,
    preferences: EMPTY_HASH_MAP,
    call: (method, args) => callMethod(effects, method, args),
  });
}

/** Adds or replaces a method, as `defmethod` does; the multimethod. */
export function addMethod(target: unknown, value: unknown, f: unknown): MultiMethod {
  const method = changeable('defmethod', target);
  method.methods = assoc(method.methods, value, f);
  return method;
}

function methodOf(operation: string, value: unknown): MultiMethod {
  if (value instanceof MultiMethod) return value;
  throw mismatch(value, `${operation}: argument 1 must be a multimethod, not ${typeName(value)}`);
}

/** A multimethod that is to be changed. */
function changeable(operation: string, value: unknown): MultiMethod {
  const method = methodOf(operation, value);
  refuseOuter(method.birth, 'A multimethod');
  return method;
}

function prefer(effects: Effects, target: unknown, x: unknown, y: unknown): MultiMethod {
  const method = changeable('prefer-method', target);
  if (isPreferred(method, hierarchyOf(effects, method), y, x)) {
    throw badState(
      `Preference conflict in multimethod '${method.name}': ${asText(y)} is already preferred to ${asText(x)}`,
    );
  }
  const over = getOr(method.preferences, x, EMPTY_SET);
  if (over instanceof LispSet) method.preferences = assoc(method.preferences, x, over.conj(y));
  return method;
}

/** The functions that look at and change multimethods. */
export function multimethods(effects: Effects): readonly Row[] {
  return withEffect('state', [
    fixed(
      'get-method',
      'multifn dispatch-val',
      'The function for a dispatch value, or nil.',
      (target: unknown, value: unknown) => methodFor(effects, methodOf('get-method', target), value),
    ),
    fixed(
      'methods',
      'multifn',
      'The map of dispatch values to functions.',
      (target: unknown) => methodOf('methods', target).methods,
    ),
    fixed(
      'remove-method',
      'multifn dispatch-val',
      'Removes the method of a dispatch value.',
      (target: unknown, value: unknown) => {
        const method = changeable('remove-method', target);
        if (method.methods instanceof LispMap) method.methods = method.methods.dissoc(value);
        return method;
      },
    ),
    fixed('remove-all-methods', 'multifn', 'Removes all methods.', (target: unknown) => {
      const method = changeable('remove-all-methods', target);
      method.methods = EMPTY_HASH_MAP;
      return method;
    }),
    fixed(
      'prefer-method',
      'multifn dispatch-val-x dispatch-val-y',
      'Prefers one dispatch value over another.',
      (target: unknown, x: unknown, y: unknown) => prefer(effects, target, x, y),
    ),
    fixed(
      'prefers',
      'multifn',
      'The map of preferred dispatch values.',
      (target: unknown) => methodOf('prefers', target).preferences,
    ),
  ]);
}
