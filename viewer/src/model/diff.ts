import type { RunRecord } from '../data.ts';
import { flat, spansOf, text, type Span } from './spans.ts';

/** Two runs beside each other: spans of one name, mission and ordinal. */
export interface DiffRow {
  readonly key: string;
  readonly left: Span | null;
  readonly right: Span | null;
  readonly isSame: boolean;
}

export function diffOf(left: RunRecord, right: RunRecord): readonly DiffRow[] {
  const [ofLeft, ofRight] = [keyed(left), keyed(right)];
  const keys = new Set([...ofLeft.keys(), ...ofRight.keys()]);
  return [...keys]
    .map((key) => {
      const [one, other] = [ofLeft.get(key) ?? null, ofRight.get(key) ?? null];
      return {
        key,
        left: one,
        right: other,
        isSame: one !== null && other !== null && outcome(one) === outcome(other),
      };
    })
    .sort((one, other) => place(one) - place(other));
}

function keyed({ events }: RunRecord): ReadonlyMap<string, Span> {
  const seen = new Map<string, number>();
  return new Map(
    flat(spansOf(events)).map((span) => {
      const nth = (seen.get(span.label) ?? 0) + 1;
      seen.set(span.label, nth);
      return [`${span.label} #${nth}`, span];
    }),
  );
}

function outcome({ status, started, stopped }: Span): string {
  return JSON.stringify([
    status,
    text(started, 'source_hash'),
    text(stopped ?? {}, 'reason'),
    text(stopped ?? {}, 'finish_reason'),
  ]);
}

/** Where the runs first part: of what differs, what ended first. */
export function partingOf(rows: readonly DiffRow[]): DiffRow | null {
  const differing = rows.filter(({ isSame }) => !isSame);
  return differing.sort((one, other) => ending(one) - ending(other))[0] ?? null;
}

function ending({ left, right }: DiffRow): number {
  return Math.min(left?.end ?? Number.POSITIVE_INFINITY, right?.end ?? Number.POSITIVE_INFINITY);
}

function place({ left, right }: DiffRow): number {
  return left?.sequence ?? right?.sequence ?? 0;
}

/** What both runs asked a model in the first exchange in which they asked something else. */
export interface PromptParting {
  /** From 1, over all conversations in their order. */
  readonly exchange: number;
  /** Null: this run asked nothing more. */
  readonly left: string | null;
  readonly right: string | null;
}

/** Null where both asked the same, or where what was asked is not shown. */
export function promptParting(left: RunRecord, right: RunRecord): PromptParting | null {
  const [ofLeft, ofRight] = [promptsOf(left), promptsOf(right)];
  if (ofLeft === null || ofRight === null) return null;
  for (let nth = 0; nth < Math.max(ofLeft.length, ofRight.length); nth += 1) {
    const [one, other] = [ofLeft[nth] ?? null, ofRight[nth] ?? null];
    if (one !== other) return { exchange: nth + 1, left: one, right: other };
  }
  return null;
}

function promptsOf({ privacy }: RunRecord): readonly string[] | null {
  if (privacy.kind === 'closed') return null;
  return privacy.conversation.streams
    .flatMap(({ turns }) => turns)
    .map(({ system, messages_added: messages }) =>
      [
        ...(system === undefined ? [] : [`system\n${system}`]),
        ...messages.map(
          ({ role, content }) => `${role}\n${typeof content === 'string' ? content : JSON.stringify(content, null, 2)}`,
        ),
      ].join('\n\n'),
    );
}
