/** An attack as data: what is run, and what it may come to. */
export interface Attack {
  /** Unique, stable, kebab-case. */
  readonly id: string;
  readonly title: string;
  /** `js`: a function body run behind the lock-down with the bridge as `call`; `lisp`: svc-lisp source. */
  readonly language: 'js' | 'lisp';
  readonly payload: string;
  /** Every verdict (requests.ts) that is right. */
  readonly expected: readonly string[];
  /** The reason of the fault, where the reply is an error. */
  readonly reason?: string;
  /** What the reply's text must be like, when there is one. */
  readonly text?: RegExp;
}

/** Verdicts of a program that takes more than it was given: which guard meets it first may differ by machine. */
export const MEMORY = ['memory_exceeded'] as const;
export const TIME = ['timeout'] as const;
export const TIME_OR_MEMORY = ['timeout', 'memory_exceeded'] as const;
/** The engine refuses at once (a RangeError the program sees), or a guard ends it. */
export const REFUSED_OR_ENDED = ['returned', 'evaluation_error', 'timeout', 'memory_exceeded'] as const;

/** `js('id', 'title', expected, payload)`. */
export function js(id: string, title: string, expected: readonly string[], payload: string, text?: RegExp): Attack {
  return { id, title, language: 'js', payload, expected, ...(text === undefined ? {} : { text }) };
}

export function lisp(id: string, title: string, expected: readonly string[], payload: string, text?: RegExp): Attack {
  return { id, title, language: 'lisp', payload, expected, ...(text === undefined ? {} : { text }) };
}

/** svc-lisp that the language itself refuses, for this reason (language.md §17). */
export function refused(id: string, title: string, reason: string, payload: string): Attack {
  return { id, title, language: 'lisp', payload, expected: ['evaluation_error'], reason };
}
