import {
  CALLERS_MAX,
  explanationOf,
  type ExplainedPlace,
  type FailureExplanation,
} from '../../../contract/diagnostics/explanation.ts';
import { remedyOf } from '../../../contract/diagnostics/messages/remedies.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { placeInSource, type NamedSource } from '../../documents/source-place.ts';

/** The source of a component by its id, or of the program itself by null; null for what nobody can open. */
export type SourceOf = (component: string | null) => NamedSource | null;

/**
 * An error that a guest reported, for who wrote the code: its place and the calls that led there, its message and data.
 * The guest runs hostile text: who prints this escapes and cuts it.
 */
export function explainFault(
  { reason, message: ownMessage, report }: EvaluationFault,
  sourceOf: SourceOf,
): FailureExplanation {
  const message = report?.message ?? ownMessage;
  const [place = null, ...callers] = (report?.trail ?? []).flatMap(
    ({ component, ref, span }): readonly ExplainedPlace[] => {
      const source = sourceOf(component);
      return source === null ? [] : [placeInSource(source, span, ref)];
    },
  );
  const cause = report?.cause ?? null;
  return explanationOf({
    place,
    callers: callers.slice(0, CALLERS_MAX),
    problem: cause === null || message.endsWith(cause) ? message : `${message}; caused by: ${cause}`,
    data: report?.data ?? null,
    remedy: remedyOf(reason, message),
  });
}
