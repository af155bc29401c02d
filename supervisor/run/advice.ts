import type { DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../contract/diagnostics/explanation.ts';
import type { SoughtDocument } from '../documents/explain/sought.ts';
import type { ArtifactRootFault } from '../publication/artifact-root.ts';
import { OWNERSHIP_WORDS } from '../publication/ownership.ts';

/** What a person is told of a failure besides its envelope, and never in it. */
export interface Advice {
  /** A remedy, without paths; null without one. */
  readonly hint: string | null;
  /** Which document could not be read; null where none was sought in vain. */
  readonly sought: SoughtDocument | null;
  /** What is known of faults in documents and programs (documents.md §14, decision 39); null without. */
  readonly faults: FailureExplanation | null;
}

export const NO_ADVICE: Advice = { hint: null, sought: null, faults: null };

export function hintAdvice(hint: string | null): Advice {
  return hint === null ? NO_ADVICE : { ...NO_ADVICE, hint };
}

/** Directories of a group are common where the umask is 002, and the rule that refuses them is not. */
const UNSAFE_HINT = 'each directory above must belong to you or root and be writable by nobody else; run chmod go-w on it';
const UNSAFE_CODES: ReadonlySet<DiagnosticCode> = new Set(['trace_destination_unsafe', 'inspection_destination_unsafe', 'result_destination_unsafe']);

export function destinationAdvice(code: DiagnosticCode): Advice {
  return UNSAFE_CODES.has(code) ? hintAdvice(UNSAFE_HINT) : NO_ADVICE;
}

const ROOT_HINTS: Readonly<Record<ArtifactRootFault['fault'], string>> = {
  parent_unusable: 'its parent directory cannot be used safely',
  ...OWNERSHIP_WORDS,
  unavailable: 'it cannot be read or created',
};

export function rootAdvice({ fault, child }: ArtifactRootFault): Advice {
  return hintAdvice(`the artifact root of the project${child === null ? '' : `, directory ${child},`} is refused: ${ROOT_HINTS[fault]}`);
}
