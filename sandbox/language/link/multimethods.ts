import { castError } from '../../runtime/errors.ts';
import { typeName } from '../../runtime/classes.ts';
import { EMPTY_HASH_MAP } from '../../runtime/values/hash-map.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import type { Var } from '../../runtime/values/var.ts';
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
  variable.value = session.makeMultimethod({
    name: variable.name,
    dispatch,
    defaultValue,
    hierarchy,
    methods: EMPTY_HASH_MAP,
    preferences: EMPTY_HASH_MAP,
  });
  variable.meta = meta;
  return variable;
}

/** `(defmethod …)`: adds a method and gives the multimethod. */
export function addMethod(multimethod: unknown, dispatchValue: unknown, method: unknown): MultiMethod {
  if (!(multimethod instanceof MultiMethod)) {
    throw castError(`defmethod: ${typeName(multimethod)} is no multimethod`);
  }
  const { methods } = multimethod;
  multimethod.methods = (methods instanceof LispMap ? methods : EMPTY_HASH_MAP).assoc(dispatchValue, method);
  return multimethod;
}
