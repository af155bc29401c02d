import { endsToken, isDigit } from '../reader/characters.ts';
import { MACRO_NAMES, CONTROL_NAMES } from '../analyser/forms/names.ts';
import type { NodePlace } from './nodes.ts';
import { outlineOf } from './outline.ts';
import { scopesOf, type ScopedLocal } from './scopes.ts';
import { textTree } from './text-tree.ts';

/** What a name in a text means: where it is bound or defined, and every place where it means that. */
export interface NamedThing {
  readonly kind: 'local' | 'definition';
  readonly name: string;
  readonly declaration: NodePlace;
  /** In the order of the text, the declaration among them. */
  readonly places: readonly NodePlace[];
  /** Why it cannot be renamed here; null where it can. */
  readonly refusal: string | null;
}

/** The local, or the definition of the text itself, that a symbol at an offset means; null where it means neither. */
export function thingAt(source: string, offset: number): NamedThing | null {
  const nodes = textTree(source);
  const { locals, free } = scopesOf(source, nodes);
  const touches = ({ start, end }: NodePlace): boolean => start <= offset && offset <= end;
  const local = locals.find(({ place, uses }) => touches(place) || uses.some(touches));
  if (local !== undefined) return localThing(local);
  const symbol = free.find(touches);
  if (symbol === undefined) return null;
  const { sections, entries } = outlineOf(source, nodes);
  const sectionAt = (at: number) => sections.find(({ start, end }) => start <= at && at < end);
  const resolveUse = (use: typeof symbol): string | null => {
    const section = sectionAt(use.start);
    if (use.prefix !== null) return section?.aliases.get(use.prefix) ?? use.prefix;
    return section?.referred.get(use.name) ?? section?.name ?? null;
  };
  const namespace = resolveUse(symbol);
  const entry = entries.find(
    (one) => one.namespace === namespace && one.name === symbol.name && one.kind !== 'declared',
  );
  if (entry === undefined || namespace === null) return null;
  const places = free
    .filter((use) => use.name === symbol.name && resolveUse(use) === namespace)
    .map(({ start, end, name }) => ({ start: end - name.length > start ? end - name.length : start, end }));
  return {
    kind: 'definition',
    name: symbol.name,
    declaration: entry.place,
    places,
    refusal: entry.isPrivate
      ? null
      : 'only locals and private definitions can be renamed: other components may use this one',
  };
}

function localThing({ name, place, uses, isKey }: ScopedLocal): NamedThing {
  const places = [place, ...uses].toSorted((one, other) => one.start - other.start);
  const refusal = isKey ? `${name} names a key too; write {name :key} in the pattern first` : null;
  return { kind: 'local', name, declaration: place, places, refusal };
}

export type Renaming =
  | { readonly ok: true; readonly places: readonly NodePlace[] }
  | { readonly ok: false; readonly reason: string };

/** Characters of a name (language.md §13). */
const NAME_LENGTH_MAX = 128;

/**
 * The places at which another name has to be written, so that everything else keeps its meaning. Refused where the name
 * is none, or would mean something else in one of them, or take the meaning from another symbol.
 */
export function renameAt(source: string, offset: number, name: string): Renaming {
  const thing = thingAt(source, offset);
  if (thing === null) return refused('there is no local and no definition of this file here');
  if (thing.refusal !== null) return refused(thing.refusal);
  if (!isPlainName(name)) return refused(`${name.slice(0, NAME_LENGTH_MAX)} is no plain name`);
  if (MACRO_NAMES.has(name) || CONTROL_NAMES.has(name)) return refused(`${name} is the name of a form`);
  if (name === thing.name) return { ok: true, places: thing.places };
  const renamed = written(source, thing.places, name);
  const shift = name.length - thing.name.length;
  const expected = thing.places.map(({ start }, index) => start + index * shift);
  const after = thingAt(renamed, expected[0] ?? 0);
  const found = after?.places.map(({ start }) => start) ?? [];
  if (found.length !== expected.length || found.some((start, index) => start !== expected[index]))
    return refused(`${name} means something else where ${thing.name} is used`);
  // The way back has to lead to the same places: else another symbol has changed its meaning.
  const others = scopeFacts(source, thing.places);
  const othersAfter = scopeFacts(renamed, after?.places ?? []);
  return others === othersAfter
    ? { ok: true, places: thing.places }
    : refused(`${name} is used here for something else`);
}

/** Which symbol of a text means which local, given by their order, without those that were renamed. */
function scopeFacts(source: string, without: readonly NodePlace[]): string {
  const left = new Set(without.map(({ start }) => start));
  const { locals, free } = scopesOf(source, textTree(source));
  const order = new Map(
    [...locals.flatMap(({ place, uses }) => [place, ...uses]), ...free]
      .map(({ start }) => start)
      .toSorted((one, other) => one - other)
      .map((start, index) => [start, index]),
  );
  const facts = locals.map(({ place, uses }) => [place, ...uses].map(({ start }) => order.get(start)));
  return JSON.stringify([
    facts,
    free
      .filter(({ start, end, name }) => !left.has(start) && !left.has(end - name.length))
      .map(({ start, name }) => [order.get(start), name]),
  ]);
}

function written(source: string, places: readonly NodePlace[], name: string): string {
  let text = '';
  let at = 0;
  for (const { start, end } of places) {
    text += source.slice(at, start) + name;
    at = end;
  }
  return text + source.slice(at);
}

function isPlainName(name: string): boolean {
  const isToken =
    name !== '' && name.length <= NAME_LENGTH_MAX && !Array.from(name).some((unit) => endsToken(unit.charCodeAt(0)));
  const begins = !/^[+-]?$/.test(name) && !isDigit(name.charCodeAt(0)) && !/^[+-]\d/.test(name);
  return isToken && begins && !/^(?:nil|true|false|&)$|^[:#'%.]|[:/.]|\.$/.test(name);
}

function refused(reason: string): Renaming {
  return { ok: false, reason };
}
