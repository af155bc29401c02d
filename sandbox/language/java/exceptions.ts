import { castError, LispError } from '../../runtime/errors.ts';
import { typeName } from '../../runtime/classes.ts';
import { isAssignable } from '../../runtime/java/class-relations.ts';

/** Whether a class is one of the exceptions that programs can construct (language.md §10). */
export function isExceptionClass(className: string): boolean {
  return isAssignable('java.lang.Throwable', className);
}

/** `(Class.)`, `(Class. message)`, `(Class. message cause)`; also `(ExceptionInfo. message data cause?)`. */
export function newException(className: string, args: readonly unknown[]): LispError {
  const [message = null, second = null, third = null] = args;
  const info = className === 'clojure.lang.ExceptionInfo';
  if (args.length > (info ? 3 : 2)) {
    throw new LispError(
      'java_arity_error',
      'java.lang.IllegalArgumentException',
      `No constructor of ${className} takes ${args.length} arguments`,
    );
  }
  if (args.length === 1 && message instanceof LispError) return made(className, message.message, null, message);
  if (message !== null && typeof message !== 'string') {
    throw castError(`${className}: the message must be a string, not ${typeName(message)}`);
  }
  const cause = info ? third : second;
  if (cause !== null && !(cause instanceof LispError))
    throw castError(`${className}: the cause must be an exception, not ${typeName(cause)}`);
  return made(className, message, info ? second : null, cause);
}

function made(className: string, message: string | null, data: unknown, cause: unknown): LispError {
  return new LispError('uncaught_exception', className, message, data, cause);
}
