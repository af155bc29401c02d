import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Failed } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { ReservationTools } from '../../publication/reservation.ts';
import { adviceOf, hintAdvice, type Advice } from '../../run/advice.ts';
import type { DocumentOptions } from '../../run/named-documents.ts';
import type { CandidateOrigin } from './candidate-source.ts';

/** What nobody verifies of a candidate (documents.md §11). */
export interface CandidateProvenance {
  readonly run_id?: string;
  readonly prompt_hash?: string;
  readonly authored_at?: string;
}

/** What is to be written; paths are absolute. */
export type MaterializeTask =
  | { readonly kind: 'source-out'; readonly path: string }
  | {
      readonly kind: 'candidate';
      readonly directory: string;
      readonly origin: CandidateOrigin;
      readonly provenance: CandidateProvenance;
      readonly acceptsWidened: boolean;
    };

/** Which component is meant: the mission of it, null for the workflow, and its name. */
export interface TargetComponent {
  readonly mission: string | null;
  readonly component: string;
}

/** What installed sources and candidates are read, compiled and written with. */
export interface MaterializeTools extends TargetComponent {
  readonly options: DocumentOptions;
  readonly reader: DocumentReader;
  readonly publication: () => ReservationTools;
}

/** A refusal with what people are told of it. */
export interface Refused {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  readonly advice: Advice;
}
/** A step of it, or why it ends there. */
export type MaterializeStep<T> = { readonly ok: true; readonly value: T } | Refused;

export function refuseMaterialize(code: DiagnosticCode, hint: string | null = null): Refused {
  return { ok: false, diagnostic: diagnostic(code), advice: hintAdvice(hint) };
}

/** Of documents that cannot be used. */
export function refusedDocuments(fault: Failed): Refused {
  return { ok: false, diagnostic: fault.diagnostic, advice: adviceOf(fault) };
}
