import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import { mergeMeta } from './metadata.ts';

/** `(def name value)`: visible at once to all callers. */
export function defineVariable(variable: Var, value: unknown, meta: unknown): Var {
  variable.value = value;
  variable.meta = meta;
  return variable;
}

/** `(def name)` and `declare`: a value that is there stays. */
export function declareVariable(variable: Var, meta: unknown): Var {
  variable.meta = variable.meta === null ? meta : mergeMeta(variable.meta, meta);
  return variable;
}

export function hasValue(variable: Var): boolean {
  return variable.value !== UNBOUND;
}
