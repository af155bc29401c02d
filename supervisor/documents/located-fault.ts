import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';

/** A fault with what only the author of the document may see: where it is, by the real keys on the way. */
export interface LocatedFault {
  readonly diagnostic: Diagnostic;
  /** Keys and indexes from the root of the document; the last may be a member that is missing. */
  readonly at: readonly string[];
  /** The byte at which it is; absent: where `at` leads. */
  readonly offset?: number;
  /** Behind the key that is at `offset`; absent: no key. */
  readonly keyEnd?: number;
  /** What to do, where it depends on the document: a near name, a bound. Absent: what the catalogue says. */
  readonly remedy?: string;
  /** In the words of people; absent: the message of the diagnostic. */
  readonly problem?: string;
  /** Of a member that must be there and is not, and of one that may not be there; the last of `at` is its name. */
  readonly member?: 'missing' | 'unknown';
}
