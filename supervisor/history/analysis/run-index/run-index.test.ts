import { expect } from 'chai';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { compareUtf8 } from '../../../../contract/json/utf8.ts';
import { labelFingerprint } from '../../../evidence/fingerprint.ts';
import type { Analysis } from '../analysis.ts';
import type { Answer } from '../answer.ts';
import { members, findText } from '../members.ts';
import { directory, trace } from '../testing/trace-directory.ts';
import { collectRuns, type RunIndex } from './collect-runs.ts';
import { readRunIndex, writeIndex, type IndexStorage } from './index-file.ts';
import { indexedAnalysis } from './indexed-analysis.ts';
import { OpenRuns } from './open-runs.ts';

const always = () => false;

async function collected(
  files: ReadonlyMap<string, string>,
  {
    opened = [],
    known = new Map(),
    isTimeOver = always,
  }: { readonly opened?: string[]; readonly known?: RunIndex['rows']; readonly isTimeOver?: () => boolean } = {},
): Promise<RunIndex> {
  const found = await collectRuns({
    files: directory(files, opened),
    directory: '/t',
    authority: 'sanitized',
    known,
    isTimeOver,
  });
  if (!found.ok) throw new Error(found.fault);
  return found.value;
}

const idsOf = ({ runs }: RunIndex): readonly string[] => runs.map(({ run }) => run.runId);

function memoryStorage(): IndexStorage & { bytes: Uint8Array | null } {
  return {
    bytes: null,
    async read() {
      return this.bytes;
    },
    async replace(bytes) {
      this.bytes = bytes;
    },
  };
}

describe('an index of the runs of a directory', () => {
  const files = new Map([
    ['a.jsonl', trace('a')],
    ['b.jsonl', trace('b', { outcome: 'error', tags: { team: 'Blue' }, start: '2030-01-02T03:04:06.000000Z' })],
    ['c.jsonl', trace('c', { outcome: null })],
    ['p.private.jsonl', trace('p')],
  ]);

  it('has every run, the newest first, and opens no private trace without the right to', async () => {
    const opened: string[] = [];
    const index = await collected(files, { opened });
    expect(idsOf(index)).to.deep.equal(['b', 'c', 'a']);
    expect([index.excludedPrivate, index.unread, index.hasChanged]).to.deep.equal([1, 0, true]);
    expect(opened).to.have.members(['/t/a.jsonl', '/t/b.jsonl', '/t/c.jsonl']);
  });

  it('reads again what changed and nothing else, and forgets what is gone', async () => {
    const first = await collected(files);
    const opened: string[] = [];
    const changed = new Map([...files, ['c.jsonl', trace('c')]]);
    changed.delete('a.jsonl');
    const second = await collected(changed, { opened, known: first.rows });
    expect(opened).to.deep.equal(['/t/c.jsonl']);
    expect(second.runs.map(({ run: { runId, status } }) => [runId, status])).to.deep.equal([
      ['b', 'error'],
      ['c', 'ok'],
    ]);
    const third = await collected(changed, { opened, known: second.rows });
    expect([opened.length, third.hasChanged, third.snapshotHash]).to.deep.equal([1, false, second.snapshotHash]);
  });

  it('begins no file once the time is over, and counts those that are left', async () => {
    for (const [looks, unread] of [
      [0, 3],
      [1, 2],
      [2, 1],
      [3, 0],
    ] as const) {
      let requested = 0;
      const index = await collected(files, {
        isTimeOver: () => {
          requested += 1;
          return requested > looks;
        },
      });
      expect([index.runs.length, index.unread], String(looks)).to.deep.equal([looks, unread]);
    }
  });

  it('sets aside what is damaged, and what claims the run of another file', async () => {
    const index = await collected(
      new Map([...files, ['d.jsonl', '{'], ['e.jsonl', trace('a')], ['f.jsonl', 'directory']]),
    );
    expect(idsOf(index)).to.deep.equal(['b', 'c']);
    expect(index.isolated.map(({ sources, reasons }) => [sources, ...reasons])).to.deep.equal([
      [2, 'duplicate_run_identity', 'filename_run_mismatch'],
      [1, 'malformed_source'],
      [1, 'unstable_entry'],
    ]);
  });

  it('is kept between two starts, line by line: a damaged line costs its own file alone', async () => {
    const storage = memoryStorage();
    const index = await collected(files);
    await writeIndex(storage, index.rows.values());
    expect(await readRunIndex(storage)).to.deep.equal(index.rows);
    const text = Buffer.from(storage.bytes ?? []).toString();
    storage.bytes = Buffer.from(text.replace('"error"', '"ok"'));
    expect([...(await readRunIndex(storage)).keys()]).to.deep.equal(['a.jsonl', 'c.jsonl']);
    for (const bytes of [
      null,
      Buffer.from(''),
      Buffer.from('svc-run-index 0\n'),
      Buffer.from(text.slice(0, 30)),
      Buffer.from([0xff, 0xfe]),
    ]) {
      storage.bytes = bytes;
      expect((await readRunIndex(storage)).size).to.equal(0);
    }
    storage.bytes = Buffer.from(text.slice(0, -1));
    expect((await readRunIndex(storage)).size).to.equal(2);
  });
});

describe('queries over an index', () => {
  const NAME = 'Shop of Ada';
  const named = (text: string): string =>
    text.replace('"labels":{', `"labels":{"name":"${labelFingerprint(NAME)}",`).replace(',}', '}');
  const files = new Map([
    ['cmd-1.jsonl', named(trace('cmd-1', { tags: { team: 'Blue' } }))],
    ['cmd-2.jsonl', trace('cmd-2', { outcome: 'error', tags: { team: 'Red' } })],
    ['cmd-3.jsonl', trace('cmd-3', { outcome: null })],
  ]);
  let analysis: Analysis;
  beforeEach(async () => {
    const open = new OpenRuns({ files: directory(files), traces: '/t', inspections: null, bytes: 1_000_000 });
    analysis = indexedAnalysis({
      index: await collected(files),
      open,
      bytes: 1_000_000,
      application: { name: NAME, fingerprint: labelFingerprint(NAME) },
    });
  });

  async function found(query: Readonly<Record<string, JsonValue>>): Promise<unknown> {
    const page = await analysis.runs(members(query));
    if (!page.ok) return page.fault;
    const items = page.value.get('items');
    return isJsonArray(items)
      ? items.map((item) => (isJsonObject(item) ? (findText(item, 'run_id') ?? '') : '')).toSorted(compareUtf8)
      : null;
  }

  const searches: readonly (readonly [search: string, runs: readonly string[]])[] = [
    ['cmd-2', ['cmd-2']],
    ['blue', ['cmd-1']],
    ['team=red', ['cmd-2']],
    ['team', ['cmd-1', 'cmd-2']],
    ['TEAM error', ['cmd-2']],
    ['run_timeout', ['cmd-2']],
    ['ada shop', ['cmd-1']],
    ['open', ['cmd-3']],
    ['nothing', []],
    [' ', ['cmd-1', 'cmd-2', 'cmd-3']],
  ];
  for (const [search, runs] of searches) {
    it(`a search for "${search}" finds ${String(runs.length)}`, async () => {
      expect(await found({ search })).to.deep.equal(runs);
    });
  }

  it('take the filters of every analysis, and the status of a run without an end', async () => {
    expect(await found({ status: 'error' })).to.deep.equal(['cmd-2']);
    expect(await found({ status: 'open' })).to.deep.equal(['cmd-3']);
    expect(await found({ tags: members({ team: 'Blue' }) })).to.deep.equal(['cmd-1']);
    expect(await found({ name: NAME })).to.deep.equal(['cmd-1']);
    expect(await found({ from: '2031-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await found({ search: 'x'.repeat(257) })).to.equal('invalid_query');
    expect(await found({ other: 'x' })).to.equal('invalid_query');
  });

  it('page through all runs, each once, and know a cursor of another list', async () => {
    const page = async (query: Readonly<Record<string, JsonValue>>): Promise<Answer<ReadonlyMap<string, JsonValue>>> =>
      analysis.runs(members({ limit: 2, ...query }));
    const first = await page({});
    const cursor = first.ok ? (first.value.get('next_cursor') ?? null) : null;
    const second = await page({ cursor });
    expect(
      [first, second].map((one) =>
        one.ok ? [one.value.get('omitted_count'), Array.from(Object(one.value.get('items'))).length] : one.fault,
      ),
    ).to.deep.equal([
      [1, 2],
      [0, 1],
    ]);
    expect(await page({ cursor, search: 'cmd' })).to.deep.equal({ ok: false, fault: 'invalid_query' });
  });

  it('read one run when it is asked for, and refuse it once its file is another', async () => {
    const opened = await analysis.open(members({ run_id: 'cmd-2' }));
    expect(opened.ok && isJsonObject(opened.value.get('run') ?? null)).to.equal(true);
    expect(await analysis.open(members({ run_id: 'cmd-9' }))).to.deep.equal({ ok: false, fault: 'not_found' });
    files.set('cmd-2.jsonl', trace('cmd-2', { outcome: null }));
    expect(await analysis.read(members({ run_id: 'cmd-2', collection: 'activity' }))).to.deep.equal({
      ok: false,
      fault: 'source_changed',
    });
  });
});
