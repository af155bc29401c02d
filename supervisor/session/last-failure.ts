import type { LastError } from '../../contract/sandbox-protocol.ts';

/** How a form ended, as far as it matters here. */
interface EndedForm {
  /** Null: it was not evaluated, or lost its isolate. */
  readonly outcome: string | null;
  readonly error?: { readonly message: string };
}

/** The last failure of a session, which is `*e` in the forms after it (first-day.md §6). */
export interface LastFailure {
  /** What the next form is to take for `*e`. */
  request(): LastError;
  /** Notes how a form ended. */
  ended(end: EndedForm): void;
  /** The isolate is lost: of the exception that it held the message is left. */
  lose(): void;
}

export function lastFailure(): LastFailure {
  let message: string | null = null;
  let isInIsolate = false;
  return {
    request: () => {
      if (isInIsolate) return 'living';
      return message === null ? null : { message };
    },
    ended: (end) => {
      // A form without an outcome was not evaluated, or lost its isolate.
      isInIsolate = end.outcome !== null;
      if (end.error !== undefined) ({ message } = end.error);
    },
    lose: () => {
      isInIsolate = false;
    },
  };
}
