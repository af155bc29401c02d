import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Publication, PublicationCode } from '../../evidence/publication/protocol.ts';

/**
 * The publication's failures as diagnostics. While the result is only recovered or unproved its own state is what the
 * envelope must report: a collision of the result stays one, anything else is `result_publication_failed` (runtime.md
 * §3, "Several failures at once").
 */
export function publicationFailures(publication: Publication, providerActivity: boolean): readonly Diagnostic[] {
  return publication.failures.map((code) => diagnostic(normalised(code, publication), { providerActivity }));
}

function normalised(code: PublicationCode, { states }: Publication): PublicationCode {
  const isResultOpen = states.result === 'recovery_written' || states.result === 'finalization_uncertain';
  if (!isResultOpen) return code;
  const isOfResult = states.trace !== 'failed' && states.inspection !== 'failed';
  return code === 'destination_collision' && isOfResult ? code : 'result_publication_failed';
}
