import { LispError } from '../runtime/errors.ts';
import type { Session } from './link/session.ts';

/**
 * A qualified name in a message, with the prefix of a variable's print form. It begins where a word does: tried within
 * one, a message of a single long word would be read once for each of its characters.
 */
const QUALIFIED = /(?:#')?(?<![^\s#'"()[\]{},;/])([^\s#'"()[\]{},;/]+\/[^\s"()[\]{},;]+)/g;

/**
 * An error of the language reported without the names that are private to a component: they are no business of its
 * callers, who know the export that they called (language.md §13, isolation). What a program threw is as it was given.
 */
export function withoutPrivateName(session: Session, error: LispError, exported: string | null): LispError {
  if (error.message === null || error.reason === 'uncaught_exception') return error;
  let hides = false;
  const text = error.message.replaceAll(QUALIFIED, (written: string, reference: string) => {
    if (!isPrivate(session, reference)) return written;
    hides = true;
    return exported === null
      ? `a private name of ${reference.slice(0, reference.indexOf('/'))}`
      : `a private name that ${exported} uses`;
  });
  if (!hides) return error;
  const { operation, ...others } = error.facts ?? {};
  const facts = operation === undefined || isPrivate(session, operation) ? others : { operation, ...others };
  return new LispError(
    error.reason,
    error.className,
    text,
    error.data,
    error.cause,
    error.facts === null ? null : facts,
  );
}

/** Of a component, and not one of its public definitions. */
function isPrivate(session: Session, reference: string): boolean {
  const slash = reference.indexOf('/');
  const namespace = session.namespaces.get(reference.slice(0, slash));
  return namespace !== undefined && namespace.definitions.get(reference.slice(slash + 1))?.isPrivate !== false;
}
