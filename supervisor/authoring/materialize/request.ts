import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, type Failed } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
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

export function refuseMaterialize(code: DiagnosticCode, hint: string | null = null): Failed {
  return failure(diagnostic(code), { hint });
}
