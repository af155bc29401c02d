import { expect } from 'chai';
import { diagnostic } from '../contract/diagnostics/diagnostic.ts';
import { interruption } from '../contract/diagnostics/interruption.ts';
import { commandSuccess } from '../contract/envelope/build.ts';
import { newRunReference } from '../contract/run-reference.ts';
import type { PublishedFiles } from '../supervisor/api/machine.ts';
import { ConfigurationFault } from '../system/configuration/fault.ts';
import { NO_BUNDLE_STORE } from '../supervisor/application/preflight/bundle-store.ts';
import type { Command } from './commands/command.ts';
import { reportEnvelope } from './ending/command-end.ts';
import { failureEnvelope } from './ending/failure-envelope.ts';
import { parseArguments } from './parser/parse.ts';
import type { WriteOutcome } from './process/output.ts';
import { runProgram, type ProgramServices } from './program.ts';
import { recordedStream } from './progress/testing/recorded-stream.ts';
import { PLAIN_STYLING } from './streams/styling.ts';

const runRef = newRunReference((bytes) => bytes.fill(7));
const VERSION = { version: '1.2.3', source_revision: 'a'.repeat(40), source_dirty: true };

interface World {
  readonly files: Map<string, string>;
  stdout: string;
  stderr: string;
  readonly steps: string[];
}

/** Files of one directory `/w`; `full` cannot take a file, `locked` does not let one be admitted. */
function filesOf(world: World): PublishedFiles {
  return {
    key: async (path) => path.toLowerCase(),
    admit: async (path) => {
      if (path.startsWith('/locked/'))
        return {
          unavailable:
            '/locked (owner a, group b, mode 0777): every user could replace files there; run chmod go-w /locked',
        };
      if (world.files.has(path)) return 'exists';
      return {
        publish: async (bytes) => {
          world.steps.push('publish');
          if (path.startsWith('/full/')) return false;
          world.files.set(path, new TextDecoder().decode(bytes));
          return true;
        },
      };
    },
  };
}

interface Setting extends Partial<Pick<ProgramServices, 'json' | 'stopSignal'>> {
  readonly command?: Command;
  readonly stdout?: WriteOutcome;
  readonly existing?: readonly string[];
}

async function execute(argv: readonly string[], setting: Setting = {}) {
  const world: World = {
    files: new Map((setting.existing ?? []).map((path) => [path, 'old'])),
    stdout: '',
    stderr: '',
    steps: [],
  };
  const command: Command = setting.command ?? (async () => reportEnvelope(commandSuccess('version', runRef, VERSION)));
  const status = await runProgram(parseArguments(argv, { workingDirectory: '/w', isUtf8: true }), {
    context: {
      runRef,
      variables: {},
      workingDirectory: '/w',
      signal: new AbortController().signal,
      releaseSandbox: () => undefined,
      bundles: async () => NO_BUNDLE_STORE,
      sandbox: async () => Promise.reject(new Error('no sandbox')),
      programDirectory: '/',
      json: false,
      progressStream: () => recordedStream(),
      standardInput: () => {
        throw new Error('not asked for');
      },
      reportBug: async () => void world.steps.push('bug'),
    },
    loadCommand: async () => command,
    envelopeFiles: async () => filesOf(world),
    write: async (descriptor, text) => {
      world.steps.push('write');
      if (descriptor === 2) world.stderr += text;
      else if (setting.stdout === undefined || setting.stdout === 'written') world.stdout += text;
      return descriptor === 1 ? (setting.stdout ?? 'written') : 'written';
    },
    writePage: async () => 'written',
    styling: { stdout: PLAIN_STYLING, stderr: PLAIN_STYLING },
    json: setting.json ?? false,
    stopSignal: setting.stopSignal ?? (() => null),
    cleanUp: async () => void world.steps.push('cleanUp'),
  });
  return { ...world, status };
}

describe('the program around a command (cli.md §3-§5)', () => {
  it('prints a result and leaves stderr empty', async () => {
    const { status, stdout, stderr } = await execute(['--version']);
    expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '1.2.3 (aaaaaaaa, dirty)\n', stderr: '' });
  });

  it('cleans up, publishes the envelope, and only then prints', async () => {
    const { steps, files, stdout } = await execute(['version', '--envelope', 'e.json']);
    expect(steps).to.deep.equal(['cleanUp', 'publish', 'write']);
    expect(files.get('/w/e.json')).to.match(/^\{"command":"version",.*"warnings":\[\]\}$/);
    expect(stdout).to.equal('1.2.3 (aaaaaaaa, dirty)\n');
  });

  it('prints the envelope itself under --json, also of a rejection and of help', async () => {
    expect(JSON.parse((await execute(['version'], { json: true })).stdout)).to.deep.include({
      command: 'version',
      result: VERSION,
    });
    const rejected = await execute(['run', '--nope'], { json: true });
    expect(rejected.status).to.equal(2);
    expect(JSON.parse(rejected.stdout)).to.deep.include({
      command: 'run',
      artifact_class: 'unclassified',
      execution: { state: 'not_started' },
    });
    expect(JSON.parse((await execute(['prune'], { json: true })).stdout)).to.deep.include({
      command: 'unknown',
      status: 'error',
    });
    expect(JSON.parse((await execute([], { json: true })).stdout).result).to.deep.include({ topic: 'root' });
  });

  it('replaces all output by one line when the envelope cannot be published', async () => {
    const { status, stdout, stderr } = await execute(['version', '--envelope', '/full/e.json'], {
      stopSignal: () => 'SIGINT',
      json: true,
    });
    expect({ status, stdout }).to.deep.equal({ status: 74, stdout: '' });
    expect(stderr).to.equal(
      `error: envelope/publication_failed: the command envelope could not be published (run_ref: ${runRef})\n`,
    );
  });

  it('runs nothing when the envelope destination exists or cannot be used', async () => {
    const exists = await execute(['version', '--envelope', 'e.json'], { existing: ['/w/e.json'] });
    expect(exists.status).to.equal(2);
    expect(exists.stderr).to.match(/^error: arguments\/envelope_destination_exists: /);
    expect(exists.files.get('/w/e.json')).to.equal('old');
    const locked = await execute(['version', '--envelope', '/locked/e.json']);
    expect(locked.status).to.equal(7);
    expect(locked.stderr).to.match(/^error: destination\/envelope_destination_unavailable: /);
    expect([...exists.steps, ...locked.steps]).to.deep.equal(['write', 'write']);
  });

  for (const [name, argv, pattern] of [
    [
      'the result, in other letters',
      ['run', 'a', '--output', 'v.json', '--envelope', 'V.JSON'],
      /--envelope and --output name the same destination/,
    ],
    [
      'the inspection',
      ['run', 'a', '--inspect', 'v.svcins', '--envelope', 'v.svcins'],
      /--envelope and --inspect name the same destination/,
    ],
    [
      'a trace candidate',
      ['run', 'a', '--trace-dir', 't/', '--envelope', `t/${runRef}.private.jsonl`],
      /--envelope and --trace-dir name the same destination/,
    ],
    [
      'the recovery file',
      ['run', 'a', '--private-output', 'd/v.json', '--envelope', `d/.svc-private-result-${runRef}.json`],
      /--envelope and --private-output name the same destination/,
    ],
    [
      'a file in the init directory',
      ['init', 'new/', '--envelope', 'new/sub/e.json'],
      /--envelope lies inside the directory named by DIRECTORY/,
    ],
    ['the init directory', ['init', 'new', '--envelope', 'new'], /--envelope and DIRECTORY name the same destination/],
  ] as const) {
    it(`refuses an envelope that would be ${name}`, async () => {
      const { status, stderr, files } = await execute(argv);
      expect(status).to.equal(2);
      expect(stderr)
        .to.match(/^error: arguments\/conflicting_arguments: /)
        .and.match(pattern);
      expect(files.size).to.equal(0);
    });
  }

  it('turns a throw into internal_error, with its envelope', async () => {
    const command: Command = async () => Promise.reject(new Error('secret /path'));
    const { status, stderr, files, steps } = await execute(['init', 'd', '--envelope', 'e.json'], { command });
    expect(status).to.equal(70);
    expect(stderr)
      .to.match(/^error: internal\/internal_error: /)
      .and.not.include('secret');
    expect(JSON.parse(files.get('/w/e.json') ?? '')).to.deep.include({ command: 'init', status: 'error' });
    expect(steps).to.include('bug');
  });

  it('a bug around the command is told in its name, or as unknown', async () => {
    const envelope = { ...commandSuccess('version', runRef, VERSION), result: { ...VERSION, version: '\uD800' } };
    const command: Command = async () => reportEnvelope(envelope);
    const named = await execute(['version', '--envelope', 'e.json'], { command, json: true });
    expect(named.status).to.equal(70);
    expect(JSON.parse(named.stdout)).to.deep.include({ command: 'version', status: 'error' });
    expect(named.files.size).to.equal(0);
    const unnamed = await execute(['--version'], { command, json: true });
    expect(JSON.parse(unnamed.stdout)).to.deep.include({ command: 'unknown', status: 'error' });
  });

  it('a throw in a run is the unclassified variant', async () => {
    const command: Command = async () => Promise.reject(new Error('bug'));
    const { files } = await execute(['run', 'a', '--envelope', 'e.json'], { command });
    expect(JSON.parse(files.get('/w/e.json') ?? '')).to.deep.include({
      command: 'run',
      artifact_class: 'unclassified',
    });
  });

  it('a setting that breaks its rule is told by name', async () => {
    const command: Command = async () =>
      Promise.reject(new ConfigurationFault('the environment variable SVC_X must be y'));
    const { status, stderr } = await execute(['validate', 'a'], { command });
    expect(status).to.equal(70);
    expect(stderr).to.match(/; the environment variable SVC_X must be y\n$/);
  });

  it('a lost copy of a project is an unpublished envelope', async () => {
    const command: Command = async () => ({ kind: 'envelope_lost' });
    const { status, stderr, files } = await execute(['run', 'a', '--envelope', 'e.json'], { command });
    expect(status).to.equal(74);
    expect(stderr).to.match(/^error: envelope\/publication_failed: [^\n]+\n$/);
    expect(files.size).to.equal(0);
  });

  it('a signal decides the status of a failure, and of nothing else', async () => {
    const failing: Command = async () => reportEnvelope(failureEnvelope('init', runRef, interruption()));
    expect((await execute(['init', 'd'], { command: failing, stopSignal: () => 'SIGTERM' })).status).to.equal(143);
    expect((await execute(['version'], { stopSignal: () => 'SIGINT' })).status).to.equal(0);
  });

  it('a closed output pipe is told by the status, after the envelope', async () => {
    const { status, files } = await execute(['version', '--envelope', 'e.json'], { stdout: 'pipe-closed' });
    expect(status).to.equal(141);
    expect(files.has('/w/e.json')).to.equal(true);
  });

  const UNWRITTEN =
    /^error: output\/write_failed: standard output could not be written \(run_ref: cmd-[0-9a-z]{26}\)\n$/;
  for (const argv of [['version'], ['--version'], ['help'], ['run', '--help'], ['gateway', '--help']]) {
    it(`output of ${argv.join(' ')} that cannot be written is told on stderr, and by the status`, async () => {
      const { status, stderr } = await execute(argv, { stdout: 'failed' });
      expect(status).to.equal(74);
      expect(stderr).to.match(UNWRITTEN);
    });
  }

  it('an envelope that was to go to stdout counts like one that was to go to a file', async () => {
    const command: Command = async () =>
      reportEnvelope(failureEnvelope('validate', runRef, diagnostic('application_not_found')));
    const lost = await execute(['validate', 'a'], { command, json: true, stdout: 'failed' });
    expect(lost.status).to.equal(74);
    expect(lost.stderr.split('\n').at(-2)).to.match(/^error: output\/write_failed: /);
    // Nothing was for stdout here.
    expect((await execute(['validate', 'a'], { command, stdout: 'failed' })).status).to.equal(3);
  });

  it('commands without envelope fail under their own name', async () => {
    const command: Command = async () => ({ kind: 'failed', diagnostic: diagnostic('prune_unavailable'), hint: null });
    const { status, stderr } = await execute(['prune', 'p', '--max-bytes', '1'], { command });
    expect(status).to.equal(7);
    expect(stderr).to.match(/^error: prune\/prune_unavailable: [^\n]+ \(run_ref: cmd-[0-9a-z]{26}\)\n$/);
  });
});
