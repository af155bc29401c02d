import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Failed, Outcome } from '../../../contract/outcome.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { Target } from '../../documents/project/load.ts';
import type { BundleStore } from '../../application/preflight/bundle-store.ts';
import type { ReservationTools } from '../../publication/reservation.ts';
import { hintAdvice, type Advice } from '../../run/advice.ts';
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
  readonly reader: DocumentReader;
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  readonly workingDirectory: string;
  readonly libraries: LibraryRegistry;
  readonly now: () => number;
  /** Opened when something is compiled. */
  readonly sandbox: () => Promise<Sandbox>;
  readonly bundles: () => Promise<BundleStore>;
  readonly trustDomain: string;
  readonly signal: AbortSignal;
  readonly publication: () => ReservationTools;
  /** The host document of what was named; null: it has none. */
  readonly loadHost: (target: Target) => Promise<Outcome<LoadedHost | null>>;
  /** What people are told of documents that are refused. */
  readonly advise: (target: Outcome<Target>, fault: Failed) => Promise<Advice>;
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
export async function refusedDocuments(
  { advise }: MaterializeTools,
  target: Outcome<Target>,
  fault: Failed,
): Promise<Refused> {
  return { ok: false, diagnostic: fault.diagnostic, advice: await advise(target, fault) };
}
