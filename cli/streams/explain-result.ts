import { exitStatus } from '../../contract/diagnostics/diagnostic.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Explanation } from '../../supervisor/api/history.ts';

/** What `svc explain` says, for a program: the same facts as the text, in the words of an envelope. */
export function explanationResult({ run, place, course, trace, details }: Explanation): JsonValue {
  const result = jsonFromPlain({
    run_ref: run.runRef,
    status: run.status,
    exit_status: run.error === null ? 0 : exitStatus(run.error),
    error: run.error,
    secondary_errors: run.secondary,
    last_evaluation_error: run.lastEvaluationError,
    place: place === null ? null : { file: place.file, line: place.line, column: place.column },
    artifact_state: run.artifacts,
    usage: run.usage,
    trace,
    duration_ms: course?.durationMs ?? null,
    course: (course?.steps ?? []).map(({ atMs, text }) => ({ at_ms: atMs, text })),
    course_omitted: course?.omitted ?? 0,
    private:
      details === null
        ? null
        : {
            error: details.error,
            failure_value: details.failureValue,
            program:
              details.program === null
                ? null
                : {
                    evaluation_id: details.program.evaluationId,
                    lines: details.program.lines,
                    omitted: details.program.omitted,
                  },
            print: details.print,
            provider: details.provider,
            links: details.links.map(({ name, state }) => ({ name, state })),
          },
  });
  if (result === undefined) throw new TypeError('an explanation holds JSON values only');
  return result;
}
