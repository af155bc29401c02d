import { join } from 'node:path';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { start, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { from: 'manifest' } },
};
const FILES = {
  'app/svc.json': MANIFEST,
  'app/main.clj': '(ns main)\n(defn run [input] (get input "from"))\n',
  'app/x.json': { from: 'app' },
  'app/sub/z.json': { from: 'sub' },
  'y.json': { from: 'above' },
  'app/p.json': { kind: 'svc-project', version: 1, application: { path: 'svc.json' } },
  'app/astray.json': { kind: 'svc-project', version: 1, application: { path: 'none.json' } },
  'app/astray-host.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    host: { path: 'none.json' },
  },
  'app/astray-input.json': { ...MANIFEST, input: { path: 'none.json' } },
} as const;

let directory = '';

interface CommandLine {
  readonly argv: readonly string[];
  /** Below the directory of the test. */
  readonly from?: string;
  readonly stdin?: string;
}

/** Runs to the end, with this on standard input; without, nothing can be read there. */
async function runCommand({ argv, from = 'app', stdin }: CommandLine): Promise<Ended> {
  const { child, ended } = start({
    argv,
    directory: join(directory, from),
    options: { stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] },
  });
  // A program that ends without reading its input is no failure of the test.
  child.stdin?.on('error', () => undefined).end(stdin);
  return ended;
}

const REF = ' \\(run_ref: cmd-[0-9a-z]{26}\\)';

describe('the input that a command names (documents.md §3)', () => {
  before(() => {
    directory = makeWorkDirectory(FILES);
  });
  after(() => removeWorkDirectory(directory));

  const found: readonly (readonly [string, CommandLine, string])[] = [
    ['a name below the application', { argv: ['run', 'p.json', '--input', 'x.json'] }, 'app'],
    ['the same with a dot', { argv: ['run', 'p.json', '--input', './x.json'] }, 'app'],
    ['in a folder of the application', { argv: ['run', 'p.json', '--input', './sub/../sub//z.json'] }, 'sub'],
    [
      'from a folder of the application',
      { argv: ['run', '../p.json', '--input', '../x.json'], from: 'app/sub' },
      'app',
    ],
    ['in that folder', { argv: ['run', '../p.json', '--input', 'z.json'], from: 'app/sub' }, 'sub'],
    ['beside the application', { argv: ['run', 'p.json', '--input', '../y.json'] }, 'above'],
    ['from beside the application', { argv: ['run', 'app/p.json', '--input', './y.json'], from: '' }, 'above'],
    ['standard input', { argv: ['run', 'p.json', '--input', '-'], stdin: '{"from":"stdin"}\n' }, 'stdin'],
    [
      'standard input, with an equals sign',
      { argv: ['run', 'p.json', '--input=-'], stdin: '{"from":"stdin"}' },
      'stdin',
    ],
  ];
  for (const [name, what, from] of found) {
    it(name, async () => {
      expect(await runCommand(what)).to.deep.equal({ status: 0, signal: null, stdout: `"${from}"\n`, stderr: '' });
    });
  }

  it('standard input may be private', async () => {
    const ended = await runCommand({
      argv: ['run', 'p.json', '--private-input', '-', '--private-output', 'value.json'],
      stdin: '{"from":"stdin"}',
    });
    expect(ended).to.deep.equal({
      status: 0,
      signal: null,
      stdout: '{"artifact_class":"private","status":"ok"}\n',
      stderr: '',
    });
  });

  it('standard input has at most two million bytes', async () => {
    const filled = (bytes: number): string => `{"from":"stdin"}${' '.repeat(bytes - 16)}`;
    expect((await runCommand({ argv: ['run', 'p.json', '--input', '-'], stdin: filled(2_000_000) })).stdout).to.equal(
      '"stdin"\n',
    );
    const { status, stderr } = await runCommand({ argv: ['run', 'p.json', '--input', '-'], stdin: filled(2_000_001) });
    expect([status, stderr]).to.satisfy(
      ([code, text]: [number, string]) =>
        code === 3 && /^error: application\/document_limit_exceeded: [^\n]+ in input \(run_ref/.test(text),
    );
  });

  it('standard input is not read by a command that fails before', async () => {
    const { child, ended } = start({
      argv: ['run', 'astray.json', '--input', '-'],
      directory: join(directory, 'app'),
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    expect((await ended).status).to.equal(3);
    child.stdin?.destroy();
  });

  it('a signal ends the wait for it', async () => {
    const started = start({
      argv: ['--json', 'run', 'p.json', '--input', '-', '--progress'],
      directory: join(directory, 'app'),
      options: { stdio: ['pipe', 'pipe', 'pipe'] },
    });
    await new Promise((resolve) => {
      started.child.stderr?.once('data', resolve);
    });
    started.child.kill('SIGINT');
    const { status, stdout } = await started.ended;
    expect(status).to.equal(130);
    expect(validEnvelope(stdout.trim())).to.have.nested.property('error.message', 'the command was interrupted');
  });

  const missing: readonly (readonly [string, CommandLine, string])[] = [
    [
      'an input',
      { argv: ['run', 'p.json', '--input', './none.json'] },
      'reference_missing: a referenced file is missing or not a safely readable regular file<ref>; it is the input that the command names \\([^)]+\\), looked for in the folder of the application and in the working directory',
    ],
    [
      'a private input',
      { argv: ['run', 'p.json', '--private-input', '../none.json'] },
      'reference_missing: a referenced file is missing or not a safely readable regular file<ref>; it is the input that the command names \\([^)]+\\), looked for in the folder of the application and in the working directory',
    ],
    [
      'a declared input',
      { argv: ['run', 'astray-input.json'] },
      'reference_missing: a referenced file is missing or not a safely readable regular file in \\S+\\.json<ref>\n {2}at \\S+\\.json:\\d+:\\d+\n {2}remedy: it is the input that the application declares',
    ],
    [
      'a document',
      { argv: ['run', 'none.json'] },
      'application_not_found: the application document does not exist<ref>; it is the document that the command names',
    ],
    [
      'a document to check',
      { argv: ['validate', 'none.json'] },
      'application_not_found: the application document does not exist<ref>; it is the document that the command names',
    ],
    [
      'a document that is a folder',
      { argv: ['run', 'sub'] },
      'application_unavailable: the application document is not a safely readable regular file<ref>; it is the document that the command names',
    ],
    [
      'the application of a project',
      { argv: ['run', 'astray.json'] },
      'application_not_found: the application document does not exist<ref>; it is the application that the project names',
    ],
    [
      'the host of a project',
      { argv: ['run', 'astray-host.json'] },
      'host_unavailable: [^;]+<ref>; it is the host document that the project names',
    ],
    [
      'a host',
      { argv: ['run', 'p.json', '--host-config', 'none.json'] },
      'host_unavailable: [^;]+<ref>; it is the document that --host-config names',
    ],
  ];
  for (const [name, what, line] of missing) {
    it(`${name} that is missing is named by its role`, async () => {
      const { status, stdout, stderr } = await runCommand(what);
      expect([status, stdout]).to.deep.equal([3, '']);
      expect(stderr).to.match(new RegExp(`^error: (?:application|host)/${line.replace('<ref>', REF)}[^\n]*\n$`));
    });
  }

  it('what is wrong in standard input is told of `input`', async () => {
    const { status, stderr } = await runCommand({ argv: ['run', 'p.json', '--input', '-'], stdin: '[]' });
    expect(status).to.equal(3);
    expect(stderr).to.match(
      new RegExp(
        `^error: application/input_invalid: the input is not a JSON object at document root in input${REF}\n {2}at input:1:1\n {2}remedy: [^\n]+\n$`,
      ),
    );
  });
});
