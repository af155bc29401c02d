import { checkpoint } from '../../runtime/checkpoint.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import type { Session } from './session.ts';

/**
 * Notes what an evaluation may change in a session; the function it returns puts that back, however the evaluation
 * ended (language.md §11, §12). Components hold no changeable state but the tables of their multimethods.
 */
export function beginTransaction(session: Session): () => void {
  const roots: unknown[] = [...session.history, session.lastError, session.effects.hierarchy];
  const known = new Map<string, ReadonlySet<string>>();
  for (const [namespace, names] of session.variables) {
    known.set(namespace, new Set(names.keys()));
    for (const variable of names.values()) {
      if (!session.namespaces.has(namespace)) roots.push(variable);
      else if (variable.value instanceof MultiMethod) roots.push(variable.value);
    }
  }
  const restoreState = checkpoint(roots);
  const { hierarchy } = session.effects;
  return () => {
    restoreState();
    if (session.effects.hierarchy !== hierarchy) session.effects.changeHierarchy(hierarchy);
    for (const [namespace, names] of session.variables) {
      for (const name of names.keys()) if (known.get(namespace)?.has(name) !== true) names.delete(name);
    }
  };
}
