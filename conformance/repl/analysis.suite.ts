import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { PROGRAM, start, type Ended } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { replAtTerminal } from './repl-program.ts';

const TREE = 'support-triage';
const STEP = '02-domain-api';
const ABSENT = 'cmd-00000000000000000000000000';
const isLine = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(join(import.meta.dirname, 'session-line.schema.json'), 'utf8')),
);

type Line = Readonly<Record<string, unknown>>;

/** Lines that the schema takes, each as data. */
function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const parsed: Line = JSON.parse(line);
      expect(isLine(parsed), `${line} ${JSON.stringify(isLine.errors)}`).to.equal(true);
      return parsed;
    });
}

const evals = (...sources: readonly string[]): readonly string[] => sources.flatMap((source) => ['-e', source]);
const items = (call: string): string => `(get ${call} "items")`;

/** An agent at work with recorded answers, once for all cases; its files are copied for each. */
describe('repl over captured runs (cli.md §11, evidence.md §8)', () => {
  let stored: string;
  let runId: string;
  let directory: string;

  before(async () => {
    stored = makeWorkDirectory({ 'traces/': null });
    const svc = (...argv: readonly string[]): Promise<Ended> =>
      start({ argv, directory: stored, environment: { OPENROUTER_API_KEY: 'none' } }).ended;
    expect(await svc('init', TREE, '--example', TREE)).to.include({ status: 0 });
    expect(
      await svc(
        'run',
        `${TREE}/${STEP}.svc-project.json`,
        '--host-config',
        `${TREE}/${STEP}/svc-host.replay.json`,
        '--trace-dir',
        'traces',
        '--inspect',
        'run.svcins',
      ),
    ).to.include({ status: 0 });
    runId = readdirSync(join(stored, 'traces'))[0]?.replace('.jsonl', '') ?? '';
  });
  after(() => removeWorkDirectory(stored));
  beforeEach(() => {
    directory = makeWorkDirectory({ 'traces/': null, 'inspection/': null, 'sessions/': null, 'out/': null });
    copyFileSync(join(stored, `traces/${runId}.jsonl`), join(directory, `traces/${runId}.jsonl`));
    copyFileSync(join(stored, 'run.svcins'), join(directory, `inspection/${runId}.svcins`));
  });
  afterEach(() => removeWorkDirectory(directory));

  async function repl(argv: readonly string[], stdin = ''): Promise<Ended> {
    const { child, ended } = start({
      argv: ['repl', ...argv],
      directory,
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    child.stdin?.on('error', () => undefined).end(stdin);
    return ended;
  }
  const shared = ['--resource', 'traces=traces', '--session-trace-dir', 'sessions'];
  const open = (...more: readonly string[]): Promise<Ended> =>
    repl(['--profile', 'run-analysis-v1', ...shared, ...more]);
  const unattended = (...more: readonly string[]): Promise<Ended> =>
    repl([
      '--profile',
      'private-run-analysis-v2',
      ...shared,
      '--resource',
      'inspection=inspection',
      '--private-unattended',
      ...more,
    ]);

  it('answers over public traces, keeps definitions, and leaves a trace that is evidence itself', async () => {
    const { status, stdout, stderr } = await open(
      ...evals(
        `(def run (first ${items('(analysis/runs {})')}))`,
        '(get run "run_id")',
        '(get (analysis/counters {}) "runs")',
      ),
    );
    expect([stdout, status]).to.deep.equal([`#'user/run\n"${runId}"\n1\n`, 0]);
    const [name = ''] = readdirSync(join(directory, 'sessions'));
    expect(stderr).to.equal(`session trace: ${join(directory, 'sessions', name)}\n`);
    const again = await repl([
      '--profile',
      'run-analysis-v1',
      '--resource',
      'traces=sessions',
      ...evals(`(get (first ${items('(analysis/runs {"tags" {"mode" "repl"}})')}) "status")`),
    ]);
    expect(again).to.include({ stdout: '"ok"\n', status: 0 });
  });

  it('never opens what is private', async () => {
    copyFileSync(join(stored, `traces/${runId}.jsonl`), join(directory, `traces/${ABSENT}.private.jsonl`));
    const { stdout } = await open(
      ...evals(
        '(get (analysis/runs {}) "excluded_private_trace_files")',
        `(get (get (analysis/open "${runId}") "inspection") "available?")`,
      ),
    );
    expect(stdout).to.equal('1\nfalse\n');
  });

  it('speaks JSON Lines, in order', async () => {
    writeFileSync(join(directory, 's.clj'), '(defn twice [x] (* 2 x))');
    const { status, stdout } = await open(
      '--format',
      'jsonl',
      '-l',
      's.clj',
      ...evals('(do (println "p") (twice 4))', '(return {"a" nil})', '{:a 1 "a" 2}', '(def b 1)', 'b'),
    );
    const lines = linesOf(stdout);
    expect(status).to.equal(0);
    expect(lines.map(({ type, input_kind: kind }) => [type, kind])).to.deep.equal([
      ['session-started', undefined],
      ['evaluation', 'load'],
      ...Array.from({ length: 5 }, () => ['evaluation', 'eval']),
      ['session-closed', undefined],
    ]);
    expect(lines[0]).to.deep.include({
      profile_id: 'run-analysis-v1',
      capture: { traces: { file_count: 1, run_count: 1 } },
    });
    expect(lines[2]).to.deep.include({
      result: {
        outcome: 'continued',
        continuation_effect: 'committed_with_history',
        prints: ['p'],
        'value_available?': true,
        value: 8,
      },
    });
    expect(lines[3]).to.deep.include({
      result: {
        outcome: 'returned',
        continuation_effect: 'committed_without_history',
        prints: [],
        'value_available?': true,
        value: { a: null },
      },
    });
    expect(lines[4]).to.deep.include({
      result: {
        outcome: 'continued',
        continuation_effect: 'committed_with_history',
        prints: [],
        'value_available?': false,
      },
    });
    expect(lines[7]).to.have.nested.include({
      'session.evaluation_count': 6,
      'session.terminal_reason': null,
      'session.lifecycle': 'closed',
    });
  });

  it('stops at the first failure, or goes on and names all of them', async () => {
    const sources = evals('(/ 1 0)', '1', '(fail 2)');
    const stopped = linesOf((await open('--format', 'jsonl', ...sources)).stdout);
    expect(stopped.map(({ type }) => type)).to.deep.equal([
      'session-started',
      'evaluation',
      'session-closed',
      'command-error',
    ]);
    const { status, stdout } = await open('--format', 'jsonl', '--continue-on-error', ...sources);
    expect([status, linesOf(stdout).at(-1)]).to.deep.equal([
      1,
      {
        type: 'command-error',
        schema_version: 1,
        category: 'evaluation',
        code: 'profile_evaluation_failed',
        evaluation_indexes: [1, 3],
        message: 'a form failed',
      },
    ]);
  });

  it('counts a mistake in the line loop, and tells its effect', async () => {
    const { status, stdout } = await repl(['--profile', 'run-analysis-v1', ...shared], '(def a 1)\n(/ a 0)\na\n');
    expect(status).to.equal(1);
    expect(stdout).to.match(
      /^svc repl: analysis session, profile run-analysis-v1\ntraces: 1 files, 1 runs\nsvc> #'user\/a\nsvc> Error \(arithmetic_error\): Divide by zero\n {2}at repl:1:1\nsvc> 1\nsvc> \n$/,
    );
    const ended = await open(...evals('(/ 1 0)'));
    expect([ended.status, ended.stderr.split('\n').slice(0, 3)]).to.deep.equal([
      1,
      ['Error (arithmetic_error): Divide by zero', '  at -e:1:1', 'continuation: preserved'],
    ]);
  });

  it('writes the value of one expression, owner-only where it is private', async () => {
    expect(await open('--output', 'out/v.json', '-e', '{:b 1 :a [nil]}')).to.include({ status: 0 });
    expect(readFileSync(join(directory, 'out/v.json'), 'utf8')).to.equal('{"a":[null],"b":1}');
    expect(await unattended('--private-output', 'out/p.json', '-e', '7')).to.include({ status: 0 });
    expect(statSync(join(directory, 'out/p.json')).mode & 0o777).to.equal(0o600);
    expect(await open('--output', 'out/v.json', '-e', '1')).to.include({ status: 1, stdout: '' });
    expect(await open('--output', 'out/w.json', '-e', '(fail 1)')).to.include({ status: 1 });
    expect(await open('--output', 'out/w.json', '-e', '{:a 1 "a" 2}')).to.include({ status: 1 });
    expect(readdirSync(join(directory, 'out')).toSorted()).to.deep.equal(['p.json', 'v.json']);
  });

  /** A session without a directory of its own for its trace: how it was ended, what it leaves, and where. */
  async function endedBy(signal: NodeJS.Signals | null, environment: Readonly<Record<string, string>>): Promise<Ended> {
    const argv = ['repl', '--profile', 'run-analysis-v1', '--resource', 'traces=traces'];
    const { child, ended } = start({ argv, directory, environment, options: { stdio: ['pipe', 'pipe', 'pipe'] } });
    child.stdin?.on('error', () => undefined);
    await new Promise<void>((resolve) =>
      child.stdout?.on('data', (data) => {
        if (String(data).includes('svc> ')) resolve();
      }),
    );
    if (signal === null) child.stdin?.end();
    else child.kill(signal);
    return ended;
  }

  for (const [place, cache, root] of [
    ['the cache folder', 'cache', 'cache/svc/sessions'],
    ['that of temporary files where there is none', '', 'temporary'],
  ] as const) {
    it(`keeps no more than traces that it reported, in ${place}`, async () => {
      mkdirSync(join(directory, 'temporary'));
      const environment = {
        TMPDIR: join(directory, 'temporary'),
        ...(cache === '' ? { SVC_BUNDLE_CACHE: 'off' } : { XDG_CACHE_HOME: join(directory, cache) }),
      };
      const reported: string[] = [];
      for (const signal of [null, 'SIGTERM', 'SIGINT', 'SIGKILL', null] as const) {
        const { stderr } = await endedBy(signal, environment);
        const [, path] = /^session trace: (.*)$/m.exec(stderr) ?? [];
        if (path !== undefined) reported.push(path);
      }
      expect(reported).to.have.length(4);
      const entries = readdirSync(join(directory, root), { recursive: true, withFileTypes: true });
      expect(
        entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
      ).to.have.members(reported);
      expect(entries.filter((entry) => entry.isDirectory())).to.have.length(4);
      if (cache !== '') expect(readdirSync(join(directory, 'temporary'))).to.deep.equal([]);
    });
  }

  const SOURCE_BYTES = 65_536;
  for (const [more, status] of [
    [-1, 0],
    [0, 0],
    [1, 1],
  ] as const) {
    it(`reads a source of ${SOURCE_BYTES + more} bytes: exit ${status}`, async () => {
      const ended = await repl(
        ['--profile', 'run-analysis-v1', ...shared, '-'],
        `1${' '.repeat(SOURCE_BYTES + more - 1)}`,
      );
      expect([ended.status, ended.stdout]).to.deep.equal([status, status === 0 ? '1\n' : '']);
      if (status === 1)
        expect(ended.stderr).to.match(/^(session trace: [^\n]*\n)?error: repl\/source_limit_exceeded: /);
    });
  }

  for (const [count, status] of [
    [63, 0],
    [64, 0],
    [65, 1],
  ] as const) {
    it(`evaluates ${count} forms: exit ${status}`, async () => {
      const { stdout, ...ended } = await open(
        '--format',
        'jsonl',
        ...evals(...Array.from({ length: count }, () => '1')),
      );
      expect(ended.status).to.equal(status);
      if (status === 1) expect(linesOf(stdout).at(-1)).to.include({ type: 'command-error', category: 'lifecycle' });
    });
  }

  for (const [first, second, status] of [
    [255, 0, 0],
    [256, 0, 0],
    [257, 0, 1],
    [256, 255, 0],
    [256, 256, 0],
  ] as const) {
    it(`answers ${first} calls of one query and ${second} of another: exit ${status}`, async () => {
      const repeatedCalls = (count: number, call: string): string => `(dotimes [_ ${count}] ${call})`;
      const ended = await open(
        ...evals(repeatedCalls(first, '(analysis/runs {"limit" 1})'), repeatedCalls(second, '(analysis/counters {})')),
      );
      expect(ended.status, ended.stderr).to.equal(status);
    });
  }

  it('answers 512 calls in all', async () => {
    const repeatedCalls = (call: string): string => `(dotimes [_ 256] ${call})`;
    const ended = await open(
      ...evals(
        repeatedCalls('(analysis/runs {"limit" 1})'),
        repeatedCalls('(analysis/counters {})'),
        `(analysis/open "${runId}")`,
      ),
    );
    expect([ended.status, ended.stdout]).to.deep.equal([1, 'nil\nnil\n']);
  });

  it('shows private evidence to streams that were named for it, and what it says to nobody in messages', async () => {
    const { status, stdout, stderr } = await unattended(
      ...evals(
        `(def calls ${items(`(analysis/read "${runId}" {"collection" "model_exchanges"})`)})`,
        '(pos? (count calls))',
        '(prompt.audit/segments "x")',
      ),
    );
    expect([status, stdout.split('\n').slice(0, 2)], stderr).to.deep.equal([0, ["#'user/calls", 'true']]);
    const failed = await unattended('--format', 'jsonl', '-e', '(Long/parseLong "a secret")');
    expect(failed.status).to.equal(1);
    expect(linesOf(failed.stdout)[1]).to.have.nested.include({
      'result.error.message': 'the form failed',
      'result.error.message_redacted?': true,
    });
    expect(failed.stdout + failed.stderr).to.not.include('secret');
  });

  it('has no counters in the older private profile', async () => {
    const ended = await repl([
      '--profile',
      'private-run-analysis-v1',
      ...shared,
      '--resource',
      'inspection=inspection',
      '--private-unattended',
      ...evals('(analysis/counters {})'),
    ]);
    expect([ended.status, ended.stdout]).to.deep.equal([1, '']);
  });

  it('captures exactly the named runs, and lists nothing', async () => {
    writeFileSync(join(directory, 'traces', `${ABSENT}.jsonl`), 'damaged\n');
    expect(await unattended('--run', runId, ...evals(`(count ${items('(analysis/runs {})')})`))).to.include({
      status: 0,
      stdout: '1\n',
    });
  });

  const selected = (code: string, prepare: () => void, run?: string) => {
    it(`refuses a named run: ${code}`, async () => {
      prepare();
      const ended = await unattended('--format', 'jsonl', '--run', run ?? runId, '-e', '1');
      expect(ended.status).to.equal(1);
      expect(linesOf(ended.stdout)).to.have.lengthOf(1);
      expect(linesOf(ended.stdout)[0]).to.include({ type: 'command-error', category: 'setup', code });
      expect(ended.stderr)
        .to.match(new RegExp(`^error: repl/${code}: `))
        .and.not.include(directory);
      expect(readdirSync(join(directory, 'sessions'))).to.deep.equal([]);
    });
  };
  const trace = () => join(directory, `traces/${runId}.jsonl`);
  const inspection = () => join(directory, `inspection/${runId}.svcins`);
  selected('selected_trace_missing', () => undefined, ABSENT);
  selected('ambiguous_selected_trace', () => copyFileSync(trace(), join(directory, `traces/${runId}.private.jsonl`)));
  selected('selected_trace_not_regular', () => {
    truncateSync(trace());
    rename(trace(), 'traces/other');
    symlinkSync('other', trace());
  });
  selected('selected_inspection_missing', () => rename(inspection(), 'inspection/other'));
  selected('selected_inspection_not_regular', () => {
    rename(inspection(), 'inspection/other');
    symlinkSync('other', inspection());
  });
  selected('selected_run_mismatch', () =>
    writeFileSync(trace(), readFileSync(trace(), 'utf8').replaceAll(runId, ABSENT)),
  );
  selected('malformed_source', () => writeFileSync(trace(), '{}\n'));
  selected('malformed_source', () => truncateSync(inspection(), 1000));

  function rename(from: string, to: string): void {
    copyFileSync(from, join(directory, to));
    removeWorkDirectory(from);
  }

  it('sets a damaged member aside and opens the rest', async () => {
    writeFileSync(join(directory, 'traces', `${ABSENT}.jsonl`), 'damaged\n');
    expect(await open(...evals(`(count ${items('(analysis/runs {})')})`, `(analysis/open "${ABSENT}")`)))
      .to.include({ status: 1 })
      .and.have.property('stdout', '1\n');
  });

  it('refuses a capture without runs, a resource that is not named or not there, and one it does not read', async () => {
    for (const [argv, reported] of [
      [['--resource', 'traces=out'], 'repl/command_failed: there is no run'],
      [[], 'repl/profile_setup_failed: a resource of the profile is not named'],
      [['--resource', 'traces=nowhere'], 'repl/source_unavailable: '],
      [
        ['--resource', 'traces=traces', '--resource', 'inspection=inspection'],
        'repl/profile_setup_failed: --resource names what',
      ],
    ] as const) {
      const ended = await repl(['--profile', 'run-analysis-v1', '--session-trace-dir', 'sessions', ...argv, '-e', '1']);
      expect([ended.status, ended.stdout], ended.stderr).to.deep.equal([1, '']);
      expect(ended.stderr).to.include(reported);
    }
  });

  it('shows private evidence at a terminal that was named for it, and keeps no history', async () => {
    const { child, ended } = replAtTerminal(
      directory,
      { XDG_CACHE_HOME: directory, TERM: 'xterm' },
      PROGRAM,
      `--profile private-run-analysis-v2 ${shared.join(' ')} --resource inspection=inspection --private-terminal`,
    );
    let seen = '';
    const typed = [
      ['svc> ', `(count ${items('(analysis/runs {})')})\r`],
      ['36m1', ''],
      ['svc> ', '(nth [1] 9)\r'],
      ['the form failed', ''],
      ['svc> ', ':quit\r'],
    ] as const;
    let at = 0;
    child.stdout?.on('data', (text: string) => {
      seen += text;
      for (let step = typed[at]; step !== undefined && seen.includes(step[0]); step = typed[at]) {
        seen = seen.slice(seen.indexOf(step[0]) + step[0].length);
        at += 1;
        child.stdin?.write(step[1]);
        if (at === typed.length) child.stdin?.end();
      }
    });
    const { status, stdout } = await ended;
    expect([status, at], stdout).to.deep.equal([1, typed.length]);
    expect(stdout)
      .to.include('profile private-run-analysis-v2')
      .and.include('inspection: 1 files, 1 runs')
      .and.include('session trace: ');
    expect(existsSync(join(directory, 'svc/repl-history'))).to.equal(false);
  });

  it('is refused at no terminal', async () => {
    const ended = await repl(
      ['--profile', 'private-run-analysis-v2', ...shared, '--resource', 'inspection=inspection', '--private-terminal'],
      '1\n',
    );
    expect([ended.status, ended.stdout]).to.deep.equal([1, '']);
    expect(ended.stderr).to.match(/^error: repl\/command_failed: --private-terminal needs a terminal/);
  });

  it('publishes its trace when it is stopped', async () => {
    const { child, ended } = start({
      argv: [
        'repl',
        '--profile',
        'run-analysis-v1',
        ...shared,
        '--format',
        'jsonl',
        ...evals('1', '(loop [] (recur))', '2'),
      ],
      directory,
    });
    let isStopped = false;
    child.stdout?.on('data', (text: string) => {
      // A second signal would not wait for anything.
      if (!isStopped && text.includes('"type":"evaluation"')) isStopped = child.kill('SIGINT');
    });
    const { status, stdout } = await ended;
    expect(status).to.equal(130);
    expect(linesOf(stdout).find(({ type }) => type === 'session-closed')).to.have.nested.include({
      'session.terminal_reason': 'interrupted',
      'session.trace.written': true,
    });
    expect(readdirSync(join(directory, 'sessions'))).to.have.length(1);
  });

  it('catalogues runs, damaged ones among them, and reads nothing of what they hold', async () => {
    writeFileSync(join(directory, 'traces', `${ABSENT}.jsonl`), 'damaged\n');
    const ended = await repl([
      '--profile',
      'private-run-catalog-v1',
      ...shared,
      '--resource',
      'inspection=inspection',
      '--private-unattended',
      '--format',
      'jsonl',
      ...evals(
        `(mapv (fn [row] (mapv #(get row %) ["run_id" "correlation" "isolation_reason"])) ${items('(analysis/catalog {})')})`,
      ),
    ]);
    expect(ended.status, ended.stderr).to.equal(0);
    expect(linesOf(ended.stdout)[1])
      .to.have.nested.property('result.value')
      .that.deep.equals([
        [runId, 'paired', null],
        [ABSENT, 'trace_only', 'malformed_metadata'],
      ]);
  });

  it('holds its directories apart', async () => {
    mkdirSync(join(directory, 'traces/inner'));
    for (const [argv, conflict] of [
      [
        ['--session-trace-dir', 'traces'],
        { left_role: 'resource.traces', right_role: 'session_trace', relation: 'same' },
      ],
      [
        ['--session-trace-dir', 'traces/inner'],
        { left_role: 'resource.traces', right_role: 'session_trace', relation: 'left_contains_right' },
      ],
      [
        ['--session-trace-dir', '.'],
        { left_role: 'resource.traces', right_role: 'session_trace', relation: 'right_contains_left' },
      ],
      [
        ['--session-trace-dir', 'sessions', '--output', 'traces/v.json'],
        { left_role: 'resource.traces', right_role: 'output', relation: 'same' },
      ],
      [
        ['--session-trace-dir', 'sessions', '--output', 'sessions/v.json'],
        { left_role: 'session_trace', right_role: 'output', relation: 'same' },
      ],
    ] as const) {
      const ended = await repl([
        '--profile',
        'run-analysis-v1',
        '--resource',
        'traces=traces',
        '--format',
        'jsonl',
        ...argv,
        '-e',
        '1',
      ]);
      expect(ended.status).to.equal(1);
      expect(linesOf(ended.stdout)[0]).to.deep.include({ code: 'profile_setup_failed', directory_conflict: conflict });
    }
    expect(existsSync(join(directory, 'traces/v.json'))).to.equal(false);
  });

  it('takes resources from a project', async () => {
    mkdirSync(join(directory, 'root'));
    mkdirSync(join(directory, 'root/traces'));
    copyFileSync(trace(), join(directory, `root/traces/${runId}.jsonl`));
    writeFileSync(
      join(directory, 'project.json'),
      JSON.stringify({
        kind: 'svc-project',
        version: 1,
        application: { path: 'svc.json' },
        artifacts: { root: 'root', trace: true },
      }),
    );
    expect(
      await repl([
        '--project',
        'project.json',
        '--profile',
        'run-analysis-v1',
        '--session-trace-dir',
        'sessions',
        ...evals(`(count ${items('(analysis/runs {})')})`),
      ]),
    ).to.include({ status: 0, stdout: '1\n' });
  });
});
