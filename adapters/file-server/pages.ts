import { FileRefusal } from './refusal.ts';
import type { FileText } from './granted-files.ts';

/** A page of a file, in the form that `cap/fold-pages` takes (agent-library.md §12). */
export interface Page {
  readonly items: readonly string[];
  readonly snapshot_hash: string;
  /** Where the next page begins; null behind the last. */
  readonly next_cursor: string | null;
}

/** Greatest text of a page, in bytes: well below what one answer may hold. */
const PAGE_BYTES = 65_536;

/** Lines from a cursor on, as many as asked for and as fit; at least one. */
export function pageOf({ lines, hash }: FileText, cursor: string | null, most: number): Page {
  const start = cursor === null ? 0 : Number(/^line-(\d{1,9})$/.exec(cursor)?.[1] ?? NaN);
  if (!Number.isSafeInteger(start) || start >= lines.length) throw new FileRefusal('there is no such cursor');
  let end = start;
  let bytes = 0;
  while (end < lines.length && end - start < most) {
    bytes += Buffer.byteLength(lines[end] ?? '') + 1;
    if (bytes > PAGE_BYTES && end > start) break;
    end += 1;
  }
  return {
    items: lines.slice(start, end),
    snapshot_hash: hash,
    next_cursor: end < lines.length ? `line-${String(end)}` : null,
  };
}
