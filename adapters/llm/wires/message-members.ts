import type { JsonNode } from '../../../contract/json/node.ts';
import type { VerbatimItem } from '../continuation/verbatim-item.ts';
import type { TurnNotation } from '../continuation/put-back.ts';
import { itemsIn, nodeAt, type AnswerBody } from './wire.ts';

/** Members that an assistant message may be given back with. */
const MEMBERS: ReadonlySet<string> = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
]);
const CALLS = 'tool_calls';

/**
 * The content, the reasoning and the calls of a message, each as it was written, for wires whose messages are objects.
 * `carried`: members that hold reasoning, the first of which that is there goes back. Nothing where there is none.
 */
export function verbatimMembers(
  { textOf, calls }: AnswerBody,
  message: JsonNode | null,
  carried: readonly string[],
): readonly VerbatimItem[] {
  const content = nodeAt(message, 'content');
  const called = itemsIn(nodeAt(message, CALLS));
  const thought = carried.flatMap((member) => {
    const node = nodeAt(message, member);
    return node === null ? [] : [{ json: textOf(node), call: null, member }];
  })[0];
  // Mistral writes thought and text as one list; some servers sign the calls themselves.
  const isSigned = content?.kind === 'array' || called.some((call) => nodeAt(call, 'extra_content') !== null);
  if (thought === undefined && !isSigned) return [];
  return [
    { json: content === null ? 'null' : textOf(content), call: null, member: 'content' },
    ...(thought === undefined ? [] : [thought]),
    ...called.map((call, at) => ({ json: textOf(call), call: calls[at] ?? null, member: CALLS })),
  ];
}

/** An assistant message that is an object: each of its members once, its calls last. */
export const MESSAGE: TurnNotation = {
  marked: (mark) => JSON.stringify({ role: 'assistant', content: mark }),
  written: (items) => {
    const members = new Map(
      items.flatMap(({ member, json }) => (member !== null && MEMBERS.has(member) ? [[member, json] as const] : [])),
    );
    const calls = items.flatMap(({ member, json }) => (member === CALLS ? [json] : []));
    const written = [
      '"role":"assistant"',
      ...[...members].map(([member, json]) => `${JSON.stringify(member)}:${json}`),
      ...(calls.length === 0 ? [] : [`"${CALLS}":[${calls.join(',')}]`]),
    ];
    return `{${written.join(',')}}`;
  },
};
