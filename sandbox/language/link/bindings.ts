import { branch } from '../../runtime/branch.ts';
import { bindings } from '../../runtime/dynamic.ts';
import { badState, badValue } from '../../runtime/errors.ts';
import { get } from '../../runtime/lookup.ts';
import { isTruthy } from '../../runtime/truth.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { Var } from '../../runtime/values/var.ts';

const DYNAMIC = keyword(null, 'dynamic');

/** `(binding [var value …] body…)`; variables and values alternate. */
export function withBindings(body: () => unknown, parts: readonly unknown[]): unknown {
  const bound = pairsOf(parts);
  for (const { variable } of bound) {
    if (!isTruthy(get(variable.meta, DYNAMIC)))
      throw badState(`Can't dynamically bind non-dynamic var: ${variable.namespace}/${variable.name}`);
  }
  const { frames } = bindings;
  const depth = frames.length;
  for (const { variable, value } of bound) bind(variable, value, branch.current);
  try {
    return body();
  } finally {
    endBindings(depth);
  }
}

interface Pair {
  readonly variable: Var;
  readonly value: unknown;
}

function pairsOf(parts: readonly unknown[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const variable = parts[i];
    if (!(variable instanceof Var)) throw badValue('binding takes variables');
    pairs.push({ variable, value: parts[i + 1] });
  }
  return pairs;
}

function bind(variable: Var, value: unknown, owner: number): void {
  bindings.frames.push({ variable, shadowed: variable.value, branch: owner });
  variable.value = value;
}

/** Gives variables back what they were before all bindings but the first `depth`. */
export function endBindings(depth: number): void {
  const { frames } = bindings;
  while (frames.length > depth) {
    const frame = frames.pop();
    if (frame !== undefined) frame.variable.value = frame.shadowed;
  }
}

/** `(set! var value)`: of the innermost binding, which must be one of this branch. */
export function setBound(variable: Var, value: unknown): unknown {
  const frame = bindings.frames.findLast((candidate) => candidate.variable === variable);
  if (frame === undefined) throw badState(`Can't change/establish root binding of: ${variable.name} with set`);
  if (frame.branch !== branch.current) throw badState(`Can't set!: ${variable.name} from non-binding thread`);
  variable.value = value;
  return value;
}

/** The variables that are bound now, each once, with their values: what parallel branches get. */
export function boundVariables(): readonly unknown[] {
  const variables = new Set(bindings.frames.map(({ variable }) => variable));
  return [...variables].flatMap((variable) => [variable, variable.value]);
}

/** Binds variables in a branch as they were where it began: `set!` of one is refused. */
export function bindFromOutside(parts: readonly unknown[]): void {
  for (const { variable, value } of pairsOf(parts)) bind(variable, value, -1);
}
