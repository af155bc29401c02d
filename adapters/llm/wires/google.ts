import { createGoogle } from '@ai-sdk/google';
import { listed } from '../continuation/put-back.ts';
import type { VerbatimItem } from '../continuation/verbatim-item.ts';
import { recordOf } from './record.ts';
import { itemsIn, listItem, nodeAt, PLAIN, type AnswerBody, type VendorWire } from './wire.ts';

/** Gemini's generateContent. */
export const GOOGLE: VendorWire = {
  ...PLAIN,
  model: ({ baseUrl, model, credential, fetch }) =>
    createGoogle({ baseURL: baseUrl, apiKey: credential, fetch })(model),
  cacheMark: () => null,
  usage: (body) => {
    const usage = nodeAt(body, 'usageMetadata');
    return {
      input: nodeAt(usage, 'promptTokenCount'),
      output: nodeAt(usage, 'candidatesTokenCount'),
      thinking: nodeAt(usage, 'thoughtsTokenCount'),
      reasoning: null,
      cacheRead: nodeAt(usage, 'cachedContentTokenCount'),
      cacheCreation: null,
      cost: null,
    };
  },
  verbatim: (answer) => {
    const parts = itemsIn(nodeAt(itemsIn(nodeAt(answer.body, 'candidates'))[0] ?? null, 'content', 'parts'));
    return parts.some((part) => nodeAt(part, 'thoughtSignature') !== null) ? verbatimParts(answer, parts) : [];
  },
  notation: { marked: (mark) => JSON.stringify({ text: mark }), written: listed },
  finished: withoutOurIds,
};

/**
 * Not every model gives its calls an id. Where it did not, a result has none either: the library writes the one that
 * programs know it by.
 */
function withoutOurIds(body: string, items: readonly VerbatimItem[]): string {
  return items.reduce((text, { call, json }) => {
    if (call === null || recordOf(recordOf(JSON.parse(json))['functionCall'])['id'] !== undefined) return text;
    return text.replace(`"functionResponse":{"id":${JSON.stringify(call)},`, '"functionResponse":{');
  }, body);
}

/** Calls may have no id of their own; their order identifies them. */
function verbatimParts(answer: AnswerBody, parts: ReturnType<typeof itemsIn>): readonly VerbatimItem[] {
  const calls = parts.filter((part) => nodeAt(part, 'functionCall') !== null);
  return parts.map((part) => {
    const at = calls.indexOf(part);
    return listItem(answer, part, at < 0 ? null : (answer.calls[at] ?? null));
  });
}
