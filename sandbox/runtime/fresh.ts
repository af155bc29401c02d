import { branch } from './branch.ts';
import { guards, LimitSignal } from './errors.ts';
import { forgetMiss } from './last-miss.ts';
import { endUnwinding } from './unwinding.ts';
import { forgetIdentities } from './values/hashing.ts';
import { keywordBytes } from './values/keyword.ts';

/** Bytes that keywords of programs may take from who comes next: little against the 3 MiB that V8 gives beyond a heap limit. */
const MOST_KEYWORD_BYTES = 65_536;

/** Bytes of the keywords that the first program of this isolate found; null before it began. */
const found: { keywordBytes: number | null } = { keywordBytes: null };

/** To be called when a program, its code and its values are there. */
export function programBegins(): void {
  found.keywordBytes ??= keywordBytes();
}

/** Whether this runtime holds so much of what ran before that a program would find less room than in a fresh isolate. */
export function isWorn(): boolean {
  return keywordBytes() - (found.keywordBytes ?? 0) > MOST_KEYWORD_BYTES;
}

/**
 * Makes this runtime what it was in its fresh isolate, for another session; values of the one before are of no further use.
 * What stays are tables by content (keywords, classes, characters), which answer the same whoever filled them.
 */
export function becomeFresh(): void {
  forgetIdentities();
  forgetMiss();
  endUnwinding();
  LimitSignal.last = null;
  guards.depth = 0;
  branch.current = 0;
  branch.last = 0;
  branch.undo = null;
}
