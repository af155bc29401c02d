import type {
  CapabilityCall,
  Conversation,
  ExecutionError,
  GeneratedSource,
  PreludeSource,
  PrivateRecord,
  Run,
  RunRecord,
  RunsPage,
  TraceEvent,
} from './data.ts';

/** A refusal of the viewer, or that it did not answer. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Which runs a list shows. */
export interface Wanted {
  /** Words that must all be found; empty for every run. */
  readonly search: string;
  /** Empty for every status; `open`: without an end. */
  readonly status: string;
}

/** Where the page has its data from: the process that serves it, or the file that it is in. */
export interface Source {
  readonly isFile: boolean;
  runs(wanted: Wanted, cursor: string | null): Promise<RunsPage>;
  /**
   * Everything of one run. `show` is called with what is there whenever there is more, so that a long conversation can
   * be read while the rest of it comes; it returns whether more is wanted.
   */
  record(runId: string, show?: (soFar: RunRecord) => boolean): Promise<RunRecord>;
  refresh(): Promise<void>;
}

/** Events of one run that the page takes: 100 in each page. */
const PAGES_MOST = 42;
/** Answers of private evidence that the page takes of one run, each of at most 1 MB. */
const ANSWERS_MOST = 64;

/** Asks the viewer; its answers have the forms of `data.ts`, which its own tests hold. */
export async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  const response = await fetch(path, options).catch(() => null);
  if (response === null) throw new Refusal('unreachable', 'the viewer does not answer; start it again with svc viewer');
  const text = await response.text();
  if (response.ok) {
    const answer: T = JSON.parse(text);
    return answer;
  }
  const answer: { error: { code: string; message: string } } = JSON.parse(text);
  throw new Refusal(answer.error.code, answer.error.message);
}

export const servedSource: Source = {
  isFile: false,
  runs: async ({ search, status }, cursor) => {
    const options = new URLSearchParams({ limit: '100' });
    if (search.trim() !== '') options.set('search', search.trim());
    if (status !== '') options.set('status', status);
    if (cursor !== null) options.set('cursor', cursor);
    return ask(`/api/kernel/runs?${options.toString()}`);
  },
  record: async (runId, show = () => true) => {
    const id = encodeURIComponent(runId);
    const { run } = await ask<{ run: Run }>(`/api/kernel/runs/${id}`);
    const [events, privacy] = await Promise.all([eventsOf(id), privateRecord(id)]);
    return withRest({ run, events, privacy }, id, show);
  },
  refresh: async () => {
    await ask('/api/kernel/refresh', { method: 'POST' });
  },
};

async function eventsOf(id: string): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const answer: Page<TraceEvent> = await ask(`/api/kernel/runs/${id}/turns?limit=100${from(cursor, '&')}`);
    events.push(...answer.items);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return events;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

function from(cursor: string | null, sign: '?' | '&' = '?'): string {
  return cursor === null ? '' : `${sign}cursor=${encodeURIComponent(cursor)}`;
}

async function itemsOf<T>(id: string, name: string): Promise<readonly T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let answers = 0; answers < ANSWERS_MOST; answers += 1) {
    const page: Page<T> = await ask(`/api/analysis/runs/${id}/${name}${from(cursor)}`);
    items.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return items;
}

async function privateRecord(id: string): Promise<PrivateRecord> {
  try {
    // The first says whether the others may be asked for.
    const conversation = await ask<Conversation>(`/api/analysis/runs/${id}/conversation`);
    const [errors, failureValues, sources, preludes, prints, calls, { result }] = await Promise.all([
      itemsOf<ExecutionError>(id, 'execution-errors'),
      itemsOf<{ value: unknown }>(id, 'explicit-failure-values'),
      itemsOf<GeneratedSource>(id, 'generated-sources'),
      itemsOf<PreludeSource>(id, 'preludes'),
      itemsOf<{ evaluation_id?: string; prints: string[] }>(id, 'execution-prints'),
      itemsOf<CapabilityCall>(id, 'capability-calls'),
      ask<{ result: { 'available?': boolean; value?: unknown } }>(`/api/analysis/runs/${id}/result`),
    ]);
    return { kind: 'open', conversation, errors, failureValues, sources, preludes, prints, calls, result };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'closed', code: error.code, message: error.message };
    throw error;
  }
}

/** The record with the rest of a conversation that takes more than one answer. */
async function withRest(first: RunRecord, id: string, show: (soFar: RunRecord) => boolean): Promise<RunRecord> {
  let record = first;
  for (let answers = 1; answers < ANSWERS_MOST; answers += 1) {
    const { privacy } = record;
    if (privacy.kind === 'closed' || (privacy.conversation.next_cursor ?? null) === null || !show(record))
      return record;
    const more = await ask<Conversation>(
      `/api/analysis/runs/${id}/conversation${from(privacy.conversation.next_cursor ?? null)}`,
    );
    record = { ...record, privacy: { ...privacy, conversation: joined(privacy.conversation, more) } };
  }
  return record;
}

function joined(before: Conversation, more: Conversation): Conversation {
  const added = new Map(more.streams.map(({ stream_id: id, turns }) => [id, turns]));
  const known = before.streams.map(({ stream_id: id, turns }) => ({
    stream_id: id,
    turns: [...turns, ...(added.get(id) ?? [])],
  }));
  const ids = new Set(known.map(({ stream_id: id }) => id));
  return { ...more, streams: [...known, ...more.streams.filter(({ stream_id: id }) => !ids.has(id))] };
}

const EMBEDDED = 'svc-export';

/** The record that an exported file carries; null on a served page. */
export function embeddedSource(): Source | null {
  const text = document.getElementById(EMBEDDED)?.textContent ?? null;
  if (text === null) return null;
  const record: RunRecord = JSON.parse(text);
  return {
    isFile: true,
    runs: async () => ({ items: [record.run], next_cursor: null, omitted_count: 0 }),
    record: async () => record,
    refresh: async () => undefined,
  };
}
