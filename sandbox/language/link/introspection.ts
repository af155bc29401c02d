import { vector } from '../../runtime/values/vector.ts';
import type { Session } from './session.ts';

/** `doc`, `source`, `dir`, `apropos`, `export-meta` (functions.md §17). */
export function introspect(session: Session, question: string, argument: unknown): unknown {
  return vector([question, argument, session.namespaces.size]);
}
