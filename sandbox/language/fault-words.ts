import type { LispError } from '../runtime/errors.ts';
import type { Var } from '../runtime/values/var.ts';
import { variableParameters } from './link/metadata.ts';
import { MACRO_NAMES } from './analyser/forms/names.ts';
import { exceptionMessage } from './faults.ts';
import { builtinVariable, type Session } from './link/session.ts';

/**
 * What an uncaught error says to who can mend the program. The exception's own message is often the reference's text
 * and always what the program would see; this adds which operation wanted what. `form`: the text of the form at fault;
 * null where it is not known.
 */
export function faultWords(session: Session, error: LispError, form: string | null): string {
  const message = exceptionMessage(error);
  const head = form === null ? null : headOf(form);
  switch (error.reason) {
    case 'index_error':
      return indexWords(error, head) ?? message;
    case 'not_callable':
      return withHint(message, callWords(session, error, head));
    case 'arity_error':
      return arityWords(session, error, message);
    case 'type_error':
      return typeWords(session, error, head, message);
    default:
      return message;
  }
}

/** The text that is first in a call; null for any other form. */
function headOf(form: string): string | null {
  if (!form.startsWith('(')) return null;
  let end = 1;
  while (end < form.length && !' ,\t\r\n()[]{}"'.includes(form.charAt(end))) end += 1;
  return end === 1 ? null : form.slice(1, end);
}

/** `exceptionMessage` may have said more in brackets behind the message, which stays. */
function withHint(message: string, words: string): string {
  const advice = / \([^()]* found nothing; [^()]*\)$/.exec(message)?.[0] ?? '';
  return `${words}${advice}`;
}

/** Operations whose index may be that behind the last element. */
const MAY_BE_END: ReadonlySet<string> = new Set(['assoc', 'assoc!', 'subvec']);

function indexWords({ detail, message }: LispError, head: string | null): string | null {
  if (detail?.index === undefined) return head === null || message === null ? null : `${head}: ${message}`;
  const { index, length } = detail;
  const operation = head === null ? '' : `${head}: `;
  const last = length === undefined ? null : head !== null && MAY_BE_END.has(head) ? length : length - 1;
  const there = last === null ? '' : last < 0 ? '; there are no elements' : `; the indices are 0 to ${last}`;
  return `${operation}index ${index} is out of range${there}`;
}

function callWords(session: Session, { facts, detail }: LispError, head: string | null): string {
  const input = detail?.shown ?? `a value of type ${facts?.given ?? 'unknown'}`;
  if (head === null || head === input) return `${input} is not a function, and stands first in a call`;
  return isKnownOperation(session, head)
    ? `${input} is not a function; ${head} needs one`
    : `${head} is ${input}, not a function`;
}

function isKnownOperation(session: Session, name: string): boolean {
  return session.builtins.has(`clojure.core/${name}`) || MACRO_NAMES.has(name);
}

/** How many a function of the program or of a component takes, by the names of its parameters. */
function arityWords(session: Session, { facts }: LispError, message: string): string {
  const name = facts?.operation;
  if (name === undefined || !name.includes('/') || message.includes('; it takes ')) return message;
  const variable = knownVariable(session, name);
  const parameters = variable === null ? [] : variableParameters(variable);
  return parameters.length === 0 ? message : `${message}; it takes ${parameters.join(' or ')}`;
}

function knownVariable(session: Session, name: string): Var | null {
  if (session.builtins.has(name)) return builtinVariable(session, name);
  const slash = name.indexOf('/');
  return session.variables.get(name.slice(0, slash))?.get(name.slice(slash + 1)) ?? null;
}

const NO_SEQ = "Don't know how to create ISeq from: ";
const NO_THROWABLE = ' cannot be cast to class java.lang.Throwable';

function typeWords(session: Session, { facts }: LispError, head: string | null, message: string): string {
  if (message.endsWith(NO_THROWABLE)) return 'throw takes an exception; write (throw (ex-info "what is wrong" {}))';
  if (!message.startsWith(NO_SEQ) || head === null || facts?.given === undefined) return message;
  const who = isKnownOperation(session, head) ? `${head} takes a collection` : 'a collection is needed';
  return `${who}, not a value of type ${facts.given} (${message})`;
}
