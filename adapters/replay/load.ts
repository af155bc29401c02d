import type { FixtureCeilings, FixtureFault, ReplayEntry, ReplayFixtures } from './fixture.ts';
import { parseLine } from './line.ts';

/** Bytes of one fixture file at most (providers.md §6). */
export const MAX_FIXTURE_BYTES = 8_000_000;

export type FixtureLoad =
  | { readonly status: 'loaded'; readonly fixtures: ReplayFixtures }
  | { readonly status: 'refused'; readonly fault: FixtureFault }
  | { readonly status: 'expired' };

const LINE_FEED = 0x0a;
/** White space of JSON that may be in a line. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/**
 * Reads a fixture file, JSON Lines (providers.md §6); the first line with a fault decides. Blank lines count as lines
 * and as nothing else. `expired` is asked before every line.
 */
export function loadFixtures(bytes: Uint8Array, ceilings: FixtureCeilings, expired: () => boolean): FixtureLoad {
  if (bytes.length > MAX_FIXTURE_BYTES) return refused('too_large', null);
  const entries = new Map<string, ReplayEntry>();
  let line = 0;
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed === -1 ? bytes.length : feed;
    const content = bytes.subarray(start, end);
    start = end + 1;
    line += 1;
    if (content.every((byte) => BLANK.has(byte))) continue;
    if (expired()) return { status: 'expired' };
    const read = parseLine(content, ceilings.maxResultBytes);
    if (!read.ok) return refused(read.rule, line);
    const { entry } = read;
    if (entries.has(entry.requestHash)) return refused('duplicate_hash', line);
    if (entries.size === ceilings.maxEntries) return refused('max_entries', line);
    entries.set(entry.requestHash, entry);
  }
  return entries.size === 0 ? refused('empty', null) : { status: 'loaded', fixtures: { entries } };
}

function refused(rule: FixtureFault['rule'], line: number | null): FixtureLoad {
  return { status: 'refused', fault: { rule, line } };
}
