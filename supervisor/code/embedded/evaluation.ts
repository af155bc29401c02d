import { isJsonArray, isJsonFloat, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { RefusalCode, RunArtifact, RunEffects } from '../../run/reported-end.ts';
import type { RoomContents } from '../index/room-index.ts';
import { markedLine, printedText } from '../serve/answer-text.ts';
import type { ProgramEnd } from '../session/program-end.ts';
import type { Evaluation, EvaluateOptions } from './types.ts';

/** How the run of a program ended, for the person who asked for it; or why there was none. */
export type ProgramRunEnd =
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly retryAfterMs: number | null }
  | {
      readonly kind: 'finished';
      readonly envelope: RunSuccess | RunFailure;
      readonly cancelled: boolean;
      readonly artifacts: readonly RunArtifact[];
    };

type FinishedRun = Extract<ProgramRunEnd, { readonly kind: 'finished' }>;

/** What was evaluated, and what its tools may do by their names. */
interface Evaluated extends Pick<EvaluateOptions, 'numbers'> {
  readonly program: string;
  readonly tools: RoomContents['tools'];
}

/** What an embedding program is given; `run` null: there was none. */
export function describeEvaluation(
  end: ProgramEnd,
  run: FinishedRun | null,
  { program, tools, numbers = 'json' }: Evaluated,
): Evaluation {
  const facts = {
    runRef: end.runRef,
    printed: printedText(end.prints),
    calls: end.calls,
    usage: run === null ? null : usageOf(run),
    effects: effectsOf(end, tools),
    artifacts: run?.artifacts ?? [],
  };
  const shown = (value: JsonValue | undefined): unknown => (value === undefined ? null : plainValue(value, numbers));
  switch (end.kind) {
    case 'value':
      return { kind: 'value', value: shown(end.value), text: end.text, cut: end.cut, how: end.how, ...facts };
    case 'failed':
      return { kind: 'failed', value: shown(end.value), text: end.text, ...facts };
    case 'error': {
      const { kind, message, place, remedy } = end.error;
      const isCancelled = run?.cancelled === true && kind === 'internal_error';
      return {
        kind: 'error',
        error: {
          kind: isCancelled ? 'cancelled' : kind,
          message: isCancelled ? 'the program was cancelled' : message,
          place,
          excerpt: place === null ? null : markedLine(program, place).join('\n'),
          hint: remedy,
          retryable: !isCancelled && run?.envelope.status === 'error' && run.envelope.error.retryable,
        },
        ...facts,
      };
    }
  }
}

/** A program that failed does not mention the writes that it began: what is not known is reported as such. */
function effectsOf({ kind, calls }: ProgramEnd, tools: RoomContents['tools']): RunEffects {
  const called = new Set(calls.map(({ name }) => name));
  if (called.size === 0) return 'none';
  const read = new Set(tools.filter(({ effect }) => effect === 'read').map(({ name }) => name));
  if (called.isSubsetOf(read)) return 'read';
  return kind === 'value' ? 'write_possible' : 'indeterminate';
}

function usageOf({ envelope: { execution } }: FinishedRun) {
  return execution.state === 'not_started' ? null : execution.usage;
}

/** Ordinary objects, whose members are own ones, whatever they are called. */
export function plainValue(value: JsonValue, numbers: 'json' | 'exact'): unknown {
  if (isJsonArray(value)) return value.map((item) => plainValue(item, numbers));
  if (isJsonObject(value))
    return Object.fromEntries([...value].map(([name, member]) => [name, plainValue(member, numbers)]));
  if (isJsonFloat(value)) return value.value;
  return typeof value === 'bigint' && numbers === 'json' ? Number(value) : value;
}
