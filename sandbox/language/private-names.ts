import { LispError } from '../runtime/errors.ts';
import type { Session } from './link/session.ts';

/**
 * An error raised by a private function of a component, told without that function's name: what is private to a
 * component is no business of its callers, who know the export that they called (language.md §13, isolation).
 */
export function withoutPrivateName(session: Session, error: LispError, exported: string | null): LispError {
  const { facts, message } = error;
  const operation = facts?.operation;
  if (facts === null || operation === undefined || !isPrivate(session, operation)) return error;
  const { operation: hidden = '', ...others } = facts;
  const told = exported === null ? `a private function of ${hidden.slice(0, hidden.indexOf('/'))}` : `a private function that ${exported} calls`;
  const text = message === null ? null : message.replaceAll(hidden, told);
  return new LispError(error.reason, error.className, text, error.data, error.cause, others);
}

function isPrivate(session: Session, reference: string): boolean {
  const slash = reference.indexOf('/');
  return slash > 0 && session.namespaces.get(reference.slice(0, slash))?.definitions.get(reference.slice(slash + 1))?.isPrivate === true;
}
