import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { descendantsOf, signalAll } from '../cli/descendants.ts';
import { runToEnd, start, type Ended } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { repl } from './repl-program.ts';

/** One workflow with one mission; what either reads is in its data. */
const FILES = {
  'flow.clj':
    '(ns flow "What runs.")\n(def answer 41)\n(defn run [input] (tool/kernel-eval {"mission" "room" "kind" "source" "source" "(return (room/twice 4))"}))\n',
  'room.clj': '(ns room "Where programs run.")\n(defn twice "Two of it." [x] (* 2 x))\n',
} as const;

function manifest(over: object = {}): string {
  return JSON.stringify({
    version: 1,
    workflow: { components: [{ id: 'flow', path: 'flow.clj' }], entry: 'flow/run' },
    missions: { room: { components: [{ id: 'room', path: 'room.clj' }], data: { facts: { n: 7 } } }, bare: {} },
    input: { value: { name: 'world' } },
    ...over,
  });
}

async function inApplication(
  argv: readonly string[],
  { over = {}, stdin, files = {} }: { over?: object; stdin?: string; files?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  return repl({
    argv: ['--manifest', 'svc.json', ...argv],
    ...(stdin === undefined ? {} : { stdin }),
    files: { ...FILES, 'svc.json': manifest(over), ...files },
  });
}

const evals = (...sources: readonly string[]): readonly string[] => sources.flatMap((source) => ['-e', source]);

describe('repl in the workflow of an application (cli.md §11)', () => {
  it('has its bundle, its input and what it is granted, and keeps definitions', async () => {
    const { status, stdout, stderr } = await inApplication(
      evals(
        '(inc flow/answer)',
        'data/input',
        '(def a (get (get (flow/run data/input) "value") "value"))',
        'a',
        '(get (tool/runtime-usage) "subordinate_evaluations")',
      ),
    );
    expect([stderr, stdout, status]).to.deep.equal(['', '42\n{"name" "world"}\n#\'user/a\n8\n1\n', 0]);
  });

  it('leads who asks for a mission to it', async () => {
    const { stdout } = await inApplication([], { stdin: '(room/twice 1)\n(data/facts)\n(nowhere)\n' });
    expect(stdout).to.match(
      /^svc repl: workflow session\nmissions: bare, room; --mission NAME opens one\nsvc> This is the workflow; open a mission with --mission NAME: bare, room\nError \(invalid_form\): No such namespace: room\n {2}at repl:1:2\nsvc> This is the workflow[^\n]*\nError [^\n]*\n(?: {2}[^\n]*\n)*svc> Error \(unbound_var\)/,
    );
  });

  it('tells a fault of its documents with its place', async () => {
    const { status, stdout, stderr } = await inApplication(evals('1'), {
      over: { workflow: { components: [], entry: 'x/y', more: 1 } },
    });
    expect([status, stdout]).to.deep.equal([3, '']);
    expect(stderr).to.match(/^error: repl\/schema_violation: [^\n]*\(run_ref: cmd-\w+\)\n {2}at svc\.json:\d+:\d+/);
  });

  it('takes host and application from a project, and is refused without what they name', async () => {
    const project = JSON.stringify({
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'host.json' },
    });
    const files = { ...FILES, 'svc.json': manifest(), 'svc-project.json': project };
    expect(await repl({ argv: ['--project', 'svc-project.json', '-e', '1'], files })).to.include({
      status: 3,
      stdout: '',
    });
    expect(
      await repl({
        argv: ['--project', 'svc-project.json', '-e', '1'],
        files: { ...files, 'host.json': '{"install":{}}' },
      }),
    ).to.include({ stdout: '1\n', status: 0 });
  });

  it('counts what its forms ask for over all of them', async () => {
    const two = '(get (get (flow/run {}) "value") "outcome")';
    for (const [limit, last] of [
      [1, '"limit_exceeded"'],
      [2, '"returned"'],
    ] as const) {
      const { stdout } = await inApplication(evals(`[${two} ${two}]`), {
        over: { limits: { subordinate_evaluations: limit } },
      });
      expect(stdout, String(limit)).to.equal(`["returned" ${last}]\n`);
    }
  });

  it('ends when its time is over, prompts included', async () => {
    const { status, stdout } = await inApplication([], { over: { limits: { run_duration_ms: 1 } }, stdin: '1\n2\n' });
    expect(stdout).to.match(/svc> Error \(run_timeout\): the session has had its 1 ms\n$/);
    expect(status).to.equal(1);
  });

  it('shows where a form may have no end that took too long', async () => {
    const { status, stderr } = await inApplication(evals('1', '(do\n  (loop [] (recur)))'), {
      over: { limits: { workflow_timeout_ms: 300 } },
    });
    expect(stderr).to.equal(
      'Error (timeout): the form took longer than 300 ms; perhaps through the loop at 2:3\n  at -e:2:3\n',
    );
    expect(status).to.equal(1);
  });

  it('of a private kind opens at a terminal alone', async () => {
    const over = { events: { policy: 'private' } };
    for (const argv of [evals('1'), [], ['--private-terminal'], ['--private-unattended', '-e', '1']]) {
      const { status, stdout, stderr } = await inApplication(argv, { over, stdin: '1\n' });
      expect([status, stdout], argv.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.match(
        /^error: repl\/invalid_arguments: option --private-terminal is required [^\n]*; this application is private/,
      );
    }
    const directory = makeWorkDirectory({ ...FILES, 'svc.json': manifest(over) });
    const program = process.env['SVC_PROGRAM'] ?? join(import.meta.dirname, '../../bin/svc');
    const { child, ended } = start({
      program: 'script',
      argv: [
        '--quiet',
        '--return',
        '--command',
        `'${program}' repl --manifest svc.json --private-terminal`,
        '/dev/null',
      ],
      directory,
      environment: { TERM: 'xterm', NO_COLOR: '1' },
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    child.stdin?.write('(inc flow/answer)\n:quit\n');
    const { stdout } = await ended;
    expect(stdout).to.match(/svc> [^]*\b42\b/);
    removeWorkDirectory(directory);
  });
});

describe('repl in a mission of an application (cli.md §11)', () => {
  it('has its components and data, and neither workflow nor model', async () => {
    const { stdout, stderr, status } = await inApplication([
      '--mission',
      'room',
      ...evals('(room/twice 4)', 'data/facts', '(dir room)', 'flow/answer'),
    ]);
    expect(stdout).to.equal('8\n{"n" 7}\n["room/twice"]\n');
    expect(stderr).to.equal('Error (invalid_form): No such namespace: flow\n  at -e:1:1\n');
    expect(status).to.equal(1);
    expect(await inApplication(['--mission', 'room', ...evals('(tool/kernel-eval {})')]))
      .to.have.property('stderr')
      .that.matches(/^Error \(unknown_tool\)/);
  });

  it('greets with what is in it, and shows what a model is told of it', async () => {
    const { stdout } = await inApplication(['--mission', 'room'], { stdin: ':context\n' });
    const [, inventory = '', hash = '', text = ''] =
      /^svc repl: session in the mission room, without workflow and models\ncomponents: room\nproviders: none\ninventory: ([0-9a-f]{12})\nsvc> mission: room\nsha256: ([0-9a-f]{64})\n(.*)\nsvc> \n$/.exec(
        stdout,
      ) ?? [];
    expect(inventory, stdout).not.to.equal('');
    expect(hash).to.equal(createHash('sha256').update(text).digest('hex'));
    expect(Object(JSON.parse(text)).entries.map(({ form }: { form: string }) => form)).to.deep.equal([
      '(room/twice arg1)',
      'data/facts',
    ]);
  });

  it('lists those that there are for one that is not', async () => {
    const { status, stderr } = await inApplication(['--mission', 'attic', '-e', '1']);
    expect(status).to.equal(2);
    expect(stderr).to.match(
      /^error: repl\/invalid_arguments: option --mission has a value that is not accepted [^\n]*; declared missions: bare, room\n$/,
    );
  });

  it('may be empty', async () => {
    expect(await inApplication(['--mission', 'bare', '-e', '(+ 1 2)'])).to.include({ stdout: '3\n', status: 0 });
  });

  it('keeps its definitions when its host is killed', async () => {
    const directory = makeWorkDirectory({ ...FILES, 'svc.json': manifest() });
    const { child, ended } = start({
      argv: ['repl', '-m', 'svc.json', '--mission', 'room'],
      directory,
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    const shown = (text: string): Promise<void> =>
      new Promise((resolve) => {
        let seen = '';
        const look = (part: unknown): void => {
          seen += String(part);
          if (!seen.includes(text)) return;
          child.stdout?.off('data', look);
          resolve();
        };
        child.stdout?.on('data', look);
      });
    const defined = shown("#'user/a");
    child.stdin?.write('(def a (room/twice 3))\n');
    await defined;
    signalAll(descendantsOf(child.pid ?? 0), 'SIGKILL');
    const fresh = shown('fresh isolate');
    child.stdin?.write('a\n');
    await fresh;
    child.stdin?.end('(room/twice a)\n');
    expect((await ended).stdout).to.match(/with the definitions so far\.\nsvc> 12\n/);
    removeWorkDirectory(directory);
  });
});

describe('repl that inspects only (cli.md §11)', () => {
  const project = JSON.stringify({
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    host: { path: 'absent.json', env_file: { path: 'absent.env' } },
  });
  const over = {
    input: { path: 'absent-input.json' },
    events: { policy: 'private' },
    providers: { workflow: [{ name: 'nobody' }] },
  };
  const inspect = (argv: readonly string[]): Promise<Ended> =>
    repl({
      argv: ['--project', 'svc-project.json', '--inspect-only', ...argv],
      files: { ...FILES, 'svc.json': manifest(over), 'svc-project.json': project },
    });

  it('needs no host, no input, no provider and no gate, and runs pure code', async () => {
    const { stdout, stderr, status } = await inspect(
      evals(
        '(inc flow/answer)',
        '(mapv #(get % "id") (components))',
        '(get (component "flow") "source_hash")',
        '(component "none")',
      ),
    );
    const hash = createHash('sha256').update(FILES['flow.clj']).digest('hex');
    expect([stdout, stderr, status]).to.deep.equal([`42\n["flow"]\n"${hash}"\nnil\n`, '', 0]);
  });

  it('shows sources as they were read', async () => {
    const { stdout } = await inspect(['--mission', 'room', ...evals('(print (get (component "room") "source"))')]);
    expect(stdout).to.equal(`${FILES['room.clj'].trimEnd()}\nnil\n`);
  });

  for (const source of [
    '(flow/run {})',
    '(tool/kernel-eval {})',
    '(tool/nobodys 1)',
    '(tool/cap-list)',
    '(try (tool/cap-list) (catch Exception e 1))',
  ]) {
    it(`answers no call: ${source}`, async () => {
      const { status, stdout, stderr } = await inspect(evals(source));
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(/^Error \(inspect_only_unavailable\): /);
    });
  }
});

describe('repl on a shipped example', () => {
  it('runs its agent from a form, with the recorded model', async () => {
    const directory = makeWorkDirectory();
    expect((await runToEnd({ argv: ['init', 'app', '--example', 'support-triage'], directory })).status).to.equal(0);
    const at = join(directory, 'app');
    const form = '(agent.main/run data/input)';
    const ended = await runToEnd({
      argv: [
        'repl',
        '--project',
        '02-domain-api.svc-project.json',
        '--host-config',
        '02-domain-api/svc-host.replay.json',
        '-e',
        form,
      ],
      directory: at,
    });
    expect([ended.stderr, ended.stdout, ended.status]).to.deep.equal([
      '',
      '[{"id" "T-1004", "priority" 81} {"id" "T-1001", "priority" 75} {"id" "T-1006", "priority" 58} {"id" "T-1005", "priority" 52}]\n',
      0,
    ]);
    removeWorkDirectory(directory);
  });
});
