import type { JsonValue } from '../../../contract/json/value.ts';

/** Calls of one tool by one program. */
export interface ToolCalls {
  readonly name: string;
  readonly n: number;
  readonly errors: number;
}

/** Why a program came to no value, for its author. */
export interface ProgramError {
  /** A reason of language.md §17, a limit, or a code of the run that could not be opened or kept. */
  readonly kind: string;
  readonly message: string;
  /** In the program, from 1, in code points; null where it has no particular place. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** What to do about it; null where the message says all. */
  readonly remedy: string | null;
}

interface ProgramFacts {
  readonly runRef: string;
  readonly prints: readonly string[];
  readonly calls: readonly ToolCalls[];
  /** Whether trace and inspection were written as far as they were asked for. */
  readonly hasEvidence: boolean;
}

/** How one program of a session ended (code-mode.md §5). */
export type ProgramEnd = ProgramFacts &
  (
    | {
        readonly kind: 'value';
        /** Undefined: it is no JSON, or longer than was asked for. */
        readonly value: JsonValue | undefined;
        /** Its JSON, or a preview that is as long as was asked for at most. */
        readonly text: string;
        /** What of it the preview shows, each of the whole; null: all. */
        readonly cut: Readonly<Record<string, readonly [shown: number, all: number]>> | null;
        /** How a program gets at the whole; null where `text` is it. */
        readonly how: string | null;
      }
    /** `(fail v)`: the program's own. */
    | { readonly kind: 'failed'; readonly value: JsonValue | undefined; readonly text: string }
    | { readonly kind: 'error'; readonly error: ProgramError }
  );
