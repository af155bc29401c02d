import { assoc } from '../collections.ts';
import type { Effects } from '../effects.ts';
import { equals } from '../equality.ts';
import { assertionError, castError, LispError, mismatch } from '../errors.ts';
import { typeName } from '../classes.ts';
import { isSubclass, parentClasses } from '../java/class-values.ts';
import { get } from '../lookup.ts';
import { displayString } from '../print.ts';
import { visit } from '../sequence.ts';
import { ANCESTORS, DESCENDANTS, EMPTY_HIERARCHY, PARENTS } from '../values/hierarchy.ts';
import { ClassValue } from '../values/java.ts';
import { Keyword } from '../values/keyword.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { arrayMap } from '../values/map-builder.ts';
import { EMPTY_SET, HashSet, LispSet, SetBuilder } from '../values/set.ts';
import { LispSymbol } from '../values/symbol.ts';
import { Vector } from '../values/vector.ts';
import { fixed, type Row, withEffect } from './row.ts';

function relatives(hierarchy: unknown, relation: Keyword, tag: unknown): LispSet {
  const found = get(get(hierarchy, relation), tag);
  return found instanceof LispSet ? found : EMPTY_SET;
}

function ancestorsOfClass(child: ClassValue, into: SetBuilder): SetBuilder {
  for (const parent of parentClasses(child)) {
    into.add(parent);
    ancestorsOfClass(parent, into);
  }
  return into;
}

/** `isa?` in a hierarchy. */
export function isA(hierarchy: unknown, child: unknown, parent: unknown): boolean {
  if (equals(child, parent)) return true;
  if (child instanceof ClassValue && parent instanceof ClassValue && isSubclass(parent, child)) return true;
  if (has(relatives(hierarchy, ANCESTORS, child), parent)) return true;
  if (child instanceof ClassValue && classAncestorsReach(hierarchy, child, parent)) return true;
  if (!(child instanceof Vector && parent instanceof Vector) || child.count !== parent.count) return false;
  for (let i = 0; i < child.count; i++) if (!isA(hierarchy, child.at(i), parent.at(i))) return false;
  return true;
}

function has(set: LispSet, value: unknown): boolean {
  return set.lookup(value) !== ABSENT;
}

function classAncestorsReach(hierarchy: unknown, child: ClassValue, parent: unknown): boolean {
  const supers = ancestorsOfClass(child, new SetBuilder()).build();
  return supers.visit((above) => has(relatives(hierarchy, ANCESTORS, above), parent));
}

function addTo(map: unknown, tag: unknown, members: Iterable<unknown>): unknown {
  const known = get(map, tag);
  const builder = new SetBuilder(known instanceof HashSet ? known : undefined);
  for (const member of members) builder.add(member);
  return assoc(map, tag, builder.build());
}

function isNamespaced(tag: unknown): boolean {
  return (tag instanceof Keyword || tag instanceof LispSymbol) && tag.namespace !== null;
}

function cyclic(message: string): LispError {
  return new LispError('value_error', 'java.lang.Exception', message);
}

/** One of the three maps that a hierarchy holds; what has none is no hierarchy. */
function relationMap(operation: string, hierarchy: unknown, relation: Keyword): LispMap {
  const found = get(hierarchy, relation);
  if (found instanceof LispMap) return found;
  throw mismatch(
    found,
    `${operation}: argument 1 must be a hierarchy; its ${displayString(relation)} are ${typeName(found)}`,
  );
}

function isNamed(tag: unknown): boolean {
  return tag instanceof Keyword || tag instanceof LispSymbol;
}

/** The hierarchy with one more relation. */
function deriveIn(hierarchy: unknown, tag: unknown, parent: unknown): unknown {
  if (equals(tag, parent)) throw assertionError('Assert failed: (not= tag parent)');
  if (!(tag instanceof ClassValue) && !isNamed(tag)) {
    throw assertionError('Assert failed: (or (class? tag) (instance? clojure.lang.Named tag))');
  }
  if (!isNamed(parent)) throw assertionError('Assert failed: (instance? clojure.lang.Named parent)');
  const knownParents = relationMap('derive', hierarchy, PARENTS);
  if (has(relatives(hierarchy, PARENTS, tag), parent)) return hierarchy;
  let ancestors: unknown = relationMap('derive', hierarchy, ANCESTORS);
  let descendants: unknown = relationMap('derive', hierarchy, DESCENDANTS);
  if (has(relatives(hierarchy, ANCESTORS, tag), parent)) {
    throw cyclic(`${displayString(tag)} already has ${displayString(parent)} as ancestor`);
  }
  if (has(relatives(hierarchy, ANCESTORS, parent), tag)) {
    throw cyclic(`Cyclic derivation: ${displayString(parent)} has ${displayString(tag)} as ancestor`);
  }
  const above = [parent, ...relatives(hierarchy, ANCESTORS, parent).toArray()];
  const below = [tag, ...relatives(hierarchy, DESCENDANTS, tag).toArray()];
  for (const lower of below) ancestors = addTo(ancestors, lower, above);
  for (const upper of above) descendants = addTo(descendants, upper, below);
  const parents = addTo(knownParents, tag, [parent]);
  return arrayMap([PARENTS, parents, ANCESTORS, ancestors, DESCENDANTS, descendants]);
}

/** The hierarchy without one relation, built again from the others. */
function underiveIn(hierarchy: unknown, tag: unknown, parent: unknown): unknown {
  const parents = relationMap('underive', hierarchy, PARENTS);
  const known = get(parents, tag);
  if (known !== null && !(known instanceof LispSet))
    throw castError(`underive: the parents of a tag must be a set, not ${typeName(known)}`);
  if (known === null || !has(known, parent)) return hierarchy;
  let rebuilt: unknown = EMPTY_HIERARCHY;
  parents.visit((child, uppers) => {
    visit(uppers, (upper) => {
      if (!(equals(child, tag) && equals(upper, parent))) rebuilt = deriveIn(rebuilt, child, upper);
    });
  });
  return rebuilt;
}

function orNil(members: SetBuilder): unknown {
  return members.count === 0 ? null : members.build();
}

function parentsOf(hierarchy: unknown, tag: unknown): unknown {
  const found = new SetBuilder();
  if (tag instanceof ClassValue) for (const parent of parentClasses(tag)) found.add(parent);
  for (const parent of relatives(hierarchy, PARENTS, tag).toArray()) found.add(parent);
  return orNil(found);
}

function ancestorsOf(hierarchy: unknown, tag: unknown): unknown {
  const found = new SetBuilder();
  for (const above of relatives(hierarchy, ANCESTORS, tag).toArray()) found.add(above);
  if (tag instanceof ClassValue) {
    for (const above of ancestorsOfClass(tag, new SetBuilder()).build().toArray()) {
      found.add(above);
      for (const further of relatives(hierarchy, ANCESTORS, above).toArray()) found.add(further);
    }
  }
  return orNil(found);
}

function descendantsOf(hierarchy: unknown, tag: unknown): unknown {
  if (tag instanceof ClassValue) {
    throw new LispError('type_error', 'java.lang.UnsupportedOperationException', "Can't get descendants of classes");
  }
  const found = relatives(hierarchy, DESCENDANTS, tag);
  return found.count === 0 ? null : found;
}

function requireTags(tag: unknown, parent: unknown): void {
  if (!isNamespaced(parent)) throw assertionError('Assert failed: (namespace parent)');
  if (!(tag instanceof ClassValue) && !isNamespaced(tag)) {
    throw assertionError('Assert failed: (or (class? tag) (and (instance? clojure.lang.Named tag) (namespace tag)))');
  }
}

/** Relations between tags; the global hierarchy lives in the effects. */
export function hierarchies(effects: Effects): readonly Row[] {
  const global = (change: unknown): null => {
    effects.changeHierarchy(change);
    return null;
  };
  return [
    ...withEffect('state', [
      fixed(
        'derive',
        'tag parent|h tag parent',
        'Makes one tag the child of another.',
        (tag: unknown, parent: unknown) => {
          requireTags(tag, parent);
          return global(deriveIn(effects.hierarchy, tag, parent));
        },
        deriveIn,
      ),
      fixed(
        'underive',
        'tag parent|h tag parent',
        'Ends a relation between two tags.',
        (tag: unknown, parent: unknown) => global(underiveIn(effects.hierarchy, tag, parent)),
        underiveIn,
      ),
    ]),
    fixed(
      'isa?',
      'child parent|h child parent',
      'Whether one tag is the other or below it.',
      (child: unknown, parent: unknown) => isA(effects.hierarchy, child, parent),
      isA,
    ),
    fixed(
      'parents',
      'tag|h tag',
      'The direct parents of a tag, or nil.',
      (tag: unknown) => parentsOf(effects.hierarchy, tag),
      parentsOf,
    ),
    fixed(
      'ancestors',
      'tag|h tag',
      'All tags above a tag, or nil.',
      (tag: unknown) => ancestorsOf(effects.hierarchy, tag),
      ancestorsOf,
    ),
    fixed(
      'descendants',
      'tag|h tag',
      'All tags below a tag, or nil.',
      (tag: unknown) => descendantsOf(effects.hierarchy, tag),
      descendantsOf,
    ),
    fixed('make-hierarchy', '', 'A hierarchy without relations.', () => EMPTY_HIERARCHY),
  ];
}
