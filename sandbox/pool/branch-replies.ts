import { MOST_ANSWERED } from '../../contract/parallel.ts';
import type { BranchReply } from '../../contract/sandbox-protocol.ts';

/** What a branch answered, written when it did, so that no turn of the event loop is for all of them. */
export interface WrittenReply {
  /** JSON of the `BranchReply`. */
  readonly text: string;
  readonly isValue: boolean;
}

export function writeReply(reply: BranchReply): WrittenReply {
  return { text: JSON.stringify(reply), isValue: reply.outcome === 'value' };
}

/** Whether replies of so many UTF-16 units are more than one answer carries. */
export function isTooMuch(units: number): boolean {
  return units > MOST_ANSWERED;
}

/**
 * Texts of the replies up to and with the first in input order that gave no value, or that is too much beside those
 * before it.
 */
export function carriedReplies(replies: readonly (WrittenReply | undefined)[]): readonly string[] {
  const texts: string[] = [];
  let units = 0;
  for (const reply of replies) {
    if (reply === undefined) return texts;
    units += reply.text.length;
    if (isTooMuch(units)) return [...texts, TOO_MUCH.text];
    texts.push(reply.text);
    if (!reply.isValue) return texts;
  }
  return texts;
}

const TOO_MUCH = writeReply({
  outcome: 'limit',
  kind: 'memory_exceeded',
  message: 'the results of the parallel branches are too large together',
  details: {},
  printed: [],
});
