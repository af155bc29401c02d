/**
 * Where a fault stands, for the person at the terminal (documents.md §14.2 to 14.4). Keys are the author's own text:
 * nothing of this enters an envelope or a pipe, but for the allowed names.
 */
export interface FaultPlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The key at fault as it is written, with its quotes; null where no key is. */
  readonly key: string | null;
  /** The key that no table knows, unescaped; null for other faults. */
  readonly unknownKey: string | null;
  /** Names that the table admits there; empty for other faults. */
  readonly allowed: readonly string[];
}

export interface FurtherFault extends FaultPlace {
  /** In the words of diagnostics. */
  readonly message: string;
  readonly path: string;
}

export interface Explanation {
  /** The file as a person may open it: below the working directory, else the published name. */
  readonly file: string;
  /** The fault that the diagnostic tells; null where no place in the file is known. */
  readonly place: FaultPlace | null;
  /** Independent faults of the same document, in its order. */
  readonly further: readonly FurtherFault[];
}
