import { runRemedyOf } from './run-remedies.ts';

/**
 * What to do about a failure, in the fewest words. No text of a caller enters them: names of limits, options and
 * functions of the language alone.
 */

/** What an inspection artifact adds to what a failure of the workflow reports. */
export const INSPECT_HINT = 'add --inspect run.svcins to keep the whole error, every call and what was printed';

/** For a value that is nested deeper than one may be that leaves. */
export const NESTING_REMEDY = 'return a value that is nested less: a list of parents instead of a chain of children';

/** By reason of language.md §17, where the problem does not say it by itself. */
const REMEDIES: Readonly<Record<string, string>> = {
  uncaught_exception: 'catch it where it may happen, or correct its cause',
  projection_error: 'use nil or a text in place of such a number; keys are keywords, texts or integers',
  public_projection_collision: 'give each its own name; a keyword and a string of the same letters are one key in JSON',
  assertion_error: 'the asserted form gave false or nil: correct what it tests',
};

/** Null where the message of the error says what to do, or nobody knows. */
export function remedyOf(reason: string, message: string): string | null {
  return runRemedyOf(reason, message) ?? REMEDIES[reason] ?? null;
}

/** No limit of the program was seen to be reached: the system lacks something, or somebody ended the process. */
/** `signal`: by which its process was ended or stopped; null where that is not known. */
export function hostLostProblem(signal: string | null): string {
  return `the process that evaluated the program ${howHostEnded(signal)}; no limit of the program was reached`;
}

function howHostEnded(signal: string | null): string {
  switch (signal) {
    case null:
      return 'was ended from outside, or lacked memory, address space or processes of this machine';
    case 'SIGKILL':
      return 'was ended by SIGKILL from outside: by another process, or by a system that had no memory left';
    case 'SIGSTOP':
      return 'was stopped by SIGSTOP from outside';
    case 'SIGSEGV':
    case 'SIGBUS':
      return `was ended by ${signal}: by another process, or by a fault of the engine`;
    default:
      return `was ended by ${signal}, from outside or because this machine lacked memory, address space or processes`;
  }
}

export const HOST_LOST_REMEDY =
  'look for it in the log of the system (out of memory), free some or raise the limits of this shell (ulimit -a), and run it again';
