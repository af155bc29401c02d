import { makeMultiMethod } from '../../runtime/builtins/multimethods.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import type { Var } from '../../runtime/values/var.ts';
import { keepForUndo } from './definitions.ts';
import type { Session } from './session.ts';

/** `(defmulti …)`: defining again an existing multimethod is ignored and gives nil (language.md §9). */
export function defineMultimethod(
  session: Session,
  variable: Var,
  dispatch: unknown,
  defaultValue: unknown,
  hierarchy: unknown,
  meta: unknown,
): unknown {
  if (variable.value instanceof MultiMethod) return null;
  keepForUndo(variable);
  variable.value = makeMultiMethod(session.effects, { name: variable.name, dispatch, defaultValue, hierarchy });
  variable.meta = meta;
  return variable;
}
