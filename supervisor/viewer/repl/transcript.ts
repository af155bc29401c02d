import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { members } from '../../history/analysis/members.ts';
import { cutText } from './cut.ts';

/** evidence.md §11: entries, bytes of all, bytes of the source in one. */
export const TRANSCRIPT_MOST = { entries: 64, bytes: 262_144, entryBytes: 131_072, sourceBytes: 16_384 } as const;

/** What was said in a session, oldest first; the oldest are dropped where it grows too large. */
export interface SessionTranscript {
  add(source: string, evaluation: JsonObject): void;
  entries(): readonly JsonObject[];
  /** Entries that were let go. */
  omitted(): number;
}

export function newTranscript(): SessionTranscript {
  let entries: readonly { readonly entry: JsonObject; readonly bytes: number }[] = [];
  let omitted = 0;
  return {
    add: (source, evaluation) => {
      const { text, isCut } = cutText(source, TRANSCRIPT_MOST.sourceBytes);
      const entry = members({ source: text, 'source_truncated?': isCut, evaluation });
      const bytes = Buffer.byteLength(canonicalJson(entry));
      if (bytes > TRANSCRIPT_MOST.entryBytes) throw new Error('the parts of an entry are bounded before it is kept');
      entries = [...entries, { entry, bytes }];
      while (
        entries.length > TRANSCRIPT_MOST.entries ||
        entries.reduce((all, { bytes }) => all + bytes, 0) > TRANSCRIPT_MOST.bytes
      ) {
        entries = entries.slice(1);
        omitted += 1;
      }
    },
    entries: () => entries.map(({ entry }) => entry),
    omitted: () => omitted,
  };
}
