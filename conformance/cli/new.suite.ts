/** `svc new` (first-day.md §1), from an empty folder, by what it prints. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startModelServer, type ModelServer } from '../servers/llm/server.ts';
import { PROGRAM, runToEnd, start, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const SUMS = { Ada: 4500, Edsger: 1250, Grace: 500 };
/** What a model writes for the sums, of a file that its tool reads. */
const ANSWER = `(return (reduce (fn [sums order] (update sums (get order "customer") (fnil + 0) (parse-long (get order "cents"))))
  {} (csv/read (str/join "\\n" (get (cap/unwrap! (tool/read-text-file {"path" "orders.csv"})) "items")))))`;

describe('svc new (first-day.md §1)', () => {
  let directory = '';
  let models: ModelServer;
  before(async () => {
    models = await startModelServer({
      script: [
        { times: 'any', action: { answer: { toolCalls: [{ name: 'run_svc_lisp', args: { program: ANSWER } }] } } },
      ],
    });
  });
  after(async () => models.close());
  beforeEach(() => {
    directory = makeWorkDirectory({});
  });
  afterEach(() => removeWorkDirectory(directory));

  const svc = async (...argv: readonly string[]): Promise<Ended> => runToEnd({ argv, directory });
  const model = (): string => `openai-compat:${models.url}|orders`;

  it('makes an agent over a CSV that runs, is tested and is looked at, by six commands of which it prints five', async () => {
    const made = await svc('new', '--kind', 'agent', '--model', model(), '--tools', 'files', '--directory', 'desk');
    expect([made.status, made.stderr]).to.deep.equal([0, '']);
    const [, printed = ''] = made.stdout.split('next:\n');
    const commands = printed
      .trimEnd()
      .split('\n')
      .map((line) => line.trim());
    expect(1 + commands.length).to.be.at.most(6);
    let folder = directory;
    for (const command of commands) {
      const [word = '', ...argv] = command.split(' ');
      if (word === 'cd') {
        folder = join(folder, ...argv);
        continue;
      }
      expect(word).to.equal('svc');
      if (argv[0] === 'viewer') {
        await lookAt(folder, argv);
        continue;
      }
      const ended = await runToEnd({ argv, directory: folder });
      expect(ended.status, `${command}\n${ended.stdout}${ended.stderr}`).to.equal(0);
      if (argv[0] === 'run') expect(JSON.parse(ended.stdout)).to.deep.equal(SUMS);
      else expect(ended.stdout).to.include('1 passed');
    }
    // Recorded answers need no model.
    const requested = models.requests.length;
    expect((await runToEnd({ argv: ['test'], directory: folder })).status).to.equal(0);
    expect(models.requests.length).to.equal(requested);
  });

  /** The page that the viewer names answers, and its list has the run. */
  async function lookAt(folder: string, argv: readonly string[]): Promise<void> {
    const { child, ended } = start({ argv: [...argv], directory: folder });
    try {
      const address = await new Promise<string>((found) => {
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream?.on('data', (text: string) => {
            said += text;
            const [url] = /https?:\/\/[^\s"]+/.exec(said) ?? [];
            if (url !== undefined) found(url);
          });
      });
      const page = await fetch(address);
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    } finally {
      child.kill('SIGINT');
      await ended;
    }
  }

  for (const [what, options, expected] of [
    ['a workflow', [], SUMS],
    ['a workflow with files', ['--tools', 'files'], SUMS],
    ['a workflow with files that it may write', ['--tools', 'files-write'], SUMS],
  ] as const)
    it(`makes ${what} that runs and passes its test`, async () => {
      expect((await svc('new', '--kind', 'workflow', '--directory', 'made', ...options)).status).to.equal(0);
      const ended = await runToEnd({ argv: ['run'], directory: join(directory, 'made') });
      expect([ended.stdout, ended.stderr]).to.deep.equal([`${JSON.stringify(expected)}\n`, '']);
      expect((await runToEnd({ argv: ['test'], directory: join(directory, 'made') })).status).to.equal(0);
    });

  it('makes an application whose tools ask a person before they write (approvals.md §15)', async () => {
    await svc('new', '--yes', '--tools', 'files', '--tools', 'files-write', '--directory', 'made');
    const folder = join(directory, 'made');
    const { install } = JSON.parse(await readFile(join(folder, 'svc-host.json'), 'utf8'));
    expect(install.files).to.have.property('approval', 'writes');
    const source = await readFile(join(folder, 'main.clj'), 'utf8');
    const write = '(return (:how (:details (tool/write-text-file {"path" "new.txt" "text" "x"}))))';
    await writeFile(
      join(folder, 'main.clj'),
      `${source.slice(0, source.indexOf('(defn run'))}(defn run [_] (:value (kernel/eval-source "files" ${JSON.stringify(write)})))\n`,
    );
    const ended = await runToEnd({ argv: ['run'], directory: folder });
    expect([ended.status, ended.stdout]).to.deep.equal([0, '"unattended"\n']);
    expect(ended.stderr).to.include('approval: write-text-file was refused');
    expect(await readdir(join(folder, 'files'))).to.deep.equal(['orders.csv']);
  });

  for (const kind of ['agent', 'workflow'])
    for (const tools of [[], ['--tools', 'files', '--tools', 'files-write']])
      it(`makes documents of a new ${kind} with a model ${tools.length > 0 ? 'and tools ' : ''}that are valid, each with its schema`, async () => {
        await svc('new', '--kind', kind, '--model', 'openai:gpt-5.6-luna', '--directory', 'made', ...tools);
        const folder = join(directory, 'made');
        const ended = await runToEnd({ argv: ['validate'], directory: folder });
        expect([ended.status, ended.stderr]).to.deep.equal([0, '']);
        for (const name of ['svc.json', 'svc-project.json', 'svc-host.json']) {
          const { $schema } = JSON.parse(await readFile(join(folder, name), 'utf8'));
          expect(JSON.parse(await readFile(join(folder, $schema), 'utf8'))).to.have.property('$id');
        }
      });

  it('fills an empty folder, and leaves one that is not as it is', async () => {
    expect((await svc('new', '--yes', '--directory', '.')).status).to.equal(0);
    const before = snapshot(directory);
    const again = await svc('new', '--yes', '--directory', '.');
    expect([again.status, again.stderr]).to.satisfy(
      ([status, stderr]: [number, string]) => status === 7 && stderr.includes('initialization_target_exists'),
    );
    expect(snapshot(directory)).to.deep.equal(before);
  });

  for (const [what, argv, option] of [
    ['no answer', [], '--kind'],
    ['an agent without a model', ['--kind', 'agent', '--directory', 'made'], '--model'],
    ['an agent without a model that asks for what is usual', ['--kind', 'agent', '--yes'], '--model'],
    ['a workflow without a place', ['--kind', 'workflow'], '--directory'],
    ['a vendor that nobody knows', ['--kind', 'agent', '--model', 'nobody:m', '--directory', 'made'], '--model'],
    [
      'a server without a model',
      ['--kind', 'agent', '--model', 'openai-compat:http://127.0.0.1:1/v1', '--yes'],
      '--model',
    ],
    ['a kind that there is not', ['--kind', 'robot', '--yes'], '--kind'],
    ['a tool that there is not', ['--tools', 'hammer', '--yes'], '--tools'],
  ] as const)
    it(`refuses ${what} by the name of the option, and writes nothing`, async () => {
      const ended = await svc('new', ...argv);
      expect(ended.status).to.equal(2);
      expect(ended.stderr).to.include('invalid_arguments').and.include(`option ${option} `);
      expect(await readdir(directory)).to.deep.equal([]);
    });

  describe('at a terminal', () => {
    /** The program at a terminal of its own; each answer is typed when `?` ends a question. `script`: of util-linux. */
    async function converse(answers: readonly string[]): Promise<string> {
      await mkdir(join(directory, 'work'));
      const { child, ended } = start({
        program: 'script',
        argv: ['-qec', `trap : INT; '${PROGRAM}' new; echo status $?`, '/dev/null'],
        directory: join(directory, 'work'),
        environment: { SHELL: '/bin/sh' },
        options: { stdio: ['pipe', 'pipe', 'pipe'] },
      });
      const left = [...answers];
      child.stdout?.on('data', (text: string) => {
        const questions = text.split('? ').length - 1;
        for (const answer of left.splice(0, questions)) child.stdin?.write(answer);
      });
      const { stdout } = await ended;
      return stdout.replaceAll('\r', '');
    }

    it('asks five questions, and one again whose answer is none', async () => {
      const said = await converse(['robot\n', 'workflow\n', '\n', 'files\n', 'mine\n', '\n']);
      for (const question of [
        'Workflow or agent?',
        'It is workflow or agent.',
        'Model?',
        'Tools?',
        'Where?',
        'Write it to',
      ])
        expect(said).to.include(question);
      expect(said).to.include('status 0');
      expect(await readdir(join(directory, 'work/mine'))).to.include.members(['svc.json', 'files', 'main.clj']);
    });

    for (const [what, answers] of [
      ['no', ['workflow\n', '\n', '\n', 'mine\n', 'no\n']],
      ['the end of the input', ['workflow\n', '\u0004']],
      ['Ctrl-C', ['workflow\n', '\u0003']],
    ] as const)
      it(`writes nothing after ${what}`, async () => {
        const said = await converse(answers);
        expect(said).to.include('nothing was written');
        if (what === 'Ctrl-C') expect(said).to.include('interrupted').and.include('status 130');
        expect(await readdir(join(directory, 'work'))).to.deep.equal([]);
      });
  });
});
