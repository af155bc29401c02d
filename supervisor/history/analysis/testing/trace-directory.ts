import { emptyUsage } from '../../../../contract/envelope/testing/empty-usage.ts';
import type { EvidenceFiles, FileFacts } from '../files/evidence-files.ts';

const USAGE = {
  ...emptyUsage({ remainingMs: 1, totalTokens: null, costMicrousd: null }),
  capability_calls: { workflow: {}, mission: {} },
};
const PRELUDE = { component_ids: [], dependency_indices: [], hash: null };

/** What a test says of a run in addition to its id. */
export interface TraceWish {
  readonly outcome?: 'ok' | 'error' | null;
  readonly tags?: Readonly<Record<string, string>>;
  readonly start?: string;
}

/** A whole trace of a run that did nothing; `outcome` null: without its end. */
export function trace(
  runId: string,
  { outcome = 'ok', tags = {}, start = '2030-01-02T03:04:05.000006Z' }: TraceWish = {},
): string {
  const line = (sequence: number, type: string, data: object): string =>
    `${JSON.stringify({ schema_version: 2, run_id: runId, trace_id: `t-${runId}`, sequence, timestamp: start, type, data })}\n`;
  const started = line(1, 'run-started', {
    labels: Object.keys(tags).length === 0 ? {} : { tags },
    workflow_prelude: PRELUDE,
    missions: {},
    connector_snapshots: [],
  });
  return outcome === null
    ? started
    : started + line(2, 'run-stopped', { outcome, reason: outcome === 'ok' ? null : 'run_timeout', usage: USAGE });
}

/**
 * A directory `/t` of these files by their texts, read again each time; `directory` and `other` are what is no file.
 */
export function directory(names: ReadonlyMap<string, string>, opened: string[] = []): EvidenceFiles {
  const kinds = new Set(['directory', 'other']);
  const factsOf = (path: string): FileFacts | null => {
    const content = names.get(path.slice('/t/'.length));
    const of = (kind: FileFacts['kind'], size: number): FileFacts => ({
      kind,
      size: BigInt(size),
      device: 1n,
      inode: 1n,
      modified: BigInt(Buffer.byteLength(content ?? '')),
      changed: 1n,
    });
    if (path === '/t') return of('directory', 0);
    if (content === undefined) return null;
    if (content === 'directory' || content === 'other') return of(content, 0);
    return of('file', Buffer.byteLength(content));
  };
  return {
    facts: async (path) => factsOf(path),
    names: async (_, most) => [...names.keys()].slice(0, most + 1),
    open: async (path) => {
      const content = names.get(path.slice('/t/'.length)) ?? '';
      opened.push(path);
      return kinds.has(content)
        ? null
        : {
            facts: async () => factsOf(path),
            read: async (position, length) => Buffer.from(content).subarray(position, position + length),
            close: async () => undefined,
          };
    },
  };
}
