import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { decodeOwnerFacts, type OwnerFacts } from '../owner.ts';

/** States of a run (runtime.md §3). `activated`: a provider may have been reached. */
export const RUN_STATES = [
  'prepared',
  'authorized',
  'activated',
  'running',
  'draining',
  'sealed',
  'publishing',
  'published',
  'aborted',
] as const;
export type RunState = (typeof RUN_STATES)[number];

const FOLLOWING: Readonly<Record<RunState, readonly RunState[]>> = {
  prepared: ['authorized', 'aborted'],
  authorized: ['activated', 'running', 'aborted'],
  activated: ['running', 'aborted'],
  running: ['draining', 'aborted'],
  draining: ['sealed', 'aborted'],
  sealed: ['publishing'],
  publishing: ['published'],
  published: [],
  aborted: [],
};

/** Whether a run may go from one state to another; null comes before the first. */
export function mayFollow(state: RunState | null, next: RunState): boolean {
  return state === null ? next === 'prepared' : FOLLOWING[state].includes(next);
}

/** Whether nothing follows. */
export function isEnd(state: RunState): boolean {
  return FOLLOWING[state].length === 0;
}

/** One line of a journal (runtime.md §15.1). */
export interface JournalEntry {
  readonly state: RunState;
  /** UTC to the microsecond. */
  readonly at: string;
  /** DIGEST of the sealed value, from `sealed` on, where there is one. */
  readonly resultHash: string | null;
  /** Whose run it is: in the first line only, so that a later process can find out whether it lives. */
  readonly owner: OwnerFacts | null;
}

/** Canonical JSON and a line feed. */
export function journalLine({ state, at, resultHash, owner }: JournalEntry): Uint8Array {
  const line = jsonFromPlain({
    state,
    at,
    ...(resultHash === null ? {} : { result_hash: resultHash }),
    ...(owner === null ? {} : { owner }),
  });
  if (line === undefined) throw new TypeError('a journal line is JSON');
  return new TextEncoder().encode(`${canonicalJson(line)}\n`);
}

/** How far a journal says that its run has come. */
export interface JournalReading {
  /** Null when not even the first line is whole. */
  readonly state: RunState | null;
  readonly resultHash: string | null;
  readonly owner: OwnerFacts | null;
}

/** Reads whole lines from the start; what follows the first that is no line of a journal counts for nothing. */
export function readJournal(bytes: Uint8Array): JournalReading {
  let reading: JournalReading = { state: null, resultHash: null, owner: null };
  const lines = new TextDecoder().decode(bytes).split('\n');
  // What is behind the last line feed was never finished.
  for (const line of lines.slice(0, -1)) {
    const entry = entryOf(line);
    if (entry === null || !mayFollow(reading.state, entry.state)) break;
    reading = {
      state: entry.state,
      resultHash: entry.resultHash ?? reading.resultHash,
      owner: reading.owner ?? entry.owner,
    };
  }
  return reading;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function entryOf(line: string): Omit<JournalEntry, 'at'> | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const state = RUN_STATES.find((word) => word === members['state']);
  if (state === undefined) return null;
  const hash = members['result_hash'];
  const resultHash = typeof hash === 'string' && DIGEST.test(hash) ? hash : null;
  return { state, resultHash, owner: decodeOwnerFacts(members['owner']) };
}
