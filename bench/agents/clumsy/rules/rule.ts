import type { Answer } from '../../../../conformance/servers/llm/script.ts';
import { offsetOf, type Span } from '../forms.ts';

/** What whoever corrects an answer has: the answer itself, what was told of it, and the task. Nothing else. */
export interface Correcting {
  readonly said: Answer;
  /** The program that was sent, or is found in the answer. */
  readonly program: string;
  readonly reply: string;
  readonly task: string;
  /** Offset in the program of the place that was told; null: none was. */
  readonly place: number | null;
}

/** A program, or a whole answer, in the place of the one that was sent; null: the rule does not fit what was told. */
export type Rule = (correcting: Correcting) => string | Answer | null;

const PLACE = /\bline (\d+),? column (\d+)/i;

/** The offset that a text tells; null: it tells none. */
export function placeIn(reported: string, program: string): number | null {
  const found = PLACE.exec(reported);
  return found === null ? null : offsetOf(program, Number(found[1]), Number(found[2]));
}

/** Names in quotation marks, or separated by commas or spaces, of a list that was told. */
export function namesIn(list: string): readonly string[] {
  const quoted = [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name ?? '');
  return quoted.length > 0 ? quoted : list.split(/[,\s]+/).filter((name) => name !== '');
}

/** The only one of several; null: there is none, or another. */
export function only<T>(all: readonly T[]): T | null {
  const [one] = all;
  return all.length === 1 && one !== undefined ? one : null;
}

/** The one of several spans that a place lies in, the smallest of them; without a place the only one. */
export function placed(spans: readonly Span[], place: number | null): Span | null {
  if (place === null) return only(spans);
  const [smallest] = spans
    .filter(({ start, end }) => start <= place && place < end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start));
  return smallest ?? only(spans);
}
