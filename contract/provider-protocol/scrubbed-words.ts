import { cutSaid } from './call.ts';
import { STDERR_END_BYTES, type FailureWords, type StderrEnd } from './provider-words.ts';
import type { Scrubber } from './scrubber.ts';

/** What people may be shown: without credentials, within its bounds (world.md §1.5, §2.4). */
export function scrubbedWords({ said, stderr }: FailureWords, scrubber: Scrubber): FailureWords {
  const words = { said: cutSaid(scrubber.text(said)) };
  return stderr === undefined ? words : { ...words, stderr: scrubbedEnd(stderr, scrubber) };
}

/** What is put in the place of a credential may be longer than that was. */
function scrubbedEnd({ text, isTruncated }: StderrEnd, scrubber: Scrubber): StderrEnd {
  const scrubbed = isTruncated ? scrubber.endText(text) : scrubber.text(text);
  const bytes = Buffer.from(scrubbed);
  if (bytes.length <= STDERR_END_BYTES) return { text: scrubbed, isTruncated };
  let start = bytes.length - STDERR_END_BYTES;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return { text: bytes.toString('utf8', start), isTruncated: true };
}
