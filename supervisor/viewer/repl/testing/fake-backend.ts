import { jsonDigest } from '../../../documents/digest.ts';
import type { FormEnd } from '../../../session/form-end.ts';
import type { OpenBackend, ReplBackend } from '../backend.ts';

/** An end of a form with a value; `input` changes it. */
export function valueEnd(input: Partial<Extract<FormEnd, { kind: 'value' }>> = {}): FormEnd {
  return {
    kind: 'value',
    text: '{"a":1}',
    prints: [],
    code: null,
    recovered: null,
    outcome: 'continued',
    ended: false,
    ...input,
  };
}

export function failedEnd(input: Partial<Extract<FormEnd, { kind: 'failed' }>> = {}): FormEnd {
  return {
    kind: 'failed',
    error: { kind: 'unbound_var', message: 'x is not defined', place: { line: 1, column: 2 } },
    prints: [],
    code: null,
    recovered: null,
    outcome: 'evaluation_error',
    ended: false,
    ...input,
  };
}

/** A backend whose forms end as `evaluate` says. */
export interface FakeBackend {
  readonly open: OpenBackend;
  readonly sources: readonly string[];
  opened(): number;
  closed(): number;
}

export function fakeBackend({
  evaluate = async () => valueEnd(),
  isWritten = true,
  printed = '{"a" 1}',
  runs = ['r-1'],
}: {
  readonly evaluate?: ReplBackend['session']['evaluate'];
  readonly isWritten?: boolean;
  readonly printed?: string | null;
  readonly runs?: readonly string[];
} = {}): FakeBackend {
  const sources: string[] = [];
  let [opened, closed] = [0, 0];
  const backend = (): ReplBackend => ({
    session: {
      evaluate: async (source, signal) => {
        sources.push(source);
        return evaluate(source, signal);
      },
      names: async () => ['map', 'analysis/runs', 'n'.repeat(128), 'n'.repeat(129)],
      wholeValue: async () => printed,
    },
    profile: { id: 'run-analysis-v1', namespaces: ['analysis', 'cap'] },
    profileDigest: jsonDigest([]),
    counts: new Map([['traces', { files: 1, runs: 1 }]]),
    calls: () => ({ 'analysis-runs': 2 }),
    hasRun: async (runId) => runs.includes(runId),
    close: async () => {
      closed += 1;
      return { isTraceWritten: isWritten, tracePath: '/trace.jsonl' };
    },
  });
  const open: OpenBackend = async () => {
    opened += 1;
    return { ok: true, value: backend() };
  };
  return { open, sources, opened: () => opened, closed: () => closed };
}
