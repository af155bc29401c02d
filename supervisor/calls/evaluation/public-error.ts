import {
  EVALUATION_ERROR_KINDS,
  EVALUATION_ERROR_LENGTH_MAX,
  type EvaluationError,
} from '../../../contract/envelope/execution.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';

/**
 * What a run may show of an error (interface.md, last_evaluation_error; language.md §17): one of its kinds, and what
 * the guest built from admitted facts alone. The guest runs hostile text, so that may be one printable line of 1 to
 * 1,024 characters and nothing else; null for everything else.
 */
export function publicError({ public_error: shown }: Pick<EvaluationFault, 'public_error'>): EvaluationError | null {
  const kind = EVALUATION_ERROR_KINDS.find((known) => known === shown?.kind);
  if (shown === null || kind === undefined) return null;
  const { message } = shown;
  const isLine =
    message.length >= 1 &&
    message.length <= EVALUATION_ERROR_LENGTH_MAX &&
    message.isWellFormed() &&
    !/\p{Cc}/u.test(message);
  return isLine ? { kind, message } : null;
}
