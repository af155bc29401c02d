import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { askingFiles, workflowOf, writesOf } from '../asking-application.ts';
import { until } from '../until.ts';
import { atTerminal } from './at-terminal.ts';
import { PROGRAM, runToEnd, start, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const CALLS = writesOf([1, 2, 3]);

const KEYS = '[?] ';

/** The process of the server of files that one process has started, in any of its threads, itself or by another. */
function serverOf(pid: number): Promise<number> {
  const childrenOf = (one: number): readonly number[] =>
    readdirSync(`/proc/${one}/task`).flatMap((thread) =>
      readFileSync(`/proc/${one}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  const below = (one: number): readonly number[] => [one, ...childrenOf(one).flatMap(below)];
  return until('the server of files', () =>
    below(pid).findLast((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('fs-mcp')),
  );
}

describe('approval of calls on a terminal (approvals.md §5)', () => {
  let directory = '';

  function makeApplication(parts: Parameters<typeof askingFiles>[1], program = CALLS): void {
    removeWorkDirectory(directory);
    directory = makeWorkDirectory(askingFiles(program, parts));
  }

  beforeEach(() => {
    directory = makeWorkDirectory(askingFiles(CALLS));
  });
  afterEach(() => removeWorkDirectory(directory));

  const argv = ['run', 'svc.json', '--host-config', 'svc-host.json'];
  const written = (): readonly string[] => readdirSync(join(directory, 'app/files'));

  /** Types each answer where the keys are shown. */
  function answered(answers: readonly string[], ...more: readonly string[]): Promise<Ended> {
    return atTerminal(
      { program: PROGRAM, argv: [...argv, ...more], directory: join(directory, 'app') },
      answers.map((answer) => [KEYS, answer] as const),
    );
  }

  async function piped(...more: readonly string[]): Promise<Ended> {
    return runToEnd({ argv: [...argv, ...more], directory: join(directory, 'app') });
  }

  it('sends what was allowed, and tells the program of the rest', async () => {
    const { status, stdout } = await answered(['y\r', 'r not today\r', 'n\r']);
    expect(stdout).to.include('fs.write').and.include('{"path":"f1.txt","text":"hello"}');
    expect(stdout).to.include('["ok","not today","error"]');
    expect([status, written()]).to.deep.equal([0, ['f1.txt']]);
  });

  it('shows what each key shows, and decides nothing by it (20)', async () => {
    const keys = ['?', '', 'perhaps', 'p', 's', 'r'].map((key) => [KEYS, `${key}\r`] as const);
    const { status, stdout } = await atTerminal({ program: PROGRAM, argv, directory: join(directory, 'app') }, [
      ...keys,
      ['reason: ', 'because\r'],
      [KEYS, 'n\r'],
      [KEYS, 'yes\r'],
    ]);
    expect(stdout).to.include('let this call leave').and.include('(return (mapv (fn [n]');
    // Two of three questions are shown once; an empty line and another word show the first one again.
    expect(stdout.match(/answer within/g)).to.have.length(5);
    expect(stdout).to.include('["because","error","ok"]');
    expect([status, written()]).to.deep.equal([0, ['f3.txt']]);
  });

  it('asks about three branches together, each with its place (29)', async () => {
    makeApplication({}, CALLS.replace('(mapv (fn', '(pmap (fn'));
    const shown = (await answered(['y\r', 'n\r', 'y\r'])).stdout;
    // Without the ends of lines that the width of the terminal makes.
    const stdout = shown.replaceAll('\r\n    ', '');
    for (const index of [1, 2, 3]) {
      expect(stdout).to.include(`approval ${index} of 3`);
      expect(stdout).to.include(`branch ${index} of 3`);
    }
    expect(written()).to.have.length(2);
  });

  it('asks no more about a tool that is always allowed', async () => {
    const { stdout } = await answered(['a\r']);
    expect(stdout).to.include('["ok","ok","ok"]');
    expect(stdout.match(/answer within/g)).to.have.length(1);
    expect(written()).to.deep.equal(['f1.txt', 'f2.txt', 'f3.txt']);
  });

  it('sends nothing after Ctrl+C', async () => {
    const { status } = await answered(['\u0003']);
    expect([status, written()]).to.deep.equal([130, []]);
  });

  it('sends nothing when the terminal is gone while it asks', async () => {
    // The shell outlives the signal that the program gets, and says how that ended.
    const line = `trap : HUP; "$0" ${argv.join(' ')} --trace-dir traces; echo $? > status`;
    const { child, ended } = start({
      program: 'script',
      argv: ['--quiet', '--command', `sh -c '${line}' '${PROGRAM}'`, '/dev/null'],
      directory: join(directory, 'app'),
      environment: { TERM: 'xterm', NO_COLOR: '1' },
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    let shown = '';
    child.stdout?.on('data', (text: string) => {
      shown += text;
    });
    await until('the question', () => (shown.includes(KEYS) ? true : undefined));
    child.kill('SIGKILL');
    await ended;
    const status = await until('the end', () => {
      const path = join(directory, 'app/status');
      return existsSync(path) && readFileSync(path, 'utf8').endsWith('\n') ? readFileSync(path, 'utf8') : undefined;
    });
    expect([status, written()]).to.deep.equal(['129\n', []]);
    const trace = readdirSync(join(directory, 'app/traces')).find((name) => name.endsWith('.jsonl')) ?? '';
    const text = readFileSync(join(directory, 'app/traces', trace), 'utf8');
    expect(text)
      .to.include('"type":"approval-requested"')
      .and.not.include('"type":"capability-started","name":"fs.write"');
    expect(text.match(/"type":"run-(?:stopped|ended|completed|failed)"/g)).to.have.length.at.most(1);
  });

  it('answers the rest as unattended after Ctrl+D', async () => {
    const { status, stdout } = await answered(['\u0004']);
    expect(stdout).to.include('["unattended","unattended","unattended"]');
    expect([status, written()]).to.deep.equal([0, []]);
  });

  it('takes nothing that was typed before the question', async () => {
    const { stdout } = await atTerminal({ program: PROGRAM, argv, directory: join(directory, 'app') }, [
      ['', 'y\ry\ry\r'],
      [KEYS, 'n\r'],
      [KEYS, 'n\r'],
      [KEYS, 'n\r'],
    ]);
    expect(stdout).to.include('["error","error","error"]');
    expect(written()).to.deep.equal([]);
  });

  it('counts each call that was not sent among the refusals alone (13)', async () => {
    const { stdout } = await runToEnd({ argv: ['--json', ...argv], directory: join(directory, 'app') });
    const { execution } = JSON.parse(stdout);
    expect(execution.usage).to.deep.include({
      capability_calls: {},
      capability_refusals: { 'mission/capability_denied/approval_unavailable': 3 },
    });
  });

  it('takes the line of progress away while it asks (26)', async () => {
    const busy = '(let [end (+ (System/currentTimeMillis) 2500)] (while (< (System/currentTimeMillis) end)))';
    makeApplication({}, `${busy}\n${writesOf([1, 2])}`);
    const { stdout } = await answered(['y\r', 'n\r']);
    const [before = '', ...questions] = stdout.split('approval 1 of 1');
    expect(before).to.match(/\rrunning 00:0\d [^\r]*\r +\r\r?\n$/);
    expect(questions).to.have.length(2);
    for (const question of questions) expect(question.split('[?]')[0]).to.not.include('running 0');
    expect(stdout).to.include('["ok","error"]');
  });

  it('asks nobody without a terminal, says so once, and goes on', async () => {
    const { status, stdout, stderr } = await piped();
    expect(JSON.parse(stdout)).to.deep.equal(['unattended', 'unattended', 'unattended']);
    expect(stderr.match(/approval: fs\.write was refused: nobody can be asked here/g)).to.have.length(1);
    expect([status, written()]).to.deep.equal([0, []]);
  });

  it('allows all of a run with --approve-writes, and says so on stderr and in the trace', async () => {
    const { stdout, stderr } = await piped('--approve-writes', '--trace-dir', 'traces');
    expect(JSON.parse(stdout)).to.deep.equal(['ok', 'ok', 'ok']);
    expect(stderr).to.include('--approve-writes');
    const trace = readdirSync(join(directory, 'app/traces')).find((name) => name.endsWith('.jsonl')) ?? '';
    const text = readFileSync(join(directory, 'app/traces', trace), 'utf8');
    const decided = text.split('\n').filter((line) => line.includes('"type":"approval-decided"'));
    expect(decided).to.have.length(3);
    for (const line of decided) expect(line).to.include('"by":"flag"').and.include('"decision":"allowed"');
    expect(text).to.not.include('f1.txt');
  });

  it('asks about nothing where the host document does not say so, and about all where a run asks for it', async () => {
    makeApplication({ installation: {} });
    expect(JSON.parse((await piped('--trace-dir', 'traces')).stdout)).to.deep.equal(['ok', 'ok', 'ok']);
    const trace = readdirSync(join(directory, 'app/traces')).find((name) => name.endsWith('.jsonl')) ?? '';
    expect(readFileSync(join(directory, 'app/traces', trace), 'utf8')).to.not.include('approval');
    expect(JSON.parse((await piped('--approval', 'writes')).stdout)).to.deep.equal(Array(3).fill('unattended'));
  });

  it('never asks about a model, which budgets guard (9)', async () => {
    await runToEnd({ argv: ['init', 'models', '--example', 'llm-replay'], directory });
    const models = join(directory, 'models');
    const { status, stderr } = await runToEnd({
      argv: ['run', 'svc-project.json', '--approval', 'always'],
      directory: models,
    });
    expect([status, stderr]).to.deep.equal([0, '']);
    const [trace = ''] = readdirSync(join(models, '.svc/traces'));
    expect(readFileSync(join(models, '.svc/traces', trace), 'utf8'))
      .to.include('"name":"llm-request"')
      .and.not.include('approval-requested');
  });

  it('lets a manifest be stricter than the host document, and no looser', async () => {
    makeApplication({ installation: {}, config: { approval: 'writes' } });
    expect(JSON.parse((await piped()).stdout)).to.deep.equal(Array(3).fill('unattended'));
    makeApplication({ installation: {}, config: { approval: { 'fs.write': 'always' } } });
    expect(JSON.parse((await piped()).stdout)).to.deep.equal(Array(3).fill('unattended'));
    for (const approval of ['never', { 'fs.write': 'never' }, 'sometimes', 3]) {
      makeApplication({ config: { approval } });
      const { status, stderr } = await piped();
      expect(stderr, JSON.stringify(approval)).to.include('selection_invalid');
      expect(stderr).to.include('field approval');
      expect(status).to.equal(3);
    }
  });

  /** In a shell at a terminal of so many columns; the program is `"$0"`, and no single quote may be in the words. */
  function inShell(line: string, answers: readonly string[], columns = 80): Promise<Ended> {
    return atTerminal(
      { program: 'sh', argv: ['-c', `stty cols ${columns}; ${line}`, PROGRAM], directory: join(directory, 'app') },
      answers.map((answer) => [KEYS, answer] as const),
    );
  }

  it('asks at the terminal though standard input is the input of the run, and standard output a pipe', async () => {
    const line = `echo {} | "$0" ${argv.join(' ')} --input - | tr a-z A-Z`;
    const { stdout } = await inShell(line, ['y\r', 'n\r', 'y\r']);
    expect(stdout).to.include('["OK","ERROR","OK"]');
    expect(written()).to.deep.equal(['f1.txt', 'f3.txt']);
  });

  for (const columns of [80, 40])
    it(`keeps to a terminal of ${columns} columns, wide characters counted as two, and cuts 1 MB of arguments`, async () => {
      const text = '(apply str (repeat 170000 (str (char 28450) (char 97))))';
      writeFileSync(join(directory, 'app/app.clj'), workflowOf(writesOf([1]).replace('"hello"', text)));
      const manifest = JSON.parse(readFileSync(join(directory, 'app/svc.json'), 'utf8'));
      manifest.limits.capability_argument_bytes = 2_000_000;
      manifest.missions.desk = { ...manifest.missions.desk };
      writeFileSync(join(directory, 'app/svc.json'), JSON.stringify(manifest));
      const { stdout } = await inShell(`exec "$0" ${argv.join(' ')}`, ['n\r'], columns);
      const [question = ''] = stdout.slice(stdout.indexOf('approval 1 of 1')).split('[y]es');
      expect(question)
        .to.include('漢a')
        .and.match(/680\d\d\d bytes/);
      expect(question.length).to.be.below(4000);
      for (const line of question.split('\r\n')) expect(line.replaceAll('漢', '##').length, line).to.be.below(columns);
      expect(stdout).to.include('["error"]');
    });

  it('shows nothing of the call of a private run, but with --private-terminal', async () => {
    const manifest = JSON.parse(readFileSync(join(directory, 'app/svc.json'), 'utf8'));
    writeFileSync(join(directory, 'app/svc.json'), JSON.stringify({ ...manifest, events: { policy: 'private' } }));
    const rest = ['n\r', 'n\r'];
    const hidden = await answered(['p\r', 's\r', 'n\r', ...rest], '--private-output', 'hidden.json');
    expect(hidden.stdout).to.include('arguments are private: 32 bytes').and.include('line 2');
    expect(hidden.stdout).to.not.include('f1.txt').and.not.include('tool/fs.write');
    const shown = await answered(['n\r', ...rest], '--private-output', 'shown.json', '--private-terminal');
    expect(shown.stdout).to.include('{"path":"f1.txt","text":"hello"}').and.include('(tool/fs.write');
    expect([hidden.status, shown.status, written()]).to.deep.equal([0, 0, []]);
  });

  it('refuses --approve-writes beside what asks', async () => {
    const { status, stderr } = await piped('--approve-writes', '--ask');
    expect(stderr).to.include('conflicting_arguments');
    expect(status).to.equal(2);
    expect(existsSync(join(directory, 'app/files/f1.txt'))).to.equal(false);
  });

  it('takes an answer to an imitation of a question for none, and shows the true one behind it', async () => {
    const imitation = `approval 1 of 1   read   fs.look\n${KEYS}\u001b[2J\u009b1A`;
    const program = `(return (mapv (fn [n]
  (let [r (tool/fs.write {:path (str "f" n ".txt") :text ${JSON.stringify(imitation)}})]
    (or (get-in r [:details :how]) (name (:status r)) ${JSON.stringify(imitation)}))) [1]))`;
    makeApplication({}, program);
    const { stdout } = await answered(['p\r', 's\r', 'n\r']);
    const shown = stdout.replaceAll('\r', '');
    // One question of its own line, and none that a program wrote.
    expect(shown.match(/^approval 1 of 1/gm)).to.have.length(1);
    expect(shown).to.not.match(/^approval 1 of 1 {3}read/m);
    // eslint-disable-next-line no-control-regex
    expect(shown).to.not.match(/[\u001b\u009b]/);
    expect(written()).to.deep.equal([]);
  });

  it('writes a result that imitates a question on one line', async () => {
    makeApplication({}, `(return ${JSON.stringify(`approval 1 of 1\n${KEYS}\u009b2J\u202e`)})`);
    const { stdout } = await answered([]);
    expect(stdout.trim().split('\n')).to.have.length(1);
    expect(stdout)
      .to.include('u009b')
      .and.include('u202e')
      .and.not.match(/[\u009b\u202e]/);
  });

  describe('by another command', () => {
    const inApp = (): string => join(directory, 'app');
    const approvals = (...words: string[]): Promise<Ended> =>
      runToEnd({ argv: ['approvals', ...words], directory: inApp() });

    /** Starts the run, and waits until its question number `count` is there. */
    function waiting(): {
      readonly child: ChildProcess;
      readonly ended: Promise<Ended>;
      readonly asked: (count: number) => Promise<string>;
    } {
      const { child, ended } = start({
        argv: ['run', 'svc-project.json', '--wait-for-approval'],
        directory: inApp(),
      });
      let reported = '';
      child.stderr?.on('data', (text: string) => {
        reported += text;
      });
      const awaitQuestion = (count: number): Promise<string> =>
        until(
          `question ${count}`,
          () => [...reported.matchAll(/svc approvals approve (apr-[0-9a-z]{26})/g)][count - 1]?.[1],
        );
      return { child, ended, asked: awaitQuestion };
    }

    it('takes one of two decisions that come at once, and tells the other that it came late (33)', async () => {
      makeApplication({ host: { approvals: { unattended: true } } }, writesOf([1]));
      const { ended, asked } = waiting();
      const id = await asked(1);
      const [approved, denied] = await Promise.all([
        approvals('approve', id, '--unattended'),
        approvals('deny', id, '--reason', 'not this one'),
      ]);
      expect([approved.status, denied.status]).to.have.members([0, 2]);
      const [answer, files] = approved.status === 0 ? ['ok', ['f1.txt']] : ['not this one', []];
      expect(JSON.parse((await ended).stdout)).to.deep.equal([answer]);
      expect(written()).to.deep.equal(files);
      const late = approved.status === 0 ? denied : approved;
      expect(late.stderr).to.match(/somebody decided it before|waits for it no longer/);
    });

    it('decides what a run waits for, each question once', async () => {
      makeApplication({ host: { approvals: { unattended: true } } });
      const { ended, asked } = waiting();
      const first = await asked(1);
      const listed: unknown = JSON.parse((await approvals('list', '--json')).stdout);
      expect(listed).to.have.nested.property('approvals[0].approval_id', first);
      expect(listed).to.have.nested.property('approvals[0].arguments', '{"path":"f1.txt","text":"hello"}');
      const shown = await approvals('show', first.slice(0, 16));
      expect(JSON.parse(shown.stdout)).to.include({ approval_id: first, state: 'open', tool: 'fs.write' });
      expect((await approvals('approve', first, '--unattended')).status).to.equal(0);
      const late = await approvals('deny', first);
      expect([late.status, late.stderr]).to.deep.equal([2, late.stderr]);
      expect(late.stderr).to.match(/somebody decided it before|waits for it no longer/);
      await asked(2);
      expect((await approvals('deny', 'latest', '--reason', 'not this one')).status).to.equal(0);
      const third = await asked(3);
      expect((await approvals('approve', third, '--unattended')).status).to.equal(0);
      const end = await ended;
      expect(JSON.parse(end.stdout)).to.deep.equal(['ok', 'not this one', 'ok']);
      expect(written()).to.deep.equal(['f1.txt', 'f3.txt']);
      expect((await approvals('list', '--json')).stdout).to.equal('{"approvals":[]}\n');
    });

    it('is not taken from a process that died: nobody can allow a call that nobody would make', async () => {
      makeApplication({ host: { approvals: { unattended: true } } });
      const { child, ended, asked } = waiting();
      const first = await asked(1);
      child.kill('SIGKILL');
      await ended;
      expect((await approvals('list', '--json')).stdout).to.equal('{"approvals":[]}\n');
      expect(JSON.parse((await approvals('show', first)).stdout)).to.include({ approval_id: first, state: 'expired' });
      const late = await approvals('approve', first, '--unattended');
      expect([late.status, late.stderr.includes('waits for it no longer')]).to.deep.equal([2, true]);
      expect(written()).to.deep.equal([]);
    });

    it('is answered as sent nowhere, after the yes, where the server is lost meanwhile', async () => {
      const program =
        '(return (let [r (tool/fs.write {:path "f1.txt" :text "x"})] [(:kind r) (:reason r) (contains? r :mutation_state)]))';
      makeApplication({ host: { approvals: { unattended: true } } }, program);
      const { child, ended, asked } = waiting();
      const first = await asked(1);
      process.kill(await serverOf(child.pid ?? 0), 'SIGKILL');
      expect((await approvals('approve', first, '--unattended')).status).to.equal(0);
      const { stdout } = await ended;
      expect(JSON.parse(stdout)).to.deep.equal(['provider_error', 'transport_error', false]);
      expect(written()).to.deep.equal([]);
      const [trace = ''] = readdirSync(join(inApp(), '.svc/traces'));
      expect(readFileSync(join(inApp(), '.svc/traces', trace), 'utf8')).to.include('"decision":"allowed"');
    });

    it('allows nothing without a terminal and without the word of the host document', async () => {
      const { ended, asked } = waiting();
      const first = await asked(1);
      const alone = await approvals('approve', first, '--unattended');
      expect([alone.status, alone.stderr.includes('approvals.unattended')]).to.deep.equal([2, true]);
      const noTerminal = await runToEnd({
        program: 'setsid',
        argv: ['--wait', PROGRAM, 'approvals', 'approve', first],
        directory: inApp(),
      });
      expect([noTerminal.status, noTerminal.stderr.includes('no terminal')]).to.deep.equal([2, true]);
      const typed = await atTerminal(
        { program: PROGRAM, argv: ['approvals', 'approve', first, '--scope', 'run'], directory: inApp() },
        [['[y/N] ', 'y\r']],
      );
      expect(typed.stdout).to.include('{"path":"f1.txt","text":"hello"}').and.include('allowed');
      expect(JSON.parse((await ended).stdout)).to.deep.equal(['ok', 'ok', 'ok']);
    });

    it('looks at no folder that others can read, and at no file that is not whole (35)', async () => {
      makeApplication({ host: { approvals: { unattended: true } } }, writesOf([1]));
      const { ended, asked } = waiting();
      const first = await asked(1);
      const folder = join(inApp(), '.svc/approvals');
      const torn = `apr-${'0'.repeat(26)}`;
      writeFileSync(join(folder, `${torn}.json`), '{"version":1', { mode: 0o600 });
      writeFileSync(join(folder, `${first}.decision.json`), '{"decision":"allow"}', { mode: 0o644 });
      const listed = await approvals('list', '--json');
      expect(JSON.parse(listed.stdout).approvals).to.have.length(1);
      expect(listed.stderr)
        .to.include(`approvals/${torn}.json is not ours or not whole`)
        .and.include(`approvals/${first}.decision.json is not ours or not whole`);
      rmSync(join(folder, `${first}.decision.json`));
      chmodSync(folder, 0o755);
      expect((await approvals('deny', first)).status).to.not.equal(0);
      chmodSync(folder, 0o700);
      expect((await approvals('deny', first, '--reason', 'no')).status).to.equal(0);
      expect(JSON.parse((await ended).stdout)).to.deep.equal(['no']);
      expect(written()).to.deep.equal([]);
    });

    it('lists where it is asked nothing else', async () => {
      const { status, stdout } = await approvals();
      expect([status, stdout]).to.deep.equal([0, '{"approvals":[]}\n']);
    });

    it('answers the questions of the example in a second terminal, while a third prints each as it comes', async () => {
      await runToEnd({ argv: ['init', 'refunds', '--example', 'refund-approvals'], directory });
      const refunds = join(directory, 'refunds');
      const watching = start({ argv: ['approvals', '--watch'], directory: refunds });
      let printed = '';
      watching.child.stdout?.on('data', (text: string) => {
        printed += text;
      });
      const running = start({ argv: ['run', 'svc-project.json', '--wait-for-approval'], directory: refunds });
      const rows = await until('three questions', () => {
        const lines = printed.split('\n').slice(0, -1);
        return lines.length < 3 ? undefined : lines.map((line): Record<string, string> => JSON.parse(line));
      });
      for (const row of rows) {
        const { approval_id: id = '', arguments: input = '' } = row;
        if (input.includes('T-1004')) {
          const argv = ['approvals', 'deny', id, '--reason', 'not without an order'];
          expect((await runToEnd({ argv, directory: refunds })).status).to.equal(0);
        } else {
          const { stdout } = await atTerminal(
            { program: PROGRAM, argv: ['approvals', 'approve', id], directory: refunds },
            [['[y/N] ', 'y\r']],
          );
          expect(stdout).to.include('refund.write').and.include(`allowed: ${id}`);
        }
      }
      const { stdout } = await running.ended;
      expect(JSON.parse(stdout).map(({ refund }: { readonly refund: string }) => refund)).to.deep.equal([
        'ok',
        'ok',
        'not without an order',
      ]);
      const explained = await runToEnd({ argv: ['explain', 'latest'], directory: refunds });
      const lines = explained.stdout.match(/refund\.write was asked about: (?:allowed|denied) by cli, after \d+ ms/g);
      expect(lines).to.have.length(3);
      expect(explained.stdout).to.not.include('without an order').and.not.include('980.00');
      watching.child.kill('SIGINT');
      expect((await watching.ended).status).to.equal(0);
      // Each question is printed once, and none was left out.
      expect(new Set(rows.map(({ approval_id: id }) => id)).size).to.equal(3);
      expect(printed.trim().split('\n')).to.have.length(3);
      const files = readdirSync(join(refunds, 'desk')).filter((name) => name.startsWith('refund-'));
      expect(files.toSorted()).to.deep.equal(['refund-T-1001.txt', 'refund-T-1003.txt']);
    });

    it('says why it decides nothing', async () => {
      for (const [words, said] of [
        [['show', 'apr-00000000'], 'no question of the project has this id'],
        [['approve', 'latest'], 'no question of the project has this id'],
        [['show'], 'need the ID of a question'],
        [['list', 'latest'], 'list takes none'],
        [['list', '--reason', 'x'], 'belongs to svc approvals deny'],
      ] as const) {
        const { status, stderr } = await approvals(...words);
        expect([status, stderr.includes(said)], `${words.join(' ')}: ${stderr}`).to.deep.equal([2, true]);
      }
      const { status, stderr } = await runToEnd({
        argv: ['run', 'svc.json', '--host-config', 'svc-host.json', '--wait-for-approval'],
        directory: inApp(),
      });
      expect(status).to.equal(2);
      expect(stderr).to.include('--wait-for-approval keeps its questions with a project');
    });
  });
});
