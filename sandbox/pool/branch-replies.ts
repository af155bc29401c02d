import type { BranchReply } from '../../contract/sandbox-protocol.ts';

/**
 * UTF-16 units of all replies of one operation: more than the heap of any caller has room for, and what one message carries
 * (`MAX_BODY_BYTES_FROM_SUPERVISOR`) where each takes six bytes, as a control character in JSON does.
 */
export const MOST_UNITS = 20_000_000;
/** What a reply, and a text in it, takes besides. */
const APART = 100;

/** Room that a reply takes in the answer to its caller. */
export function unitsOf(reply: BranchReply): number {
  let units = APART;
  if ('value' in reply) units += reply.value.length;
  if (reply.outcome === 'limit') units += reply.message.length + JSON.stringify(reply.details).length;
  for (const text of reply.printed) units += text.length + APART;
  return units;
}

export function isTooMuch(units: number): boolean {
  return units > MOST_UNITS;
}

/** Replies up to and with the first in input order that gave no value, or that is too much beside those before it. */
export function carriedReplies(replies: readonly (BranchReply | undefined)[]): readonly BranchReply[] {
  const kept: BranchReply[] = [];
  let units = 0;
  for (const reply of replies) {
    if (reply === undefined) return kept;
    units += unitsOf(reply);
    if (isTooMuch(units)) return [...kept, TOO_MUCH];
    kept.push(reply);
    if (reply.outcome !== 'value') return kept;
  }
  return kept;
}

const TOO_MUCH: BranchReply = {
  outcome: 'limit', kind: 'memory_exceeded', message: 'the results of the parallel branches are too large together', details: {}, printed: [],
};
