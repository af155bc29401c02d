import type { JsonText } from '../../../contract/json/canonical.ts';
import type { Peeked } from './peek.ts';

/** A request that a server sends to its client, which servers of earlier revisions may. */
export type ServerQuestion = NonNullable<Peeked['question']>;

const METHOD_NOT_FOUND = -32_601;

/**
 * What a server is answered: that the client is there, where it asks that; that there is no such method, where it wants
 * roots, a sample of a model or a word of a person, none of which was offered (world.md §2.1).
 */
export function answerToServer({ idText, method }: ServerQuestion): JsonText {
  return method === 'ping'
    ? `{"id":${idText},"jsonrpc":"2.0","result":{}}`
    : `{"error":{"code":${METHOD_NOT_FOUND},"message":"not offered by this client"},"id":${idText},"jsonrpc":"2.0"}`;
}
