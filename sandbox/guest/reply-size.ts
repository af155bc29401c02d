import { LimitSignal } from '../runtime/errors.ts';

/**
 * UTF-8 bytes of a reply that one message carries (`MAX_BODY_BYTES_FROM_HOST` of sandbox/wire/frames.ts, less a
 * prefix).
 */
export const MAX_REPLY_BYTES = 39_999_000;
/** Most that a UTF-16 unit takes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** What a program has made that leaves more behind than one message carries. */
export const tooLarge = (): LimitSignal =>
  new LimitSignal('memory_exceeded', 'the evaluation exceeded its memory: what it gave and printed is too large');

/** Whether one message carries this text. Most texts need no count. */
export function isCarried(text: string): boolean {
  if (text.length * BYTES_PER_UNIT <= MAX_REPLY_BYTES) return true;
  let bytes = text.length;
  for (let index = 0; index < text.length && bytes <= MAX_REPLY_BYTES; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // A pair of surrogates has four bytes, two for each.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes <= MAX_REPLY_BYTES;
}
