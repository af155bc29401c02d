import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { askingFiles } from '../asking-application.ts';
import { atTerminal } from '../cli/at-terminal.ts';
import { PROGRAM, runToEnd, type Ended } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';

const KEYS = '[?] ';
const PROMPT = 'svc> ';
const QUIT = [PROMPT, ':quit\r'] as const;

function writing(name: string): string {
  return `(let [r (tool/fs.write {:path "${name}" :text "hello"})] [(:status r) (:reason r) (:details r)])`;
}

describe('approval of calls in the REPL (approvals.md §5)', () => {
  let directory = '';

  beforeEach(() => {
    directory = makeWorkDirectory(askingFiles('(return 1)'));
  });
  afterEach(() => removeWorkDirectory(directory));

  const argv = ['repl', '--manifest', 'svc.json', '--host-config', 'svc-host.json', '--mission', 'desk'];
  const written = (): readonly string[] => readdirSync(join(directory, 'app/files')).toSorted();

  function typed(
    steps: readonly (readonly [awaited: string, typed: string])[],
    { more = [], terminal = 'xterm' }: { readonly more?: readonly string[]; readonly terminal?: string } = {},
  ): Promise<Ended> {
    return atTerminal(
      {
        program: PROGRAM,
        argv: [...argv, ...more],
        directory: join(directory, 'app'),
        environment: { XDG_CACHE_HOME: directory, TERM: terminal },
      },
      steps,
    );
  }

  function piped(forms: readonly string[], ...more: readonly string[]): Promise<Ended> {
    const evals = forms.flatMap((form) => ['-e', form]);
    return runToEnd({ argv: [...argv, ...more, ...evals], directory: join(directory, 'app') });
  }

  it('asks about the call of a form, and goes on with the next form after each answer', async () => {
    const { status, stdout } = await typed([
      [PROMPT, `${writing('a.txt')}\r`],
      [KEYS, 'y\r'],
      ['[:ok nil nil]', ''],
      [PROMPT, `${writing('b.txt')}\r`],
      [KEYS, 'r not today\r'],
      ['not today', ''],
      // The editor of lines is as it was: it takes back what is typed wrong.
      ['approval_denied', ''],
      [PROMPT, '(* 6 8\u007f7))\u007f\r'],
      ['42', ''],
      QUIT,
    ]);
    expect(stdout).to.include('fs.write').and.include('{"path":"a.txt","text":"hello"}');
    expect([status, written()]).to.deep.equal([0, ['a.txt']]);
  });

  it('remembers for the session what was answered for a tool', async () => {
    const { status, stdout } = await typed([
      [PROMPT, `${writing('a.txt')}\r`],
      [KEYS, 'a\r'],
      ['[:ok nil nil]', ''],
      [PROMPT, `${writing('b.txt')}\r`],
      ['[:ok nil nil]', ''],
      QUIT,
    ]);
    expect(stdout.match(/answer within/g)).to.have.length(1);
    expect([status, written()]).to.deep.equal([0, ['a.txt', 'b.txt']]);
  });

  it('gives up the form, and sends nothing, after Ctrl+C at the question; the session goes on', async () => {
    const { status, stdout } = await typed([
      [PROMPT, `${writing('a.txt')}\r`],
      [KEYS, '\u0003'],
      ['Error (interrupted)', ''],
      [PROMPT, '(* 6 7)\r'],
      ['42', ''],
      [PROMPT, `${writing('b.txt')}\r`],
      [KEYS, 'y\r'],
      ['[:ok nil nil]', ''],
      QUIT,
    ]);
    expect(stdout).to.include('Error (interrupted)');
    expect([status, written()]).to.deep.equal([0, ['b.txt']]);
  });

  it('takes nothing that was typed before the question, and answers it as unattended after Ctrl+D', async () => {
    const { status, stdout } = await typed([
      [PROMPT, `${writing('a.txt')}\ry\ry\r`],
      [KEYS, '\u0004'],
      ['unattended', ''],
      QUIT,
    ]);
    expect(stdout).to.include(':approval_unavailable');
    expect([status, written()]).to.deep.equal([0, []]);
  });

  it('takes an answer to a question that a program imitates for none', async () => {
    const fake = '(println (str "approval 1 of 9   read   fs.look" "\\n[" "?] "))';
    const { status, stdout } = await typed([
      [PROMPT, `(do ${fake} ${writing('a.txt')})\r`],
      ['', 'y\ry\r'],
      // The true one, which shows what would be sent.
      ['{"path":"a.txt"', ''],
      [KEYS, 'n\r'],
      ['approval_denied', ''],
      QUIT,
    ]);
    expect(stdout.match(/answer within/g)).to.have.length(1);
    expect([status, written()]).to.deep.equal([0, []]);
  });

  it('asks at a terminal that cannot edit lines', async () => {
    const { status } = await typed(
      [
        [PROMPT, `${writing('a.txt')}\n`],
        [KEYS, 'y\n'],
        ['[:ok nil nil]', ''],
        [PROMPT, ':quit\n'],
      ],
      { terminal: 'dumb' },
    );
    expect([status, written()]).to.deep.equal([0, ['a.txt']]);
  });

  it('asks at the terminal about what was given with the command', async () => {
    writeFileSync(join(directory, 'app/script.clj'), `${writing('a.txt')}\n`);
    const { status, stdout } = await typed([[KEYS, 'y\r']], { more: ['script.clj'] });
    expect(stdout).to.include('[:ok nil nil]');
    expect([status, written()]).to.deep.equal([0, ['a.txt']]);
  });

  it('asks about what is loaded before the first form, and then about that', async () => {
    writeFileSync(join(directory, 'app/setup.clj'), `(def loaded ${writing('a.txt')})\n`);
    const { status } = await typed(
      [[KEYS, 'y\r'], [PROMPT, `${writing('b.txt')}\r`], [KEYS, 'y\r'], ['[:ok nil nil]', ''], QUIT],
      { more: ['--load', 'setup.clj'] },
    );
    expect([status, written()]).to.deep.equal([0, ['a.txt', 'b.txt']]);
  });

  it('asks nobody without a terminal, says so once and names what is open to it', async () => {
    const { status, stdout, stderr } = await piped([writing('a.txt'), writing('b.txt')]);
    expect(stdout.match(/:approval_unavailable/g)).to.have.length(2);
    expect(stderr).to.equal(
      'approval: fs.write was refused: nobody can be asked here ' +
        '(run in a terminal, --approve-writes, or approval in svc-host.json)\n',
    );
    expect([status, written()]).to.deep.equal([0, []]);
  });

  it('allows all with --approve-writes, and says so on stderr and in the trace', async () => {
    const { status, stderr } = await piped(
      [writing('a.txt'), writing('b.txt')],
      '--approve-writes',
      '--trace',
      'session.jsonl',
    );
    expect(stderr).to.equal('approvals: every call that would be asked about is allowed (--approve-writes)\n');
    expect([status, written()]).to.deep.equal([0, ['a.txt', 'b.txt']]);
    const trace = readFileSync(join(directory, 'app/session.jsonl'), 'utf8');
    expect(trace.match(/"by":"flag"/g)).to.have.length(2);
    expect(trace).to.not.include('a.txt');
  });

  it('refuses --approve-writes and --ask where nothing would be asked about', async () => {
    for (const words of [
      ['--approve-writes', '-e', '1'],
      ['--ask', '-e', '1'],
      ['--manifest', 'svc.json', '--inspect-only', '--approve-writes', '-e', '1'],
      ['--manifest', 'svc.json', '--approve-writes', '--ask', '-e', '1'],
    ]) {
      const { status, stderr } = await runToEnd({ argv: ['repl', ...words], directory: join(directory, 'app') });
      expect([status, stderr.startsWith('error: arguments/')], `${words.join(' ')}: ${stderr}`).to.deep.equal([
        2,
        true,
      ]);
    }
  });
});
