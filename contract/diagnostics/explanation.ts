/**
 * What people read about a failure beside its envelope, and never in it (cli.md §4): where it is in files of theirs, in
 * what words, and what to do. A terminal draws it with excerpts; a pipe gets one line for each fact.
 */
export interface FailureExplanation {
  /** Independent faults in the order of their places, the one of the diagnostic among them. At most `FAULTS_MAX`. */
  readonly faults: readonly ExplainedFault[];
  /** How many further ones there are. */
  readonly omitted: number;
}

/** One fault as people are shown it, beyond what the diagnostic says; never of a private value. */
export interface ExplainedFault {
  /** Null where it is at no known place. */
  readonly place: ExplainedPlace | null;
  /** The calls that led to it, innermost first; at most `CALLERS_MAX`. */
  readonly callers: readonly ExplainedPlace[];
  /** What is wrong, in the words of a program or of its compiler; null where the failure line says it all. */
  readonly problem: string | null;
  /** Preview of the `ex-data` of an exception that a program made; null without. */
  readonly data: string | null;
  /** What to do, from the catalogue (`messages/remedies.ts`); null where the problem says it. */
  readonly remedy: string | null;
  /**
   * Places where the cause may be sought, when nothing says which it was: loops, after a timeout. At most
   * `CANDIDATES_MAX`.
   */
  readonly candidates: readonly ExplainedPlace[];
}

/** A place in a text that the reader of the explanation has. */
export interface ExplainedPlace {
  /** The published name of the source. */
  readonly file: string;
  /** As a person may open it: from the working directory, or absolute where it is not below that. Absent: `file`. */
  readonly opens?: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The definition that holds it, `namespace/name`, or the pointer that leads to it; null where none does. */
  readonly within: string | null;
  /** For a terminal; null where nothing of the text may be shown. */
  readonly excerpt: Excerpt | null;
}

/** A line of a text and what of it is meant. */
export interface Excerpt {
  /** Without its line end. */
  readonly text: string;
  /** Code points of the line that are left out before the text: of a document, all but a key. Absent: none. */
  readonly skipped?: number;
  /** Code points that are meant, from the column of the place on and within this line; 0 for a place between them. */
  readonly length: number;
}

/** Faults of one explanation, and calls and candidates of one fault. */
export const FAULTS_MAX = 8;
export const CALLERS_MAX = 8;
export const CANDIDATES_MAX = 8;

/** Characters of what a program says itself: its message, a preview of its data (cli.md §4). */
export const OWN_TEXT_LENGTH_MAX = 512;

/** A fault with nothing known but what is given. */
export function explainedFault(known: Partial<ExplainedFault>): ExplainedFault {
  return { place: null, callers: [], problem: null, data: null, remedy: null, candidates: [], ...known };
}

/** One fault alone. */
export function explanationOf(known: Partial<ExplainedFault>): FailureExplanation {
  return { faults: [explainedFault(known)], omitted: 0 };
}

/** Of a run of private class only the place may be reported (cli.md §4). */
export function placeAlone({ faults: [first] }: FailureExplanation): FailureExplanation {
  const place = first?.place ?? null;
  return { faults: place === null ? [] : [explainedFault({ place: { ...place, excerpt: null } })], omitted: 0 };
}
