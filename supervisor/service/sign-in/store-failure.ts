import { diagnostic, providerSubject } from '../../../contract/diagnostics/diagnostic.ts';
import { explanationOf } from '../../../contract/diagnostics/explanation.ts';
import { failure, type Failed } from '../../../contract/outcome.ts';
import { UserGrantsError } from '../stores/user-grants.ts';

/** How a command ends on a fault of the store; throws on what is none. */
export function storeFailure(error: unknown, alias: string | null): Failed {
  if (!(error instanceof UserGrantsError)) throw error;
  const subject = alias === null ? {} : { subject: providerSubject(alias, 'authorization', null) };
  return failure(diagnostic('authorization_unavailable', { ...subject, providerActivity: false }), {
    faults: explanationOf({ problem: error.problem }),
  });
}
