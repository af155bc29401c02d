import type { DiagnosticCode } from './codes.ts';
import type { CatalogueEntry } from './entry.ts';
import { ACQUISITION } from './phases/acquisition.ts';
import { ARGUMENTS } from './phases/arguments.ts';
import { COMPLETION } from './phases/completion.ts';
import { DECLARATIONS } from './phases/declarations.ts';
import { DESTINATION } from './phases/destination.ts';
import { DOCUMENTS } from './phases/documents.ts';
import { EXECUTION } from './phases/execution.ts';
import { PREFLIGHT } from './phases/preflight.ts';

export { DIAGNOSTIC_CODES, type DiagnosticCode } from './codes.ts';
export type { CatalogueEntry, SourceRule, SubjectRule } from './entry.ts';

/**
 * Every diagnostic code with all that its diagnostics may say. Exit statuses, documentation, the builder and the
 * envelope schema are made from this table. Keys are in the order of the published enumeration.
 */
export const CATALOGUE: Readonly<Record<DiagnosticCode, CatalogueEntry>> = {
  ...ARGUMENTS,
  ...DOCUMENTS,
  ...DECLARATIONS,
  ...DESTINATION,
  ...PREFLIGHT,
  ...ACQUISITION,
  ...EXECUTION,
  ...COMPLETION,
};
