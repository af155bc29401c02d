import { readServerAnswer, type Answer } from '../protocol/answer.ts';

/** The answer that brings this result. */
export function resultOf(result: unknown): Answer {
  return readServerAnswer(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result })), 1);
}

/** The answer that brings an error of this code. */
export function errorOf(code: number): Answer {
  return readServerAnswer(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } })), 1);
}
