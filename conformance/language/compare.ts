/** Whether a reply of svc-lisp agrees with what the reference gave for the same program (language.md §1). */
import type { Recorded, Row } from './table.ts';

/** What is compared of an evaluation's answer. */
export interface ComparedEvaluation {
  readonly prints: readonly string[];
}
export type EvaluationReply =
  | (ComparedEvaluation & {
      readonly outcome: 'evaluation_error';
      readonly fault: { readonly reason: string; readonly message: string; readonly exception_class: string | null };
    })
  | (ComparedEvaluation & {
      readonly outcome: 'continued' | 'returned' | 'failed';
      readonly value: string | null;
      readonly projection_fault: { readonly reason: string } | null;
    });

/** Prints are entries without their final newline (language.md §18); the reference's stream is cut the same way. */
function printed(stream: string): string {
  return stream.endsWith('\n') ? stream.slice(0, -1) : stream;
}

/** functions.md §14 knows the family only. */
function familyOf(exceptionClass: string): string {
  return /^java\.util\.\w*Format\w*Exception$/.test(exceptionClass)
    ? 'java.util.IllegalFormatException'
    : exceptionClass;
}

function resultOf(reply: EvaluationReply): string {
  if (reply.outcome === 'evaluation_error')
    return `exception ${familyOf(reply.fault.exception_class ?? `none (${reply.fault.reason})`)}`;
  return reply.value ?? `projection ${reply.projection_fault?.reason ?? 'fault'}`;
}

function describeReply(reply: EvaluationReply): string {
  return reply.outcome === 'evaluation_error' ? `${resultOf(reply)}: ${reply.fault.message}` : resultOf(reply);
}

/** The difference in words, null where both agree. */
export function difference(row: Row, recorded: Recorded, reply: EvaluationReply): string | null {
  const describeDifference = (expected: string, input: string): string =>
    `${row.source}\n   expected ${expected}\n   given    ${input}`;
  if (row.difference !== null) {
    const { expected } = row.difference;
    const input = reply.outcome === 'evaluation_error' ? `error ${reply.fault.reason}` : resultOf(reply);
    return input === expected
      ? null
      : describeDifference(expected, reply.outcome === 'evaluation_error' ? `${input}: ${reply.fault.message}` : input);
  }
  if ('error' in recorded) {
    // What the compiler refuses here may fail later, or with another class, on the reference.
    if (reply.outcome === 'evaluation_error' && reply.fault.exception_class === null) return null;
    const expected = `exception ${familyOf(recorded.error)}`;
    if (resultOf(reply) !== expected)
      return describeDifference(`${expected}: ${recorded.message}`, describeReply(reply));
  } else if (resultOf(reply) !== recorded.value) {
    return describeDifference(recorded.value, describeReply(reply));
  }
  const [expected, provided] = [printed(recorded.out), reply.prints.join('\n')];
  return provided === expected
    ? null
    : describeDifference(`print ${JSON.stringify(expected)}`, `print ${JSON.stringify(provided)}`);
}

/** The rows of a table beside their recording. Throws when the recording does not belong to the table. */
export function pairRows(
  name: string,
  rows: readonly Row[],
  recordings: readonly Recorded[],
): (readonly [Row, Recorded])[] {
  return rows.map((row, index) => {
    const recorded = recordings[index];
    if (recorded === undefined || recorded.source !== row.source || recordings.length !== rows.length) {
      throw new Error(`${name}: the recording is stale, run: node conformance/language/record.ts`);
    }
    return [row, recorded];
  });
}
