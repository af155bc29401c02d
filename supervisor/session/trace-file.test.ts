import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { TRACE_FILE_BYTES, traceFile, type SessionTraceFile } from './trace-file.ts';
import { holdName } from './trace-lock.ts';

/** A whole trace of two events. */
function session(id: string, pad = ''): string {
  const line = (sequence: number, type: string, data: object): string =>
    `${JSON.stringify({ data, run_id: id, schema_version: 2, sequence, timestamp: '2030-01-02T03:04:05.000006Z', trace_id: id, type })}\n`;
  return (
    line(1, 'run-started', {
      connector_snapshots: [],
      labels: {},
      missions: {},
      workflow_prelude: { component_ids: [], dependency_indices: [], hash: null },
    }) +
    (pad === ''
      ? ''
      : line(2, 'workflow-annotation', {
          annotation_type: 'progress',
          data: { stage: 'started' },
          provenance: 'workflow',
          pad,
        }))
  );
}

describe('a trace file that sessions share (evidence.md §5, append)', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(realpathSync(tmpdir()), 'svc-trace-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  const fileAt = (name: string, isPrivate = false, patienceMs = 50): SessionTraceFile =>
    traceFile({ path: join(folder, name), isPrivate, fileSystem: nodeFileSystem(), patienceMs });

  it('begins with the first and goes on with every further one', async () => {
    const file = fileAt('t.jsonl');
    expect(await file.refusal()).to.equal(null);
    expect(existsSync(join(folder, 't.jsonl'))).to.equal(false);
    expect([await file.append(session('a')), await file.append(session('b'))]).to.deep.equal(['appended', 'appended']);
    expect(readFileSync(join(folder, 't.jsonl'), 'utf8')).to.equal(session('a') + session('b'));
    expect(await file.refusal()).to.equal(null);
  });

  it('loses nothing of many at once', async () => {
    const ends = await Promise.all(
      Array.from({ length: 12 }, async (_, nth) =>
        fileAt('t.jsonl', false, 30_000).append(session(`s-${String(nth)}`)),
      ),
    );
    expect(new Set(ends)).to.deep.equal(new Set(['appended']));
    expect(readFileSync(join(folder, 't.jsonl'), 'utf8').trimEnd().split('\n')).to.have.length(12);
  });

  it('is waited for under each of its names, and not for ever', async () => {
    writeFileSync(join(folder, 't.jsonl'), session('a'));
    linkSync(join(folder, 't.jsonl'), join(folder, 'other.jsonl'));
    const started = fileAt('t.jsonl', false, 30_000).append(session('b'));
    const other = fileAt('other.jsonl', false, 30_000).append(session('c'));
    expect([await started, await other]).to.deep.equal(['appended', 'appended']);
    expect(readFileSync(join(folder, 't.jsonl'), 'utf8').trimEnd().split('\n')).to.have.length(3);
  });

  it('takes no session twice, and nothing that is no trace', async () => {
    const file = fileAt('t.jsonl');
    await file.append(session('a'));
    for (const lines of [session('a'), 'junk\n', session('b').slice(0, -1), session('b').slice(1)]) {
      expect(await file.append(lines), lines.slice(0, 20)).to.equal('trace_publication_failed');
      expect(readFileSync(join(folder, 't.jsonl'), 'utf8')).to.equal(session('a'));
    }
  });

  for (const [by, end] of [
    [-1, 'appended'],
    [0, 'appended'],
    [1, 'trace_publication_failed'],
  ] as const) {
    it(`holds ${TRACE_FILE_BYTES} bytes ${by >= 0 ? '+' : '-'} ${Math.abs(by)}: ${end}`, async () => {
      const file = fileAt('t.jsonl');
      const first = session('a', 'x'.repeat(4_000_000));
      await file.append(first);
      const bare = session('b', 'x').length - 1;
      expect(await file.append(session('b', 'x'.repeat(TRACE_FILE_BYTES + by - first.length - bare)))).to.equal(end);
      expect(statSync(join(folder, 't.jsonl')).size).to.equal(
        end === 'appended' ? TRACE_FILE_BYTES + by : first.length,
      );
    });
  }

  it('is refused by its name, its place and what is there', async () => {
    writeFileSync(join(folder, 'junk.jsonl'), 'junk\n');
    writeFileSync(join(folder, 'torn.jsonl'), session('a').slice(0, -1));
    writeFileSync(join(folder, 'empty.jsonl'), '');
    mkdirSync(join(folder, 'folder.jsonl'));
    symlinkSync(join(folder, 'empty.jsonl'), join(folder, 'link.jsonl'));
    const rows: readonly (readonly [name: string, isPrivate: boolean, refusal: string | null])[] = [
      ['t.json', false, 'invalid_trace_destination'],
      ['t.private.jsonl', false, 'invalid_trace_destination'],
      ['t.jsonl', true, 'invalid_trace_destination'],
      ['absent/t.jsonl', false, 'trace_directory_missing'],
      ['empty.jsonl/t.jsonl', false, 'invalid_trace_destination'],
      ['junk.jsonl', false, 'invalid_trace_destination'],
      ['torn.jsonl', false, 'invalid_trace_destination'],
      ['folder.jsonl', false, 'invalid_trace_destination'],
      ['link.jsonl', false, 'invalid_trace_destination'],
      ['empty.jsonl', false, null],
      ['new.jsonl', false, null],
      ['new.private.jsonl', true, null],
    ];
    for (const [name, isPrivate, refusal] of rows)
      expect(await fileAt(name, isPrivate).refusal(), name).to.equal(refusal);
    expect(await fileAt('link.jsonl').append(session('a'))).to.equal('trace_publication_failed');
  });

  it("of a private application is its owner alone's", async () => {
    const file = fileAt('t.private.jsonl', true);
    expect(await file.append(session('a'))).to.equal('appended');
    const path = join(folder, 't.private.jsonl');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    chmodSync(path, 0o640);
    expect([await file.refusal(), await file.append(session('b'))]).to.deep.equal([
      'trace_destination_unsafe',
      'trace_publication_failed',
    ]);
    chmodSync(path, 0o600);
    chmodSync(folder, 0o777);
    expect([await file.refusal(), await file.append(session('b'))]).to.deep.equal([
      'trace_destination_unsafe',
      'trace_publication_failed',
    ]);
    chmodSync(folder, 0o700);
    rmSync(path);
  });
});

describe('a name that one process holds', () => {
  it('is had by one at a time, and free when it is let go', async () => {
    const name = `test-${String(process.pid)}-${String(Math.random())}`;
    const first = await holdName(name, 0);
    expect(await holdName(name, 60)).to.equal(null);
    const waiting = holdName(name, 30_000);
    await first?.();
    const second = await waiting;
    expect(second).not.to.equal(null);
    await second?.();
  });
});
