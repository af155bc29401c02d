import { createHash } from 'node:crypto';
import type { JsonText } from '../../../contract/json/canonical.ts';
import type { AssistantMessage, NeutralMessage, NeutralRequest } from '../request.ts';
import type { VerbatimItem } from './verbatim-item.ts';
import { itemsOf, type ContinuationOwner } from './opaque-text.ts';

/** An assistant message that goes back as its vendor wrote it. */
export interface VerbatimTurn {
  /** What the vendor's library is given as the message's text, and what it is found by in the written body. */
  readonly mark: string;
  readonly items: readonly VerbatimItem[];
}

export type VerbatimTurns = ReadonlyMap<NeutralMessage, VerbatimTurn>;
export const NO_TURNS: VerbatimTurns = new Map();

/** The messages of a request that bring a continuation of this owner (providers.md §5.8). */
export function verbatimTurns({ messages }: NeutralRequest, text: JsonText, owner: ContinuationOwner): VerbatimTurns {
  const verbatim = messages.flatMap((message) => {
    const items = message.role === 'assistant' ? usable(message, owner) : null;
    return items === null ? [] : [{ message, items }];
  });
  if (verbatim.length === 0) return NO_TURNS;
  // No text holds its own digest, so no message can be mistaken for a mark.
  const digest = createHash('sha256').update(text).digest('hex');
  return new Map(verbatim.map(({ message, items }, at) => [message, { mark: `${digest}-${at}`, items }]));
}

/**
 * Without the calls that the message does not make: nobody answers them. Null where there is nothing to put back, or
 * where the message makes a call that its vendor never made.
 */
function usable(
  { continuation, toolCalls }: AssistantMessage,
  owner: ContinuationOwner,
): readonly VerbatimItem[] | null {
  const items = continuation === null ? null : itemsOf(continuation, owner);
  if (items === null) return null;
  const made = new Set(toolCalls.map(({ id }) => id));
  const verbatimItems = items.filter(({ call }) => call === null || made.has(call));
  const known = new Set(verbatimItems.map(({ call }) => call));
  return verbatimItems.length > 0 && toolCalls.every(({ id }) => known.has(id)) ? verbatimItems : null;
}

/** How a wire writes a turn of its vendor. */
export interface TurnNotation {
  /** JSON text that its library writes for an assistant message whose text is a mark. */
  readonly marked: (mark: string) => string;
  readonly written: (items: readonly VerbatimItem[]) => string;
}

/** The body with each mark replaced by the vendor's own bytes. Throws where a mark is not in it exactly once. */
export function putBack(body: JsonText, turns: VerbatimTurns, { marked, written }: TurnNotation): JsonText {
  return [...turns.values()].reduce((text, { mark, items }) => {
    const parts = text.split(marked(mark));
    const [before, after] = parts;
    if (before === undefined || after === undefined || parts.length !== 2)
      throw new Error('a library writes an assistant message as it did when its wire was made');
    return before + written(items) + after;
  }, body);
}

/** Items of a list, in their order. */
export function listed(items: readonly VerbatimItem[]): string {
  return items.map(({ json }) => json).join(',');
}
