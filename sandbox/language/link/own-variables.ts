import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import { isOwnNamespace } from './own-namespace.ts';
import type { Session } from './session.ts';

/** Visits the variables of the program's own namespaces that say something, as they were made. */
export function visitOwnVariables(session: Session, visit: (variable: Var) => void): void {
  for (const [namespace, names] of session.variables) {
    if (!isOwnNamespace(session, namespace)) continue;
    for (const variable of names.values()) if (variable.value !== UNBOUND || variable.meta !== null) visit(variable);
  }
}

/** All of them, by name. */
export function ownVariables(session: Session): Var[] {
  const found: Var[] = [];
  visitOwnVariables(session, (variable) => {
    found.push(variable);
  });
  return found.sort((a, b) => (a.namespace === b.namespace ? order(a.name, b.name) : order(a.namespace, b.namespace)));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
