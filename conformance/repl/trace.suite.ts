import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, start } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';

interface Line {
  readonly type: string;
  readonly run_id: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const MANIFEST = JSON.stringify({
  version: 1,
  workflow: { components: [{ id: 'flow', path: 'flow.clj' }], entry: 'flow/run' },
  missions: { room: {} },
  input: { value: {} },
});

describe('the trace of a session (evidence.md §3, §5)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory({
      'svc.json': MANIFEST,
      'flow.clj': '(ns flow)\n(defn run [input] (tool/runtime-usage))\n',
    });
  });
  afterEach(() => removeWorkDirectory(directory));
  const lines = (name: string): readonly Line[] =>
    readFileSync(join(directory, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const repl = async (...argv: readonly string[]) => runToEnd({ argv: ['repl', ...argv], directory });

  it('has a start, a pair of events for each form with why it failed, and an end; nothing that was typed', async () => {
    expect((await repl('-t', 't.jsonl', '-e', '(def secret-word 1)', '-e', '(/ 1 0)')).status).to.equal(1);
    const events = lines('t.jsonl');
    expect(events.map(({ type }) => type)).to.deep.equal([
      'run-started',
      'evaluation-started',
      'evaluation-stopped',
      'evaluation-started',
      'evaluation-stopped',
      'run-stopped',
    ]);
    expect(events.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(events[0]?.run_id).to.match(/^run-[0-9a-f]{12}$/);
    expect(events[2]?.data)
      .to.include({ evaluation_id: 'repl-evaluation-1', status: 'ok', reason: null })
      .and.to.have.property('usage')
      .that.includes.keys('remaining_ms');
    expect(events[4]?.data).to.include({
      evaluation_id: 'repl-evaluation-2',
      status: 'error',
      reason: 'arithmetic_error',
    });
    expect(readFileSync(join(directory, 't.jsonl'), 'utf8')).not.to.include('secret-word');
  });

  it('tells of a mission what its forms were, by hash, and what they kept', async () => {
    await repl('-m', 'svc.json', '--mission', 'room', '-t', 't.jsonl', '-e', '(def a 1)');
    const [, started, stopped] = lines('t.jsonl');
    expect(started?.data).to.include({
      environment: 'mission',
      mission_name: 'room',
      program_kind: 'svc-lisp',
      source_bytes: 9,
    });
    expect(stopped?.data)
      .to.include({ status: 'continued' })
      .and.to.have.nested.property('continuation.defined_count', 1);
  });

  it('is appended to, also by many at once and while one of them is killed', async () => {
    expect((await repl('-t', 't.jsonl', '-e', '1')).status).to.equal(0);
    const killed = start({ argv: ['repl', '-t', 't.jsonl'], directory, options: { stdio: ['pipe', 'pipe', 'pipe'] } });
    await new Promise<void>((resolve) => {
      killed.child.stdout?.on('data', (text: unknown) => {
        if (String(text).includes('svc> ')) resolve();
      });
    });
    const ended = await Promise.all([
      ...Array.from({ length: 5 }, async (_, nth) => repl('-m', 'svc.json', '-t', 't.jsonl', '-e', String(nth))),
      (async () => {
        killed.child.kill('SIGKILL');
        return killed.ended;
      })(),
    ]);
    expect(ended.slice(0, 5).map(({ status, stderr }) => [status, stderr])).to.deep.equal(
      Array.from({ length: 5 }, () => [0, '']),
    );
    const runs = lines('t.jsonl')
      .filter(({ type }) => type === 'run-started')
      .map(({ run_id: id }) => id);
    expect([runs.length, new Set(runs).size]).to.deep.equal([6, 6]);
  });

  it('is read by whoever reads traces', async () => {
    await repl('-t', 't.jsonl', '-e', '1');
    const [{ run_id: id } = { run_id: '' }] = lines('t.jsonl');
    expect(id).not.to.equal('');
    // A second session reads the file whole and strictly before it appends.
    expect((await repl('-t', 't.jsonl', '-e', '2')).status).to.equal(0);
  });
});
