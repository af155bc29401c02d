import { addAll, conj, containsKey, disj } from '../collections.ts';
import { getOr } from '../lookup.ts';
import { invoke1 } from '../invoke.ts';
import { count, first, seq, toArray, visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { EMPTY_MAP } from '../values/array-map.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { EMPTY_SET, LispSet } from '../values/set.ts';
import { MapEntry, Vector, vector } from '../values/vector.ts';
import { keepMeta } from '../metadata.ts';
import { fixed, type Row, variadic } from './row.ts';

/** Arguments are not checked: each function does what conj, disj and contains? do (functions.md §13). */

function unite(a: unknown, b: unknown): unknown {
  const [larger, smaller] = count(a) < count(b) ? [b, a] : [a, b];
  let result = larger;
  visit(smaller, (member) => {
    result = conj(result, member);
  });
  return result;
}

/** The largest argument takes in all others, as the reference does for more than two. */
function union(sets: readonly unknown[]): unknown {
  if (sets.length === 0) return EMPTY_SET;
  if (sets.length === 2) return unite(sets[0], sets[1]);
  const [largest, ...others] = largestFirst(sets);
  let result = largest;
  for (const other of others) {
    visit(other, (member) => {
      result = conj(result, member);
    });
  }
  return result;
}

/** The greatest by count (the last of equals) before the others in their order. */
function largestFirst(sets: readonly unknown[]): unknown[] {
  let at = 0;
  sets.forEach((set, i) => {
    if (count(set) >= count(sets[at])) at = i;
  });
  return [sets[at], ...sets.slice(0, at), ...sets.slice(at + 1)];
}

function intersect(a: unknown, b: unknown): unknown {
  const [smaller, larger] = count(b) < count(a) ? [b, a] : [a, b];
  let result = smaller;
  visit(smaller, (member) => {
    if (!hasMember(larger, member)) result = disj(result, member);
  });
  return result;
}

function hasMember(collection: unknown, value: unknown): boolean {
  return collection instanceof LispMap ? collection.lookup(value) !== ABSENT : containsKey(collection, value);
}

function intersection(sets: readonly unknown[]): unknown {
  if (sets.length <= 2) return sets.length === 1 ? sets[0] : intersect(sets[0], sets[1]);
  let at = 0;
  sets.forEach((set, i) => {
    if (count(set) <= count(sets[at])) at = i;
  });
  return [...sets.slice(0, at), ...sets.slice(at + 1)].reduce(intersect, sets[at]);
}

function subtract(a: unknown, b: unknown): unknown {
  let result = a;
  if (count(a) < count(b)) {
    visit(a, (member) => {
      if (hasMember(b, member)) result = disj(result, member);
    });
  } else {
    visit(b, (member) => {
      result = disj(result, member);
    });
  }
  return result;
}

function isSubset(a: unknown, b: unknown): boolean {
  return count(a) <= count(b) && !visit(a, (member) => !hasMember(b, member));
}

function select(test: unknown, set: unknown): unknown {
  let result = set;
  visit(set, (member) => {
    if (!isTruthy(invoke1(test, member))) result = disj(result, member);
  });
  return result;
}

/** Exact keys: no flexible lookup in this library. */
function pick(map: unknown, keys: readonly unknown[]): unknown {
  const picked = new MapBuilder();
  for (const key of keys) {
    const value = map instanceof LispMap ? map.lookup(key) : getOr(map, key, ABSENT);
    if (value !== ABSENT) picked.put(key, value);
  }
  return keepMeta(picked.build(), map);
}

function collect(source: unknown, change: (member: unknown) => unknown): unknown {
  let result: unknown = EMPTY_SET;
  visit(source, (member) => {
    result = conj(result, change(member));
  });
  return keepMeta(result instanceof LispSet ? result : EMPTY_SET, source);
}

function project(relation: unknown, keys: unknown): unknown {
  const wanted = toArray(keys);
  return collect(relation, (member) => pick(member, wanted));
}

function renameKeys(map: unknown, names: unknown): unknown {
  if (!(map instanceof LispMap)) return map;
  let result: LispMap = map;
  const renames = entriesOf(names);
  for (const { key } of renames) result = result.dissoc(key);
  for (const { key, value } of renames) {
    const found = map.lookup(key);
    if (found !== ABSENT) result = result.assoc(value, found);
  }
  return result;
}

function entriesOf(map: unknown): MapEntry[] {
  return toArray(map).filter((entry) => entry instanceof MapEntry);
}

function invert(map: unknown): unknown {
  const inverted = new MapBuilder();
  if (map instanceof Vector) map.toArray().forEach((value, index) => inverted.put(value, index));
  else for (const { key, value } of entriesOf(map)) inverted.put(value, key);
  return inverted.build();
}

function index(relation: unknown, keys: unknown): LispMap {
  const wanted = toArray(keys);
  const groups = new MapBuilder();
  visit(relation, (member) => {
    const key = pick(member, wanted);
    const known = groups.lookup(key);
    groups.put(key, conj(known === ABSENT ? EMPTY_SET : known, member));
  });
  return groups.build();
}

function mergeMaps(a: unknown, b: unknown): unknown {
  const base = a instanceof LispMap ? a : EMPTY_MAP;
  return b instanceof LispMap ? addAll(base, b) : base;
}

/** The natural join: on the keys that the first members of both share. */
function joinNaturally(left: unknown, right: unknown): unknown {
  if (seq(left) === null || seq(right) === null) return EMPTY_SET;
  const shared: unknown[] = [];
  const other = first(right);
  for (const { key } of entriesOf(first(left))) if (hasMember(other, key)) shared.push(key);
  const [smaller, larger] = count(left) <= count(right) ? [left, right] : [right, left];
  const groups = index(smaller, vector(shared));
  let result: unknown = EMPTY_SET;
  visit(larger, (member) => {
    const matches = groups.lookup(pick(member, shared));
    if (matches !== ABSENT) {
      visit(matches, (match) => {
        result = conj(result, mergeMaps(match, member));
      });
    }
  });
  return result;
}

function joinBy(left: unknown, right: unknown, keys: unknown): unknown {
  const leftIsSmaller = count(left) <= count(right);
  const [smaller, larger] = leftIsSmaller ? [left, right] : [right, left];
  const pairs = entriesOf(leftIsSmaller ? invert(keys) : keys);
  const groups = index(smaller, vector(pairs.map((pair) => pair.value)));
  let result: unknown = EMPTY_SET;
  visit(larger, (member) => {
    const wanted = renameKeys(
      pick(
        member,
        pairs.map((pair) => pair.key),
      ),
      leftIsSmaller ? invert(keys) : keys,
    );
    const matches = groups.lookup(wanted);
    if (matches !== ABSENT) {
      visit(matches, (match) => {
        result = conj(result, mergeMaps(match, member));
      });
    }
  });
  return result;
}

export function clojureSet(): readonly Row[] {
  return [
    variadic('union', '|s1|s1 s2|s1 s2 & sets', 'All members of all sets.', 0, union),
    variadic('intersection', 's1|s1 s2|s1 s2 & sets', 'The members that all sets have.', 1, intersection),
    variadic('difference', 's1|s1 s2|s1 s2 & sets', 'The members of the first set that no other has.', 1, (sets) =>
      sets.slice(1).reduce(subtract, sets[0]),
    ),
    fixed('subset?', 'set1 set2', 'Whether the second set has all members of the first.', isSubset),
    fixed('superset?', 'set1 set2', 'Whether the first set has all members of the second.', (a: unknown, b: unknown) =>
      isSubset(b, a),
    ),
    fixed('select', 'pred xset', 'The members that pass a test.', select),
    fixed('project', 'xrel ks', 'The maps of a relation with only some keys.', project),
    fixed(
      'join',
      'xrel yrel|xrel yrel km',
      'The maps of two relations joined where their keys agree.',
      joinNaturally,
      joinBy,
    ),
    fixed('rename', 'xrel kmap', 'The maps of a relation with keys renamed.', (relation: unknown, names: unknown) =>
      collect(relation, (member) => renameKeys(member, names)),
    ),
    fixed('rename-keys', 'map kmap', 'The map with keys renamed.', renameKeys),
    fixed('map-invert', 'm', 'The map with keys and values exchanged.', invert),
    fixed('index', 'xrel ks', 'The maps of a relation in sets by the values of some keys.', index),
  ];
}
