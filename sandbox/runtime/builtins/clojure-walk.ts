import { emptied, into } from '../collections.ts';
import { wrongArgument } from '../errors.ts';
import { invoke1 } from '../invoke.ts';
import { keepMeta } from '../metadata.ts';
import { toArray } from '../sequence.ts';
import { keywordFromText, Keyword } from '../values/keyword.ts';
import { Collection } from '../values/collection.ts';
import { Eduction } from '../values/eduction.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { Queue } from '../values/queue.ts';
import { LispRecord } from '../values/record.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { isList, list, realised, Seq } from '../values/seq.ts';
import { MapEntry, Vector, vector } from '../values/vector.ts';
import { fixed, type Row } from './row.ts';

type Change = (value: unknown) => unknown;

/** One level: `inner` on each element, `outer` on the whole; every kind of collection stays its kind. */
function walkWith(inner: Change, outer: Change, form: unknown): unknown {
  if (isList(form) || form instanceof Queue) return outer(keepMeta(list(toArray(form).map(inner)), form));
  if (form instanceof MapEntry) return outer(new MapEntry(inner(form.key), inner(form.value)));
  if (form instanceof Seq) return outer(keepMeta(realised(toArray(form).map(inner)), form));
  if (form instanceof Vector) return outer(keepMeta(vector(toArray(form).map(inner)), form));
  if (form instanceof LispRecord) return outer(into(form, realised(toArray(form).map(inner))));
  if (form instanceof LispMap) return outer(walkMap(inner, form));
  if (form instanceof Collection && !(form instanceof Eduction)) {
    return outer(into(emptied(form), realised(toArray(form).map(inner))));
  }
  return outer(form);
}

/** Entries are visited as map entries; what comes back must be a pair. */
function walkMap(inner: Change, form: LispMap): unknown {
  const entries = toArray(form).map(inner);
  for (const entry of entries) {
    const isPair = entry === null || entry instanceof LispMap || (entry instanceof Vector && entry.count === 2);
    if (!isPair && !(entry instanceof Vector))
      throw wrongArgument('walk', 1, 'a function that gives pairs for entries', entry);
  }
  return into(form.empty(), realised(entries));
}

function postWalk(change: Change, form: unknown): unknown {
  return walkWith((inner) => postWalk(change, inner), change, form);
}

function preWalk(change: Change, form: unknown): unknown {
  return walkWith(
    (inner) => preWalk(change, inner),
    (outer) => outer,
    change(form),
  );
}

/** Maps at any depth with their keys changed; the metadata of maps is dropped. */
function withKeys(changeKey: Change, form: unknown): unknown {
  return postWalk((value) => {
    if (!(value instanceof LispMap)) return value;
    const changed = new MapBuilder();
    value.visit((key, element) => changed.put(changeKey(key), element));
    return changed.build();
  }, form);
}

function replacing(table: unknown): Change {
  return (value) => {
    const found = table instanceof LispMap ? table.lookup(value) : ABSENT;
    return found === ABSENT ? value : found;
  };
}

function call(f: unknown): Change {
  return (value) => invoke1(f, value);
}

export function clojureWalk(): readonly Row[] {
  return [
    fixed(
      'walk',
      'inner outer form',
      'A function on each element, another on the result.',
      (inner: unknown, outer: unknown, form: unknown) => walkWith(call(inner), call(outer), form),
    ),
    fixed(
      'prewalk',
      'f form',
      'A function on every part of a form, the whole before its parts.',
      (f: unknown, form: unknown) => preWalk(call(f), form),
    ),
    fixed(
      'postwalk',
      'f form',
      'A function on every part of a form, the parts before the whole.',
      (f: unknown, form: unknown) => postWalk(call(f), form),
    ),
    fixed('keywordize-keys', 'm', 'String keys of all maps in a form as keywords.', (form: unknown) =>
      withKeys((key) => (typeof key === 'string' ? keywordFromText(key) : key), form),
    ),
    fixed(
      'stringify-keys',
      'm',
      'Keyword keys of all maps in a form as strings, without namespaces.',
      (form: unknown) => withKeys((key) => (key instanceof Keyword ? key.name : key), form),
    ),
    fixed(
      'prewalk-replace',
      'smap form',
      'Parts of a form replaced by what a table has for them, the whole first.',
      (table: unknown, form: unknown) => preWalk(replacing(table), form),
    ),
    fixed(
      'postwalk-replace',
      'smap form',
      'Parts of a form replaced by what a table has for them, the parts first.',
      (table: unknown, form: unknown) => postWalk(replacing(table), form),
    ),
  ];
}
