import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { start, type Ended } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'app/svc.json' },
  artifacts: { root: '.svc', trace: true, envelope: true },
};
const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { n: 1 } },
};
const GOOD = '(ns main)\n(defn run [input] {"n" (get input "n")})\n';
const FILES = { 'svc-project.json': PROJECT, 'app/svc.json': MANIFEST, 'app/main.clj': GOOD };
const UNKNOWN = 'cmd-00000000000000000000000000';
/** Lines of a terminal of usual height, one left for the prompt. */
const SCREEN = 23;

describe('svc explain', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => removeWorkDirectory(directory));

  const at = (name: string): string => join(directory, name);
  const svc = (...argv: readonly string[]): Promise<Ended> => runResident({ argv, directory });

  /** Runs the application with this program and gives the run's name. */
  async function ran(source: string, ...options: readonly string[]): Promise<string> {
    writeFileSync(at('app/main.clj'), source);
    await svc('run', 'svc-project.json', ...options);
    const [envelope = ''] = readdirSync(at('.svc/envelopes'));
    return envelope.replace('.json', '');
  }

  async function explained(subject: string, ...options: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await svc('explain', subject, ...options);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').length).to.be.at.most(SCREEN);
    return stdout;
  }

  async function refusal(subject: string, ...options: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await svc('explain', subject, ...options);
    expect(stdout).to.equal('');
    expect(stderr.split('\n')).to.have.lengthOf(2);
    return `${/^error: explain\/(\w+): /.exec(stderr)?.[1] ?? stderr} ${String(status)}`;
  }

  it('tells of a run that failed what, when, and what to do next', async () => {
    const text = await explained(await ran('(ns main)\n(defn run [input] (* 2 (get input "none")))\n'));
    expect(text).to.match(/^cmd-\S+ failed after [\d.]+ s: execution\/evaluation_failed, exit status 5\n/);
    for (const words of [
      'type_error: * takes a number, not nil',
      'the workflow ended with error',
      'the run ended: error: evaluation_failed',
      '0 calls of capabilities',
      'trace read; inspection not requested',
      '--inspect run.svcins',
    ])
      expect(text).to.include(words);
  });

  it('shows the line that does not compile, with a caret below what is meant', async () => {
    const text = await explained(await ran('(ns main)\n(defn run [input]\n  (missing input))\n'));
    expect(text)
      .to.include('bundle/undefined_variable, exit status 3')
      .and.to.include('where     main.clj:3:4, as the file is now\n  3 |   (missing input))\n    |    ^^^^^^^\n');
    expect(text).to.include('next      svc validate shows all faults').and.not.include('--inspect');
  });

  it('tells of a run that succeeded, and of an envelope without its project', async () => {
    const run = await ran(GOOD);
    expect(await explained(run))
      .to.match(/^\S+ succeeded after/)
      .and.to.include('the run ended: ok');
    writeFileSync(at('copy.json'), readFileSync(at(`.svc/envelopes/${run}.json`)));
    writeFileSync(at('svc-project.json'), '{}');
    expect(await explained('copy.json'))
      .to.match(/^\S+ succeeded\n/)
      .and.to.include('no trace');
    expect(await refusal(run)).to.equal('reference_missing 3');
  });

  it('tells what is private only where that is asked for, and to a terminal where the terminal is named', async () => {
    const program = '(return (+ 1\n  "secret-word"))';
    writeFileSync(
      at('svc-project.json'),
      JSON.stringify({ ...PROJECT, artifacts: { ...PROJECT.artifacts, inspection: true } }),
    );
    writeFileSync(
      at('app/svc.json'),
      JSON.stringify({
        ...MANIFEST,
        missions: { room: {} },
        workflow: {
          ...MANIFEST.workflow,
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
        },
      }),
    );
    const run = await ran(
      `(ns main)\n(defn run [input] (println "printed-word") (tool/kernel-eval {"mission" "room" "kind" "source" "source" ${JSON.stringify(program)}}) (fail {:kind :no :why "told-word"}))\n`,
    );
    const bare = await explained(run);
    expect(bare).not.to.match(/secret-word|printed-word|told-word/);
    const full = await explained(run, '--private-unattended');
    expect(full)
      .to.include('program   mission-evaluation-1\n  | (return (+ 1\n  |   "secret-word"))\n')
      .and.include('private   explicit_failure: the workflow failed with a value of its own\n')
      .and.include('printed   printed-word\n')
      .and.include('told-word')
      .and.match(/leads to .*child evaluations \(complete\)/);
    expect(await refusal(run, '--private-terminal')).to.equal('invalid_arguments 2');
    expect((await svc('explain', run, '--private-terminal', '--private-unattended')).stderr).to.match(
      /^error: arguments\/conflicting_arguments: /,
    );
    writeFileSync(at('app/svc.json'), JSON.stringify({ ...MANIFEST, events: { policy: 'private' } }));
    writeFileSync(at('app/main.clj'), '(ns main)\n(defn run [input] (/ 1 0))\n');
    const before = new Set(readdirSync(at('.svc/envelopes')));
    await svc('run', 'svc-project.json', '--private-output', 'value.private.json');
    const [closed = ''] = readdirSync(at('.svc/envelopes'))
      .filter((name) => !before.has(name))
      .map((name) => name.replace('.json', ''));
    expect(await explained(closed)).to.include('the trace is private and was not read');
    expect(await explained(closed, '--private-unattended'))
      .to.include('trace read')
      .and.include('the run ended: error');
  });

  it('finds the project that is named', async () => {
    const run = await ran(GOOD);
    const elsewhere = start({ argv: ['explain', run, '--project', '../svc-project.json'], directory: at('app') });
    expect(await elsewhere.ended).to.include({ status: 0, stderr: '' });
    expect(await refusal(run, '--project', 'app/svc.json')).to.equal('project_schema_invalid 3');
    expect(await refusal(UNKNOWN)).to.equal('reference_missing 3');
  });

  it('shows nothing of the source of a private run, and reads no private trace', async () => {
    writeFileSync(at('secret.json'), '{"n":1}');
    const run = await ran(
      '(ns main)\n(defn run [input] (* 2 (get input "none")))\n',
      '--private-input',
      'secret.json',
      '--private-output',
      at('private.json'),
    );
    const text = await explained(run);
    expect(text).to.include('the trace is private and was not read').and.not.include('(defn').and.not.include('course');
  });

  it('counts the failures that it leaves out, and stays on one screen', async () => {
    writeFileSync(
      at('app/svc.json'),
      JSON.stringify({
        ...MANIFEST,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { room: {} },
      }),
    );
    const text = await explained(
      await ran('(ns main)\n(defn run [input] (dotimes [n 12] (kernel/eval-source "room" "(/ 1 0)")) {})\n'),
    );
    expect(text)
      .to.match(/course +\d+ earlier failures left out\n/)
      .and.to.include('a program in mission room ended with evaluation_error');
    expect(text).to.include('12 programs in missions');
  });

  describe('refuses', () => {
    const envelope = async (change: (envelope: Record<string, unknown>) => unknown): Promise<void> => {
      const run = await ran('(ns main)\n(defn run [input] (fail 1))\n');
      const known: Record<string, unknown> = JSON.parse(readFileSync(at(`.svc/envelopes/${run}.json`), 'utf8'));
      writeFileSync(at('e.json'), JSON.stringify(change(known)));
    };
    const error =
      (changes: Record<string, unknown>) =>
      (known: Record<string, unknown>): unknown => ({ ...known, error: { ...Object(known['error']), ...changes } });

    it('an envelope whose words are not of the catalogue: nothing of them is shown', async () => {
      for (const change of [
        error({ message: '\u001b[2J you won' }),
        error({ code: 'you_won' }),
        error({ phase: 'bundle' }),
        error({ source: { kind: 'component', name: '../../etc/passwd' } }),
        error({ span: { start_byte: -1, end_byte: 5 } }),
      ]) {
        await envelope(change);
        expect(await refusal('e.json')).to.equal('invalid_arguments 2');
        removeWorkDirectory(directory);
        directory = makeWorkDirectory(FILES);
      }
    });
    it('the envelope of another command, another version, and what is none', async () => {
      for (const change of [
        (known: object) => ({ ...known, command: 'validate' }),
        (known: object) => ({ ...known, schema_version: 4 }),
        (known: object) => ({ ...known, run_ref: 'cmd-1' }),
        () => [],
        () => null,
      ]) {
        await envelope(change);
        expect(await refusal('e.json')).to.equal('invalid_arguments 2');
        removeWorkDirectory(directory);
        directory = makeWorkDirectory(FILES);
      }
    });
    it('what is no JSON, too large, no file, and a pipe that nobody writes', async () => {
      writeFileSync(at('e.json'), '{"a":1,"a":2}');
      expect(await refusal('e.json')).to.equal('invalid_arguments 2');
      writeFileSync(at('e.json'), '['.repeat(100_000));
      expect(await refusal('e.json')).to.equal('invalid_arguments 2');
      truncateSync(at('e.json'), 8_000_001);
      expect(await refusal('e.json')).to.equal('invalid_arguments 2');
      execFileSync('mkfifo', [at('pipe')]);
      for (const none of ['none.json', 'app', 'pipe', '/dev/zero'])
        expect(await refusal(none), none).to.equal('reference_missing 3');
    });
    it('control characters that a program put into its own message', async () => {
      const text = await explained(
        await ran('(ns main)\n(defn run [input] (throw (ex-info "\\u001b[2J\\nforged line" {})))\n'),
      );
      expect(text)
        .to.not.include('\u001b')
        .and.not.match(/^forged line/m);
    });
  });
});
