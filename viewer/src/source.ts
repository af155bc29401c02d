import type { Conversation, ExecutionError, GeneratedSource, PreludeSource, PrivateRecord, Run, RunRecord, RunsPage, TraceEvent } from './data.ts';

/** A refusal of the viewer, or that it did not answer. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Where the page has its data from: the process that serves it, or the file that it stands in. */
export interface Source {
  readonly isFile: boolean;
  runs(cursor: string | null): Promise<RunsPage>;
  record(runId: string): Promise<RunRecord>;
  refresh(): Promise<void>;
}

const PAGES_MOST = 42;

/** Asks the viewer; its answers have the forms of `data.ts`, which its own tests hold. */
export async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  const response = await fetch(path, options).catch(() => null);
  if (response === null) throw new Refusal('unreachable', 'the viewer does not answer; start it again with svc viewer');
  const text = await response.text();
  if (response.ok) {
    const answer: T = JSON.parse(text);
    return answer;
  }
  const told: { error: { code: string; message: string } } = JSON.parse(text);
  throw new Refusal(told.error.code, told.error.message);
}

export const servedSource: Source = {
  isFile: false,
  runs: async (cursor) => ask(`/api/kernel/runs?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`),
  record: async (runId) => {
    const id = encodeURIComponent(runId);
    const { run } = await ask<{ run: Run }>(`/api/kernel/runs/${id}`);
    const [events, privacy] = await Promise.all([eventsOf(id), privateRecord(id)]);
    return { run, events, privacy };
  },
  refresh: async () => { await ask('/api/kernel/refresh', { method: 'POST' }); },
};

async function eventsOf(id: string): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const answer: { items: TraceEvent[]; next_cursor: string | null } = await ask(`/api/kernel/runs/${id}/turns?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    events.push(...answer.items);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return events;
}

async function privateRecord(id: string): Promise<PrivateRecord> {
  const items = async <T>(name: string): Promise<readonly T[]> => (await ask<{ items: T[] }>(`/api/analysis/runs/${id}/${name}`)).items;
  try {
    // The first tells whether the others may be asked for.
    const conversation = await ask<Conversation>(`/api/analysis/runs/${id}/conversation`);
    const [errors, failureValues, sources, preludes, prints, { result }] = await Promise.all([
      items<ExecutionError>('execution-errors'), items<{ value: unknown }>('explicit-failure-values'), items<GeneratedSource>('generated-sources'),
      items<PreludeSource>('preludes'), items<{ prints: string[] }>('execution-prints'),
      ask<{ result: { 'available?': boolean; value?: unknown } }>(`/api/analysis/runs/${id}/result`),
    ]);
    return { kind: 'open', conversation, errors, failureValues, sources, preludes, prints, result };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'closed', code: error.code, message: error.message };
    throw error;
  }
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
