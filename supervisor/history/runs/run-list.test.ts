import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexStorage } from '../analysis/run-index/index-file.ts';
import { nodeEvidenceFiles } from '../analysis/files/evidence-files.ts';
import { trace } from '../analysis/testing/trace-directory.ts';
import { nodeRunFolders } from './node-run-folders.ts';
import { listRuns, type RunListSource } from './run-list.ts';
import { selectRun } from './run-selector.ts';

const NOW = 2_000_000_000_000;

function reference(last: string): string {
  return `cmd-${last.padStart(26, '0')}`;
}

function memoryStorage(): IndexStorage & { text: () => string; set: (text: string) => void } {
  let stored: Uint8Array | null = null;
  return {
    read: async () => stored,
    replace: async (bytes) => {
      stored = bytes;
    },
    text: () => Buffer.from(stored ?? []).toString(),
    set: (text) => {
      stored = Buffer.from(text);
    },
  };
}

describe('the list of runs (first-day.md §1)', () => {
  let root: string;
  let storage: ReturnType<typeof memoryStorage>;
  /** What was asked of the file system. */
  let requested: string[];
  let source: RunListSource;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-runs-'));
    storage = memoryStorage();
    requested = [];
    source = {
      files: nodeEvidenceFiles,
      folders: {
        names: (directory) => {
          requested.push('names');
          return nodeRunFolders.names(directory);
        },
        modified: (path) => {
          if (path.endsWith('.jsonl')) requested.push('time');
          return nodeRunFolders.modified(path);
        },
        end: (folder, runRef) => {
          requested.push('end');
          return nodeRunFolders.end(folder, runRef);
        },
      },
      storage,
      root,
      now: () => NOW,
      signal: new AbortController().signal,
    };
    for (const folder of ['traces', 'envelopes', 'inspection']) mkdirSync(join(root, folder));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function leave(last: string, minute: number, outcome: 'ok' | 'error' = 'ok'): string {
    const runRef = reference(last);
    const path = join(root, 'traces', `${runRef}.jsonl`);
    writeFileSync(
      path,
      trace(runRef, { outcome, start: `2030-01-02T03:${String(minute).padStart(2, '0')}:05.000006Z` }),
    );
    utimesSync(path, minute * 60, minute * 60);
    utimesSync(join(root, 'traces'), minute, minute);
    return runRef;
  }

  async function listed(limit = 10, failedOnly = false): Promise<readonly string[]> {
    return (await listRuns(source, { limit, failedOnly })).runs.map(({ run_ref: runRef }) => runRef);
  }

  it('has the newest first, as many as asked, and says how many there are', async () => {
    const runs = [leave('3', 1), leave('1', 2), leave('2', 3)];
    expect(await listed()).to.deep.equal(runs.toReversed());
    const one = await listRuns(source, { limit: 1, failedOnly: false });
    expect({ total: one.total, runs: one.runs }).to.deep.equal({
      total: 3,
      runs: [
        {
          run_ref: reference('2'),
          at: '2030-01-02T03:03:05.000006Z',
          status: 'ok',
          code: null,
          interrupted: false,
          artifact_class: 'normal',
          duration_ms: 0,
          model_calls: 0,
          tokens: null,
          cost_microusd: null,
          input: null,
        },
      ],
    });
  });

  it('tells of a run of which nothing may be read that it was', async () => {
    writeFileSync(join(root, 'traces', `${reference('9')}.private.jsonl`), 'not opened');
    const [row] = (await listRuns(source, { limit: 1, failedOnly: false })).runs;
    expect(row).to.include({ run_ref: reference('9'), status: null, duration_ms: null, model_calls: null });
  });

  it('lists those that failed alone, with the reason', async () => {
    leave('1', 1);
    const failed = leave('2', 2, 'error');
    leave('3', 3);
    const [row, ...others] = (await listRuns(source, { limit: 10, failedOnly: true })).runs;
    expect(others).to.deep.equal([]);
    expect(row).to.include({ run_ref: failed, status: 'error', code: 'run_timeout' });
  });

  it('looks for those that failed at the ends alone, of each run once, and says how far it is', async () => {
    for (let n = 0; n < 600; n += 1) leave(String(n), n % 60, n === 7 ? 'error' : 'ok');
    const heard: (readonly number[])[] = [];
    source = { ...source, onLooked: (...how) => heard.push(how) };
    expect(await listed(10, true)).to.deep.equal([reference('7')]);
    expect(heard).to.deep.equal([
      [256, 600],
      [512, 600],
      [600, 600],
    ]);
    requested = [];
    expect(await listed(10, true)).to.deep.equal([reference('7')]);
    expect(requested).to.deep.equal([]);
  });

  it('believes an end only where it is one', async () => {
    const path = join(root, 'traces', `${leave('1', 1)}.jsonl`);
    const whole = readFileSync(path, 'utf8');
    const end = (text: string): unknown => {
      writeFileSync(path, text);
      return nodeRunFolders.end(root, reference('1'));
    };
    expect(end(whole)).to.equal('ok');
    expect(end(whole.replace('"outcome":"ok"', '"outcome":"error"'))).to.equal('error');
    for (const text of [
      '',
      '\n',
      whole.slice(0, -1),
      `${whole}{}\n`,
      whole.replace('"outcome":"ok"', '"outcome":"fine"'),
      whole.replaceAll(reference('1'), reference('2')),
      trace(reference('1'), { outcome: null }),
      `${whole.trim()}${' '.repeat(20_000)}\n`,
    ])
      expect(end(text), text.slice(-100)).to.equal(null);
    rmSync(path);
    expect(nodeRunFolders.end(root, reference('1'))).to.equal(null);
    symlinkSync(join(root, 'traces'), path);
    expect(nodeRunFolders.end(root, reference('1'))).to.equal(null);
  });

  it('leaves to a longer look what an envelope does not say', () => {
    leave('1', 1);
    writeFileSync(join(root, 'envelopes', `${reference('1')}.json`), '{}');
    expect(nodeRunFolders.end(root, reference('1'))).to.equal(null);
  });

  it('asks for nothing again while no folder changed', async () => {
    leave('1', 1);
    await listed();
    requested = [];
    expect(await listed()).to.deep.equal([reference('1')]);
    expect(requested).to.deep.equal([]);
  });

  it('asks for the time of new runs alone, and forgets those that went', async () => {
    const closed = leave('1', 1);
    const stayed = leave('2', 2);
    await listed();
    rmSync(join(root, 'traces', `${closed}.jsonl`));
    const added = leave('3', 3);
    requested = [];
    expect(await listed()).to.deep.equal([added, stayed]);
    expect(requested.filter((what) => what === 'time')).to.have.lengthOf(1);
  });

  it('does not believe a folder that changed a moment ago', async () => {
    leave('1', 1);
    utimesSync(join(root, 'traces'), NOW / 1000, NOW / 1000);
    await listed();
    requested = [];
    await listed();
    expect(requested).to.include('names');
  });

  for (const [name, damage] of [
    ['of another version', () => 'svc-run-times 0\n- - -\n'],
    ['that was cut', (text: string) => text.slice(0, -4)],
    ['that is empty', () => ''],
  ] as const)
    it(`makes an index ${name} again`, async () => {
      const runs = [leave('1', 1), leave('2', 2)];
      await listed();
      storage.set(damage(storage.text()));
      expect(await listed()).to.deep.equal(runs.toReversed());
    });

  it('knows runs by words that stand for them', async () => {
    leave('1', 1, 'error');
    leave('2', 2);
    const other = 'cmd-1abcdefgh00000000000000000';
    writeFileSync(join(root, 'envelopes', `${other}.json`), '{}');
    utimesSync(join(root, 'envelopes', `${other}.json`), 1, 1);
    const found = async (word: string) => {
      const selected = await selectRun(source, word);
      return selected.ok ? selected.runRef : selected.fault;
    };
    expect(await found('latest')).to.equal(reference('2'));
    expect(await found('latest-failed')).to.equal(reference('1'));
    expect(await found('cmd-1abcdefg')).to.equal(other);
    expect(await found('cmd-00000000')).to.equal('ambiguous');
    expect(await found('cmd-7zzzzzzz')).to.equal('no_such_run');
    expect(await found(reference('7'))).to.equal(reference('7'));
  });

  it('has no latest run, and no failed one, where there is none', async () => {
    expect(await selectRun(source, 'latest')).to.deep.equal({ ok: false, fault: 'no_runs' });
    leave('1', 1);
    expect(await selectRun(source, 'latest-failed')).to.deep.equal({ ok: false, fault: 'no_failed_run' });
  });
});
