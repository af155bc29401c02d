import { keywordBytes } from './values/keyword.ts';

/**
 * Bytes that keywords of programs may take from who comes next: little against the 3 MiB that V8 gives beyond a heap
 * limit.
 */
const MOST_KEYWORD_BYTES = 65_536;

/** Bytes of the keywords that the first program of this isolate found; null before it began. */
const found: { keywordBytes: number | null } = { keywordBytes: null };

/** To be called when a program, its code and its values are there. */
export function beginProgram(): void {
  found.keywordBytes ??= keywordBytes();
}

/**
 * Whether this runtime holds so much of what ran before that a program would find less room than in a fresh isolate.
 */
export function isWorn(): boolean {
  return keywordBytes() - (found.keywordBytes ?? 0) > MOST_KEYWORD_BYTES;
}
