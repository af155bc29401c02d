import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM, start, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': '(ns main)\n(defn run [input] (reduce + (range 1000)))\n',
};
const ARGV = ['run', 'svc.json', '--progress'];
const VALUE = '499500\n';

describe('--progress on a stderr that does not listen (cli.md §4)', () => {
  let directory: string;
  let scratch: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
    scratch = mkdtempSync(join(tmpdir(), 'svc-progress-'));
  });
  afterEach(() => {
    removeWorkDirectory(directory);
    rmSync(scratch, { recursive: true, force: true });
  });

  async function runTo(stderr: number): Promise<Ended> {
    return start({ argv: ARGV, directory, options: { stdio: ['ignore', 'pipe', stderr] } }).ended;
  }

  /** A pipe of which both ends stand open. */
  function namedPipe(): { readonly reader: number; readonly writer: number } {
    const path = join(scratch, 'pipe');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
    return {
      reader: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      writer: openSync(path, constants.O_WRONLY),
    };
  }

  it('goes on beside a pipe that is full and that nobody reads', async () => {
    const { reader, writer } = namedPipe();
    const filler = openSync(join(scratch, 'pipe'), constants.O_WRONLY | constants.O_NONBLOCK);
    const block = Buffer.alloc(4096);
    expect(() => {
      for (;;) writeSync(filler, block);
    }).to.throw('EAGAIN');
    const { status, signal, stdout } = await runTo(writer);
    expect({ status, signal, stdout }).to.deep.equal({ status: 0, signal: null, stdout: VALUE });
    for (const descriptor of [filler, reader, writer]) closeSync(descriptor);
  });

  it('goes on where the reader of the pipe is gone', async () => {
    const { reader, writer } = namedPipe();
    closeSync(reader);
    const { status, stdout } = await runTo(writer);
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: VALUE });
    closeSync(writer);
  });

  it('reaches a pipe that is read', async () => {
    const { reader, writer } = namedPipe();
    expect((await runTo(writer)).status).to.equal(0);
    const bytes = Buffer.alloc(4096);
    expect(bytes.toString('utf8', 0, readSync(reader, bytes))).to.match(
      /^\[00:00\] preparing svc\.json\n(?:\[\d\d:\d\d\] [^\n]*\n)*\[\d\d:\d\d\] completed\n$/,
    );
    closeSync(reader);
    closeSync(writer);
  });

  it('goes on where a socket is closed, or stderr is no stream at all', async () => {
    const missing = start({ argv: ARGV, directory });
    missing.child.stderr?.destroy();
    expect((await missing.ended).stdout).to.equal(VALUE);
    const closed = start({ program: '/bin/sh', argv: ['-c', `exec "${PROGRAM}" ${ARGV.join(' ')} 2>&-`], directory });
    const { status, stdout } = await closed.ended;
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: VALUE });
  });

  it('is added to a file behind what is there', async () => {
    const path = join(scratch, 'log');
    const file = openSync(path, 'a+');
    writeSync(file, 'before\n');
    expect((await runTo(file)).status).to.equal(0);
    const bytes = Buffer.alloc(4096);
    expect(bytes.toString('utf8', 0, readSync(file, bytes, 0, 4096, 0))).to.match(
      /^before\n\[00:00\] preparing svc\.json\n(?:\[\d\d:\d\d\] [^\n]*\n)*\[\d\d:\d\d\] completed\n$/,
    );
    closeSync(file);
  });

  it('rewrites a line of a terminal', async () => {
    const { ended } = start({
      program: 'script',
      argv: ['-qec', `stty cols 60; "${PROGRAM}" ${ARGV.join(' ')}`, '/dev/null'],
      directory,
    });
    const { status, stdout } = await ended;
    expect(status).to.equal(0);
    expect(stdout.replaceAll('\r\n', '\n')).to.match(
      /^svc\.json\n(?:\r(?:preparing|running) [^\n]*)*\rcompleted \d\d:\d\d *\n499500\n$/,
    );
  });

  const slow = async (options: string): Promise<string> => {
    writeFileSync(join(directory, 'main.clj'), '(ns main)\n(defn run [input] (tool/runtime-wait {"ms" 2500}) 1)\n');
    const { ended } = start({
      program: 'script',
      argv: ['-qec', `stty cols 60; "${PROGRAM}" run svc.json ${options}`, '/dev/null'],
      directory,
    });
    return (await ended).stdout.replaceAll('\r\n', '\n');
  };

  it('is one line at a terminal without being asked for, and leaves nothing there', async () => {
    expect(await slow('')).to.match(/^(?:\r(?:preparing|running) [^\n]*)+\r +\r1\n$/);
  });

  it('is none with --quiet, and none where stderr is no terminal', async () => {
    expect(await slow('--quiet')).to.equal('1\n');
    expect(await slow('2> told.txt')).to.equal('1\n');
    expect(readFileSync(join(directory, 'told.txt'), 'utf8')).to.equal('');
  });
});
