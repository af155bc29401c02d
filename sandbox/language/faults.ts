import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { isStackEnd, LimitSignal, LispError, type PublicFacts } from '../runtime/errors.ts';
import { otherSpellingHint } from '../runtime/near-miss.ts';
import { CompileFailure } from './compile-failure.ts';
import { byteSpan, type Positions } from './reader/positions.ts';

type PublicError = EvaluationFault['public_error'];

/** The fault of a text that does not compile. A stack that ran out was too small for the text. */
export function compileFault(thrown: unknown, positions: Positions): EvaluationFault {
  if (thrown instanceof RangeError || isStackEnd(thrown)) {
    return {
      reason: 'compile_memory_exceeded',
      message: 'the program is too deeply nested to be compiled',
      span: null,
      details: {},
      exception_class: null,
      public_error: null,
    };
  }
  if (!(thrown instanceof CompileFailure)) throw thrown;
  const { place } = thrown;
  const where = place === null ? {} : positions.lineAndColumn(place.start);
  return {
    reason: thrown.reason,
    message: thrown.message,
    span: place === null ? null : byteSpan(positions, place.start, place.end),
    details: { ...where, ...thrown.details },
    exception_class: null,
    public_error: publicCompileError(thrown),
  };
}

/** What an uncaught exception says; where nil was the trouble, also the key that the last lookup may have meant. */
export function exceptionMessage(error: LispError): string {
  const message = error.message ?? error.className;
  const advice = isAboutNil(error) ? otherSpellingHint() : null;
  return advice === null ? message : `${message} (${advice})`;
}

const ABOUT_NIL: ReadonlySet<string> = new Set(['type_error', 'not_callable', 'java_type_error']);

function isAboutNil({ reason, className, facts }: LispError): boolean {
  return ABOUT_NIL.has(reason) && (facts?.given === 'nil' || className === 'java.lang.NullPointerException');
}

/** Kinds whose facts may leave as `last_evaluation_error`, with the sentence for facts that do not qualify. */
const GENERIC: Readonly<Record<string, string>> = {
  arithmetic_error: 'an arithmetic operation failed',
  type_error: 'an operation received a value of the wrong type',
  arity_error: 'a function was called with a wrong number of arguments',
  unknown_tool: 'a tool that is not granted was named',
  not_callable: 'a value that is no function was called',
  loop_limit_exceeded: 'a loop exceeded its limit of iterations',
  java_type_error: 'a Java member received a value of the wrong type',
  java_arity_error: 'a Java member was called with a wrong number of arguments',
  java_domain_error: 'a Java member received a value out of its domain',
  java_handler_contract_error: 'a Java member failed',
  unsupported_java_class: 'a Java class that is not supported was used',
  unsupported_java_member: 'a Java member that is not supported was used',
  invalid_java_string: 'a string is not valid for Java',
};

/** Names that may be shown: the symbol grammar, at most 128 bytes, which the ASCII grammar makes 128 units. */
const NAME = /^[A-Za-z*+!_?<>=./&%-][A-Za-z0-9*+!_?<>=./&%'#:-]{0,127}$/;
const GREATEST_COUNT = 1_000_000;

/** The error a run may show of its last failed evaluation (language.md §17); null for everything else. */
export function publicError(cause: LispError | LimitSignal): PublicError {
  const kind = cause instanceof LispError ? cause.reason : cause.kind;
  const generic = GENERIC[kind];
  if (generic === undefined) return null;
  if (cause instanceof LimitSignal) {
    const { limit } = cause.details;
    const shown = typeof limit === 'number' && limit <= GREATEST_COUNT;
    return { kind, message: shown ? `a loop exceeded its limit of ${limit} iterations` : generic };
  }
  return { kind, message: cause.facts === null ? generic : (factsMessage(kind, cause.facts) ?? generic) };
}

function publicCompileError(failure: CompileFailure): PublicError {
  const generic = GENERIC[failure.reason];
  if (generic === undefined) return null;
  const { operation, expected, given } = failure.details;
  const facts: PublicFacts = {
    ...(typeof operation === 'string' ? { operation } : {}),
    ...(typeof expected === 'string' ? { expected } : {}),
    ...(typeof given === 'number' ? { count: given } : {}),
  };
  return { kind: failure.reason, message: factsMessage(failure.reason, facts) ?? generic };
}

function factsMessage(kind: string, facts: PublicFacts): string | null {
  const { operation, expected, given, count, word } = facts;
  if ([operation].some((name) => name !== undefined && !NAME.test(name))) return null;
  if (count !== undefined && (count < 0 || count > GREATEST_COUNT)) return null;
  switch (kind) {
    case 'arithmetic_error':
      return word ?? null;
    case 'type_error':
      if (operation === undefined || given === undefined) return null;
      return expected === undefined
        ? `${operation} does not take ${given}`
        : `${operation} takes ${expected}, not ${given}`;
    case 'arity_error':
      if (operation === undefined || count === undefined) return null;
      return `${operation} does not take ${count} arguments${expected === undefined ? '' : `; it takes ${expected}`}`;
    case 'not_callable':
      return given === undefined ? null : `${given} cannot be called as a function`;
    default:
      return null;
  }
}
