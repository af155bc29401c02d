import { expect } from 'chai';
import { emptyUsage } from '../../../../contract/envelope/testing/empty-usage.ts';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../../contract/json/value.ts';
import { beginContainer, sealContainer } from '../../../evidence/inspection/container.ts';
import { labelFingerprint } from '../../../evidence/fingerprint.ts';
import { captureTime } from '../files/capture-time.ts';
import type { EvidenceFiles, FileFacts } from '../files/evidence-files.ts';
import { captureCatalogue, queryCatalogue, type RunCatalogue } from './catalogue.ts';

const USAGE = {
  ...emptyUsage({ remainingMs: 1, totalTokens: null, costMicrousd: null }),
  capability_calls: { workflow: {}, mission: {} },
};
const PRELUDE = { component_ids: [], dependency_indices: [], hash: null };

interface TraceFacts {
  readonly traceId?: string;
  readonly labels?: object;
  readonly second?: number;
  readonly version?: number;
  readonly isOpen?: boolean;
  /** Characters of an event between both ends. */
  readonly between?: number;
}

function trace(
  runId: string,
  { traceId = `t-${runId}`, labels = {}, second = 5, version = 2, isOpen = false, between = 0 }: TraceFacts = {},
): string {
  const line = (sequence: number, type: string, data: object): string =>
    `${JSON.stringify({ schema_version: version, run_id: runId, trace_id: traceId, sequence, timestamp: `2030-01-02T03:04:0${second}.000006Z`, type, data })}\n`;
  return [
    line(1, 'run-started', { labels, workflow_prelude: PRELUDE, missions: {}, connector_snapshots: [] }),
    between === 0 ? '' : line(2, 'phase', { text: 'x'.repeat(between) }),
    isOpen ? '' : line(3, 'run-stopped', { outcome: 'ok', reason: null, usage: USAGE }),
  ].join('');
}

function inspection(runId: string, traceId = `t-${runId}`): string {
  const { state, line } = beginContainer({ runId, traceId, created: '2030-01-02T03:04:05.000006Z' });
  return Buffer.concat([line, sealContainer(state, '0'.repeat(64))]).toString();
}

/** Directories `/t` and `/i` of these files; null is what is no file. */
function files(contents: Readonly<Record<string, string | null>>): EvidenceFiles {
  const of = (kind: FileFacts['kind'], size: number): FileFacts => ({
    kind,
    size: BigInt(size),
    device: 1n,
    inode: 1n,
    modified: 1n,
    changed: 1n,
  });
  const factsOf = (path: string): FileFacts | null => {
    if (path === '/t' || path === '/i') return of('directory', 0);
    const content = contents[path];
    return content === undefined ? null : content === null ? of('other', 0) : of('file', Buffer.byteLength(content));
  };
  return {
    facts: async (path) => factsOf(path),
    names: async (directory, most) =>
      Object.keys(contents)
        .filter((path) => path.startsWith(`${directory}/`))
        .map((path) => path.slice(3))
        .slice(0, most + 1),
    open: async (path) => {
      const bytes = Buffer.from(contents[path] ?? '');
      return contents[path] === null
        ? null
        : {
            facts: async () => factsOf(path),
            read: async (position, length) => bytes.subarray(position, position + length),
            close: async () => undefined,
          };
    },
  };
}

async function catalogued(contents: Readonly<Record<string, string | null>>): Promise<RunCatalogue> {
  const captured = await captureCatalogue({ files: files(contents), traces: '/t', inspection: '/i' });
  if (!captured.ok) throw new Error(captured.fault);
  return captured.value;
}

async function query(catalogue: RunCatalogue, plain: object = {}, bytes = 1_000_000): Promise<JsonObject | string> {
  const options = jsonFromPlain(plain);
  if (!isJsonObject(options)) throw new Error('a query is an object');
  const found = await queryCatalogue(catalogue, options, bytes);
  return found.ok ? found.value : found.fault;
}

async function ids(catalogue: RunCatalogue, plain: object): Promise<unknown> {
  const page = await query(catalogue, plain);
  if (typeof page === 'string') return page;
  const items: unknown = page.get('items');
  return Array.isArray(items) ? items.map((item: JsonObject) => item.get('run_id')) : items;
}

describe('the catalogue of runs (evidence.md §8)', () => {
  const REASONS: readonly (readonly [
    reason: string | null,
    correlation: string,
    contents: Readonly<Record<string, string | null>>,
  ])[] = [
    [null, 'paired', { '/t/a.jsonl': trace('a'), '/i/a.svcins': inspection('a') }],
    [null, 'trace_only', { '/t/a.private.jsonl': trace('a') }],
    [null, 'inspection_only', { '/i/a.svcins': inspection('a') }],
    [null, 'trace_only', { '/t/a.jsonl': trace('a', { between: 200_000 }) }],
    ['ambiguous_trace', 'trace_only', { '/t/a.jsonl': trace('a'), '/t/a.private.jsonl': trace('a') }],
    ['unstable_entry', 'trace_only', { '/t/a.jsonl': null }],
    ['malformed_metadata', 'trace_only', { '/t/a.jsonl': 'damaged\n' }],
    ['malformed_metadata', 'trace_only', { '/t/a.jsonl': '' }],
    ['malformed_metadata', 'trace_only', { '/t/a.jsonl': trace('a').slice(0, -1) }],
    ['malformed_metadata', 'trace_only', { '/t/a.jsonl': trace('a', { between: 70_000, isOpen: true }) }],
    ['malformed_metadata', 'unavailable', { '/t/a.jsonl': trace('a'), '/i/a.svcins': inspection('a').slice(0, -1) }],
    ['unsupported_schema', 'trace_only', { '/t/a.jsonl': trace('a', { version: 3 }) }],
    [
      'unsupported_schema',
      'unavailable',
      {
        '/t/a.jsonl': trace('a'),
        '/i/a.svcins': inspection('a').replace('"schema_version":10', '"schema_version":12'),
      },
    ],
    [
      null,
      'paired',
      {
        '/t/a.jsonl': trace('a'),
        '/i/a.svcins': inspection('a').replace('"schema_version":10', '"schema_version":11'),
      },
    ],
    ['filename_run_mismatch', 'trace_only', { '/t/a.jsonl': trace('b') }],
    [
      'inspection_correlation_missing',
      'mismatch',
      { '/t/a.jsonl': trace('a'), '/i/a.svcins': inspection('a', 't-other') },
    ],
  ];
  for (const [reason, correlation, contents] of REASONS) {
    it(`${reason ?? 'admits'}: ${Object.keys(contents).join(' ')}, ${correlation}`, async () => {
      const { rows } = await catalogued(contents);
      expect(rows).to.have.length(1);
      expect([rows[0]?.get('isolation_reason'), rows[0]?.get('correlation'), rows[0]?.get('state')]).to.deep.equal([
        reason,
        correlation,
        reason === null ? 'admissible' : 'isolated',
      ]);
    });
  }

  it('sets aside all that claim one trace, and nothing else', async () => {
    const catalogue = await catalogued({
      '/t/a.jsonl': trace('a', { traceId: 't' }),
      '/t/b.jsonl': trace('b', { traceId: 't' }),
      '/t/c.jsonl': trace('c'),
    });
    expect(await ids(catalogue, { state: 'isolated' })).to.deep.equal(['b', 'a']);
    expect(catalogue.rows.map((row) => row.get('isolation_reason'))).to.deep.equal([
      null,
      'duplicate_run_identity',
      'duplicate_run_identity',
    ]);
  });

  it('lists the newest first, by exact filters that all hold', async () => {
    const labels = { name: labelFingerprint('n'), tags: { mode: 'agent', stage: 'started' } };
    const catalogue = await catalogued({
      '/t/a.jsonl': trace('a', { second: 1 }),
      '/t/b.jsonl': trace('b', { second: 9, labels }),
      '/t/c.jsonl': trace('c', { isOpen: true }),
      '/i/d.svcins': inspection('d'),
      '/t/note.txt': '',
      '/t/.x.jsonl': '',
    });
    const rows: readonly (readonly [query: object, expected: unknown])[] = [
      [{}, ['b', 'c', 'a', 'd']],
      [{ limit: 1 }, ['b']],
      [{ run_id: 'a' }, ['a']],
      [{ status: 'ok' }, ['b', 'a']],
      [{ name: 'n' }, ['b']],
      [{ name: 'x' }, []],
      [{ tags: { mode: 'agent' } }, ['b']],
      [{ tags: { mode: 'direct' } }, []],
      [{ correlation: 'inspection_only' }, ['d']],
      [{ state: 'isolated' }, []],
      [{ from: '2030-01-02T03:04:05.000006Z' }, ['b', 'c']],
      [{ to: '2030-01-02T03:04:05.000006Z' }, ['c', 'a']],
      [{ status: 'ok', run_id: 'c' }, []],
      [{ other: 1 }, 'invalid_query'],
      [{ limit: 0 }, 'invalid_query'],
      [{ limit: 101 }, 'invalid_query'],
      [{ view: 'full' }, 'invalid_query'],
    ];
    for (const [requested, expected] of rows)
      expect(await ids(catalogue, requested), JSON.stringify(requested)).to.deep.equal(expected);
    expect(catalogue.excluded).to.equal(1);
  });

  it('goes on from a cursor of the same catalogue and filters alone', async () => {
    const contents = { '/t/a.jsonl': trace('a'), '/t/b.jsonl': trace('b') };
    const catalogue = await catalogued(contents);
    const first = await query(catalogue, { limit: 1 });
    const cursor = typeof first === 'string' ? null : first.get('next_cursor');
    expect(await ids(catalogue, { cursor })).to.deep.equal(['a']);
    expect(await query(catalogue, { cursor, status: 'ok' })).to.equal('invalid_query');
    expect(await query(await catalogued({ ...contents, '/t/c.jsonl': trace('c') }), { cursor })).to.equal(
      'source_changed',
    );
    expect(await query(catalogue, {}, 100)).to.equal('result_limit_exceeded');
  });

  for (const [count, expected] of [
    [1023, 1023],
    [1024, 1024],
    [1025, 'source_limit_exceeded'],
  ] as const) {
    it(`holds ${count} runs: ${expected}`, async () => {
      const contents = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`/t/r${index}.jsonl`, trace(`r${index}`)]),
      );
      const captured = await captureCatalogue({ files: files(contents), traces: '/t', inspection: '/i' });
      expect(captured.ok ? captured.value.rows.length : captured.fault).to.equal(expected);
    });
  }

  it('shows of a row that would be too long what its name says', async () => {
    const row = async (length: number) =>
      (await catalogued({ '/t/a.jsonl': trace('a', { labels: { name: 'x'.repeat(length) } }) })).rows[0];
    expect((await row(1000))?.get('state')).to.equal('admissible');
    const long = await row(3000);
    expect([
      long?.get('run_id'),
      long?.get('trace_present'),
      long?.get('isolation_reason'),
      long?.has('labels'),
    ]).to.deep.equal(['a', 'sanitized', 'malformed_metadata', false]);
  });

  it('gives up when its time is over, and when a directory changes under it', async () => {
    let now = 0;
    const late = await captureCatalogue({
      files: files({ '/t/a.jsonl': trace('a') }),
      traces: '/t',
      inspection: '/i',
      time: captureTime(() => (now += 16_000)),
    });
    expect(late).to.deep.equal({ ok: false, fault: 'source_unavailable' });
    const contents: Record<string, string | null> = { '/t/a.jsonl': trace('a') };
    const changing = files(contents);
    const captured = await captureCatalogue({
      files: {
        ...changing,
        open: async (path) => {
          contents['/t/b.jsonl'] = '';
          return changing.open(path);
        },
      },
      traces: '/t',
      inspection: '/i',
    });
    expect(captured).to.deep.equal({ ok: false, fault: 'source_changed' });
  });
});
