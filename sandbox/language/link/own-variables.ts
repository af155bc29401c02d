import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import { isOwnNamespace } from './encoding-world.ts';
import type { Session } from './session.ts';

/** Variables of the program's own namespaces that say something, by name. */
export function ownVariables(session: Session): Var[] {
  const found: Var[] = [];
  for (const namespace of [...session.variables.keys()].toSorted()) {
    if (!isOwnNamespace(session, namespace)) continue;
    const names = session.variables.get(namespace) ?? new Map<string, Var>();
    for (const name of [...names.keys()].toSorted()) {
      const variable = names.get(name);
      if (variable !== undefined && (variable.value !== UNBOUND || variable.meta !== null)) found.push(variable);
    }
  }
  return found;
}
