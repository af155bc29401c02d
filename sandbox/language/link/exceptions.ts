import {
  assertionError,
  badValue,
  castError,
  fromHostError,
  guards,
  LispError,
  nullError,
  type LimitSignal,
  limits,
  ReturnSignal,
  FailSignal,
} from '../../runtime/errors.ts';
import { displayString } from '../../runtime/print.ts';
import { javaClassName } from '../../runtime/classes.ts';
import { isAssignable } from '../../runtime/java/class-relations.ts';
import { beginUnwinding, step, unwindingLimit } from '../../runtime/unwinding.ts';
import { failLoopLimit } from './functions.ts';
import type { Session } from './session.ts';

/** Begins a `try` with clauses; answers what `unguard` puts back when its body is left. */
export function guard(): number {
  guards.depth += 1;
  return guards.depth - 1;
}

/** Ends what `guard` began. Whether an error was raised inside or an inner `try` was left by a jump does not matter. */
export function endGuard(depth: number): void {
  guards.depth = depth;
}

/** Throws on what no clause of a `try` catches; that `try` is the innermost form that is known of it. */
export function rethrow(error: LispError): never {
  error.raisedHere();
  throw error;
}

/** The limit that has ended the running evaluation, while `finally` forms run; null before. */
export function limitOf(session: Session): LimitSignal | null {
  return limits.last === session.limitBefore ? null : (unwindingLimit() ?? limits.last);
}

/**
 * The exception of the language that was thrown; everything a program may not catch is thrown on, and so is a limit
 * in whose place a `finally` has put another exception.
 */
export function caught(session: Session, thrown: unknown): LispError {
  const limit = limitOf(session);
  if (limit === null && thrown instanceof LispError) return thrown;
  throw limit ?? fromHostError(thrown);
}

/** Begins a `finally`: after a limit it may do so much and no more. */
export function beginFinally(session: Session): void {
  const limit = limitOf(session);
  if (limit === null) return;
  // Every turn of a loop is asked for from now on.
  session.limits.loops = 0;
  beginUnwinding(limit);
  step();
}

/** A turn of a loop beyond the limit of turns: `finally` forms have some left, anything else ends the evaluation. */
export function turnBeyond(session: Session, turns: number): number {
  if (limitOf(session) === null) failLoopLimit(session.limits.loops);
  step();
  return turns + 1;
}

export function isInstance(error: LispError, className: string): boolean {
  return isAssignable(className, error.className);
}

/** `(throw e)`. */
export function raise(value: unknown): never {
  if (value instanceof LispError) {
    value.raisedHere();
    throw value;
  }
  if (value === null) throw nullError('throw: nil is no exception');
  throw castError(`class ${javaClassName(value)} cannot be cast to class java.lang.Throwable`);
}

/** `(assert x message?)`; `form` is the text of x. */
export function failAssertion(form: string, ...message: readonly unknown[]): never {
  const head = message.length === 0 ? '' : `${displayString(message[0])}\n`;
  throw assertionError(`Assert failed: ${head}${form}`);
}

export function failNoClause(value: unknown): never {
  throw badValue(`No matching clause: ${displayString(value)}`);
}

export function returnValue(value: unknown): never {
  throw new ReturnSignal(value);
}

export function failWith(payload: unknown): never {
  throw new FailSignal(payload);
}
