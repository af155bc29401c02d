import { libraryNamed } from '../analyser/libraries.ts';
import type { Session } from './session.ts';

/** Namespaces of dynamic programs: neither a component's nor a library's. */
export function isOwnNamespace(session: Session, namespace: string): boolean {
  return !session.namespaces.has(namespace) && libraryNamed(namespace) === null && namespace !== 'svc.core';
}
