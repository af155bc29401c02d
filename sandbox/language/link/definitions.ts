import { branch } from '../../runtime/branch.ts';
import { bindings, rootFrame } from '../../runtime/dynamic.ts';
import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import { mergeMeta, variableMeta } from './metadata.ts';

/**
 * What a definition says of its variable: parameter vectors (`variableMeta`), text, privacy, and the metadata that is
 * written at the name and after it.
 */
type Facts = readonly [
  arglists?: string | null,
  doc?: string | null,
  isPrivate?: boolean,
  ...given: readonly unknown[],
];

/** `(def name value)`: visible at once to all callers. */
export function define(variable: Var, value: unknown, ...facts: Facts): Var {
  keepForUndo(variable);
  const frame = bindings.frames.length === 0 ? null : rootFrame(variable);
  if (frame === null) variable.value = value;
  else frame.shadowed = value;
  variable.describeBy(() => metadataOf(variable, facts));
  return variable;
}

/** `(def name)` and `declare`: a value that is there stays. */
export function declare(variable: Var, ...facts: Facts): Var {
  keepForUndo(variable);
  const meta = metadataOf(variable, facts);
  variable.meta = variable.meta === null ? meta : mergeMeta(variable.meta, meta);
  return variable;
}

function metadataOf(variable: Var, [arglists = null, doc = null, isPrivate = false, ...input]: Facts): unknown {
  return input.reduceRight(
    (merged: unknown, part) => mergeMeta(part, merged),
    variableMeta(variable.name, doc, arglists, isPrivate),
  );
}

export function hasValue(variable: Var): boolean {
  return variable.value !== UNBOUND;
}

/** A definition made in a parallel branch is discarded with it (language.md §16). */
export function keepForUndo(variable: Var): void {
  const { undo } = branch;
  if (undo === null) return;
  const { value, meta } = variable;
  undo.push(() => {
    variable.value = value;
    variable.meta = meta;
  });
}
