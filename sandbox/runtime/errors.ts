import { javaClassName, simpleClassName, typeName } from './classes.ts';
import { programState } from './fresh.ts';

/** Reasons of run-time errors a program can catch (language.md §10). */
export type ErrorReason =
  | 'arithmetic_error'
  | 'type_error'
  | 'not_callable'
  | 'arity_error'
  | 'index_error'
  | 'value_error'
  | 'assertion_error'
  | 'tool_error'
  | 'invalid_tool_args'
  | 'tool_call_limit_exceeded'
  | 'pmap_error'
  | 'pcalls_error'
  | 'unbound_var'
  | 'runtime_error'
  | 'uncaught_exception'
  | 'java_type_error'
  | 'java_arity_error'
  | 'java_domain_error'
  | 'unsupported_java_class'
  | 'unsupported_java_member'
  | 'unsupported_method';

/** Facts a public error message may be built from (language.md §17): fixed words, names and counts only. */
export interface PublicFacts {
  readonly operation?: string;
  readonly expected?: string;
  readonly given?: string;
  readonly count?: number;
  readonly word?: string;
}

/** What the author of a program is shown of an error as well; never what any other message is built from. */
export interface ErrorDetail {
  readonly index?: number;
  /** Elements that there are. */
  readonly length?: number;
  /** A value of few characters, as it prints. */
  readonly shown?: string;
}

/**
 * An exception of the language: both a value of a program (`ex-info`, `catch`) and what JavaScript throws.
 * It is no JavaScript `Error`: the stack that it carries is for `stackOf` alone.
 */
export class LispError {
  readonly reason: ErrorReason;
  /** Full Java class name, as `class` and `catch` see it. */
  readonly className: string;
  /** Null where Java's getMessage would give null. */
  readonly message: string | null;
  /** Data map of ex-info, null for all other classes. */
  readonly data: unknown;
  /** Another LispError or null. */
  readonly cause: unknown;
  readonly facts: PublicFacts | null;
  detail: ErrorDetail | null = null;
  /** Where it was raised; null until it is, and for what some clause may catch. */
  #trace: Error | null = null;

  constructor(
    reason: ErrorReason,
    className: string,
    message: string | null,
    data: unknown = null,
    cause: unknown = null,
    facts: PublicFacts | null = null,
  ) {
    this.reason = reason;
    this.className = className;
    this.message = message;
    this.data = data;
    this.cause = cause;
    this.facts = facts;
    // Built-ins make their errors where they raise them; what a program makes it raises later, if at all.
    if (reason !== 'uncaught_exception') this.raisedHere();
  }

  get javaName(): string {
    return this.className;
  }

  /** Notes the stack, once. Its cost grows with the depth of calls, so it is left out where a clause may catch this. */
  raisedHere(): void {
    if (guards.depth === 0) this.#trace ??= new Error();
  }

  get trace(): Error | null {
    return this.#trace;
  }
}

/** How many `try` forms with clauses the running code is inside of. */
export const guards = programState(() => ({ depth: 0 }));

/** The engine's text of the stack where this was raised, innermost call first; empty where it was not noted. */
export function stackOf(cause: LispError | LimitSignal): string {
  return cause.trace?.stack ?? '';
}

/** `(return v)`: ends the evaluation from any depth; no program can catch it. */
export class ReturnSignal {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** `(fail v)`: ends the evaluation as failed with that payload; no program can catch it. */
export class FailSignal {
  readonly payload: unknown;
  constructor(payload: unknown) {
    this.payload = payload;
  }
}

export type LimitKind =
  | 'memory_exceeded'
  | 'loop_limit_exceeded'
  | 'regex_limit_exceeded'
  | 'tool_call_limit_exceeded'
  | 'parallel_capacity_exceeded'
  | 'runtime_limit_exceeded'
  | 'timeout'
  | 'invalid_java_string'
  | 'component_contract_error';

/** The last one of this program: what runs while it unwinds (`finally`) knows by it. */
export const limits = programState<{ last: LimitSignal | null }>(() => ({ last: null }));

/** A limit or another end that no program can catch (language.md §10, "Never catchable"). */
export class LimitSignal {
  readonly kind: LimitKind;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly #trace: Error;
  constructor(
    kind: LimitKind,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    trace: Error = new Error(),
  ) {
    this.kind = kind;
    this.message = message;
    this.details = details;
    this.#trace = trace;
    limits.last = this;
  }

  get trace(): Error {
    return this.#trace;
  }
}

/**
 * What a caught JavaScript value means to the language. Stack exhaustion and strings or arrays beyond the engine's
 * bounds are the engine's way to say what language.md §20 calls memory_exceeded; anything else passes unchanged.
 */
export function fromHostError(thrown: unknown): unknown {
  const stackEnded = isStackEnd(thrown);
  if (!stackEnded && !(thrown instanceof RangeError)) return thrown;
  const { message, details } = stackEnded ? RECURSION : TOO_LARGE;
  return new LimitSignal('memory_exceeded', message, details, thrown);
}

/** Whether the stack ran out: in a call, or while V8 read a pattern, of which it says that it is not well formed. */
export function isStackEnd(thrown: unknown): thrown is Error {
  if (thrown instanceof RangeError) return thrown.message.includes('call stack');
  return thrown instanceof SyntaxError && thrown.message.endsWith(': Stack overflow');
}

const RECURSION = {
  message:
    'endless recursion: a function calls itself, or others that call it, too deeply; give it a case that ends, or write loop and recur',
  details: { cause: 'recursion' },
};
const TOO_LARGE = {
  message: 'the evaluation exceeded its memory: a string or collection became larger than any may be',
  details: {},
};

// Builders by the codes of functions.md §0.

const NULL_POINTER = 'java.lang.NullPointerException';
const CLASS_CAST = 'java.lang.ClassCastException';
const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException';

/** TE for an operand: a nil is NullPointerException, any other wrong type ClassCastException. */
export function wrongType(operation: string, position: number, expected: string, input: unknown): LispError {
  const type = typeName(input);
  const message = `${operation}: argument ${position} must be ${expected}, not ${type}`;
  return new LispError('type_error', input === null ? NULL_POINTER : CLASS_CAST, message, null, null, {
    operation,
    expected,
    given: type,
  });
}

/** TE/I: type_error with IllegalArgumentException. */
export function wrongArgument(operation: string, position: number, expected: string, input: unknown): LispError {
  const type = typeName(input);
  return new LispError(
    'type_error',
    ILLEGAL_ARGUMENT,
    `${operation}: argument ${position} must be ${expected}, not ${type}`,
    null,
    null,
    { operation, expected, given: type },
  );
}

/** TE with ClassCastException whatever the value. */
export function castError(message: string, facts: PublicFacts | null = null): LispError {
  return new LispError('type_error', CLASS_CAST, message, null, null, facts);
}

/** TE with the class that the given value calls for: nil is NullPointerException. */
export function mismatch(input: unknown, message: string, facts: PublicFacts | null = null): LispError {
  return input === null ? nullError(message, facts) : castError(message, facts);
}

export function nullError(message: string, facts: PublicFacts | null = null): LispError {
  return new LispError('type_error', NULL_POINTER, message, null, null, facts);
}

/** TE/I for what is not seqable, with the reference's text. */
export function notSeqable(input: unknown): LispError {
  const name = javaClassName(input);
  return new LispError('type_error', ILLEGAL_ARGUMENT, `Don't know how to create ISeq from: ${name}`, null, null, {
    operation: 'seq',
    expected: 'a collection',
    given: typeName(input),
  });
}

/** TE/U: type_error with UnsupportedOperationException. */
export function unsupported(operation: string, input: unknown): LispError {
  return new LispError(
    'type_error',
    'java.lang.UnsupportedOperationException',
    `${operation} not supported on this type: ${simpleClassName(input)}`,
    null,
    null,
    { operation, given: typeName(input) },
  );
}

/** VE: value_error with IllegalArgumentException. */
export function badValue(message: string): LispError {
  return new LispError('value_error', ILLEGAL_ARGUMENT, message);
}

/** VE/S: value_error with IllegalStateException. */
export function badState(message: string): LispError {
  return new LispError('value_error', 'java.lang.IllegalStateException', message);
}

/** VE/N: value_error with NumberFormatException. */
export function badNumber(message: string): LispError {
  return new LispError('value_error', 'java.lang.NumberFormatException', message);
}

/** value_error with a named class (reader: RuntimeException, transients: IllegalAccessError, formats, patterns). */
export function valueError(className: string, message: string): LispError {
  return new LispError('value_error', className, message);
}

/** IX on collections. */
export function outOfBounds(message: string | null = null, detail: ErrorDetail | null = null): LispError {
  const error = new LispError('index_error', 'java.lang.IndexOutOfBoundsException', message);
  error.detail = detail;
  return error;
}

/** IX on strings. */
export function stringOutOfBounds(message: string, detail: ErrorDetail | null = null): LispError {
  const error = new LispError('index_error', 'java.lang.StringIndexOutOfBoundsException', message);
  error.detail = detail;
  return error;
}

/** AE. */
export function arithmeticError(message: string): LispError {
  return new LispError('arithmetic_error', 'java.lang.ArithmeticException', message, null, null, {
    word: message === 'Divide by zero' ? 'division by zero' : 'integer overflow',
  });
}

/** AR with the reference's text; `name` is qualified, `user/f` or `clojure.core/inc`. */
export function arityError(count: number, name: string): LispError {
  return new LispError(
    'arity_error',
    'clojure.lang.ArityException',
    `Wrong number of args (${count}) passed to: ${name}`,
    null,
    null,
    { operation: name, count },
  );
}

/** A value without a call behaviour in function position; `shown`: how it prints, where that is short. */
export function notCallable(input: unknown, shown: string | null): LispError {
  const isNil = input === null;
  const message = isNil
    ? 'nil cannot be called as a function'
    : `class ${javaClassName(input)} cannot be cast to class clojure.lang.IFn`;
  const error = new LispError('not_callable', isNil ? NULL_POINTER : CLASS_CAST, message, null, null, {
    given: isNil ? 'nil' : typeName(input),
  });
  error.detail = shown === null ? null : { shown };
  return error;
}

export function assertionError(message: string): LispError {
  return new LispError('assertion_error', 'java.lang.AssertionError', message);
}

/** All elements of a seq that has no end were asked for. */
export function endlessSeq(producer: string): LimitSignal {
  return new LimitSignal(
    'memory_exceeded',
    `all elements of an endless seq were asked for: ${producer} has no end; take what is needed, (take n …) or (take-while p …)`,
    { cause: 'endless_seq' },
  );
}

/** Refused early because the result would pass a size of language.md §20. */
export function memoryExceeded(what: string): LimitSignal {
  return new LimitSignal('memory_exceeded', `${what} exceeds the size limit`);
}
