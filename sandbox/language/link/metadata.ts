import type { Builtin } from '../../runtime/builtins/table.ts';
import { conjMap } from '../../runtime/collections.ts';
import { EMPTY_MAP } from '../../runtime/values/array-map.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { list, Seq } from '../../runtime/values/seq.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import { vector } from '../../runtime/values/vector.ts';
import { LispMap } from '../../runtime/values/map.ts';
import type { Var } from '../../runtime/values/var.ts';
import { get } from '../../runtime/lookup.ts';
import { printString } from '../../runtime/print.ts';
import { toArray } from '../../runtime/sequence.ts';
import { isTruthy } from '../../runtime/truth.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { readForm } from './read-form.ts';

const NAME = keyword(null, 'name');
const DOC = keyword(null, 'doc');
const ARGLISTS = keyword(null, 'arglists');
const NS = keyword(null, 'ns');
const PRIVATE = keyword(null, 'private');

/** The metadata of a short form: `^:private`, `^String`. */
export function singleMeta(key: unknown, value: unknown): unknown {
  return mapFromEntries([key, value]);
}

/** Metadata of a variable: its name and, where given, text, parameter vectors and privacy. */
export function variableMeta(name: string, doc: string | null, arglists: string | null, isPrivate: boolean): unknown {
  const flat: unknown[] = [NAME, symbol(null, name)];
  if (doc !== null) flat.push(DOC, doc);
  if (arglists !== null) flat.push(ARGLISTS, parameterVectors(arglists));
  if (isPrivate) flat.push(PRIVATE, true);
  return mapFromEntries(flat);
}

/** Metadata of the variable of a built-in: its name, namespace, text and, where it is a function, parameter vectors. */
export function builtinMeta({ name: qualified, parameters, doc }: Builtin): unknown {
  const slash = qualified.indexOf('/');
  const [namespace, name] = [qualified.slice(0, slash), qualified.slice(slash + 1)];
  const arglists = parameters === null ? [] : [ARGLISTS, parameterVectors(parameters)];
  return mapFromEntries([NAME, symbol(null, name), NS, symbol(null, namespace), ...arglists, DOC, doc]);
}

/**
 * The parameter vectors that a text means: `x y|x & more`, or their list as it prints where patterns are among them.
 */
function parameterVectors(text: string): unknown {
  if (text.startsWith('(')) return readForm(text, 'lisp', null);
  const vectors = text.split('|').map((names) => (names === '' ? [] : names.split(' ')));
  return list(vectors.map((names) => vector(names.map((name) => symbol(null, name)))));
}

/** Two metadata maps in one; the second wins. */
export function mergeMeta(first: unknown, second: unknown): unknown {
  return conjMap(first instanceof LispMap ? first : EMPTY_MAP, second);
}

/** The text that the metadata of a variable gives. */
export function variableDoc({ meta }: Var): string | null {
  const doc = get(meta, DOC);
  return typeof doc === 'string' ? doc : null;
}

/** Whether the metadata of a variable make it private. */
export function isPrivateVariable({ meta }: Var): boolean {
  return isTruthy(get(meta, PRIVATE));
}

/** The parameter vectors that the metadata of a variable gives, as text. */
export function variableParameters({ meta }: Var): readonly string[] {
  const arglists = get(meta, ARGLISTS);
  return arglists instanceof Seq ? toArray(arglists).map(printString) : [];
}
