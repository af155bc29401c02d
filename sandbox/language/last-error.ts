import { LispError } from '../runtime/errors.ts';
import { EMPTY_MAP } from '../runtime/values/array-map.ts';
import { LispMap } from '../runtime/values/map.ts';
import type { Session } from './link/session.ts';

/** What `*e` is where there is no exception of the program: of a compile fault, a limit, an isolate that is lost. */
export function errorOfMessage(message: string): LispError {
  return new LispError('runtime_error', 'java.lang.RuntimeException', message);
}

/** What `*e` is after `(fail v)`: its data are v, where that is a map. */
export function errorOfFailure(message: string, payload: unknown): LispError {
  return new LispError(
    'uncaught_exception',
    'clojure.lang.ExceptionInfo',
    message,
    payload instanceof LispMap ? payload : EMPTY_MAP,
  );
}

/** Keeps an error as `*e`, in sessions that have it (first-day.md §6). */
export function rememberError(session: Session, error: LispError): void {
  if (session.keepsError) session.lastError = error;
}
