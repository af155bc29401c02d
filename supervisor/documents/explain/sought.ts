import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { AlternateInput } from '../input/alternate.ts';
import type { DocumentName } from '../target.ts';

/** What could not be read, by its role: the name itself is the caller's text. */
export type TargetDocument =
  | 'named_document'
  | 'unreadable_document'
  | 'project_application'
  | 'unreadable_application'
  | 'named_host'
  | 'project_host'
  | 'named_input'
  | 'streamed_input';

export interface TargetFacts {
  readonly manifest: DocumentName | null;
  readonly host: DocumentName | null;
  readonly input: AlternateInput | null;
}

/**
 * The document that a diagnostic tells as unread; null for others, and for what a document names: that is told where it
 * names it.
 */
export function findTargetDocument(
  { code, source }: Diagnostic,
  { manifest, host, input }: TargetFacts,
): TargetDocument | null {
  switch (code) {
    case 'application_unavailable':
      return manifest?.kind === 'below' ? 'unreadable_application' : 'unreadable_document';
    case 'application_not_found':
      return manifest?.kind === 'below' ? 'project_application' : 'named_document';
    case 'host_unavailable':
      return host?.kind === 'below' ? 'project_host' : 'named_host';
    case 'reference_missing':
      if (source?.kind !== 'external_input') return null;
      return input !== null && 'stream' in input ? 'streamed_input' : 'named_input';
    default:
      return null;
  }
}
