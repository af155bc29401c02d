import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

const WRITER = join(import.meta.dirname, 'testing/write-progress.ts');

/** macOS: a stream cannot be opened anew by the name of its descriptor. */
describe('progress on a stderr that cannot be opened anew', () => {
  let scratch = '';
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'svc-stderr-'));
  });
  afterEach(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  async function write(stderr: number, ...argv: readonly string[]): Promise<number | null> {
    const child = spawn(process.execPath, [WRITER, ...argv], { stdio: ['ignore', 'ignore', stderr] });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
  }

  function numbers(text: string): readonly string[] {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
  }

  it('reaches a pipe that is read, before what is written after it', () => {
    // A shell's pipe; node would give a socket.
    const text = execFileSync(
      '/bin/sh',
      ['-c', '"$@" 2>&1 >/dev/null | cat', 'sh', process.execPath, WRITER, '5', 'last'],
      { encoding: 'utf8' },
    );
    expect(numbers(text)).to.deep.equal(['1', '2', '3', '4', '5', 'last']);
  });

  it('goes on beside a pipe that is full and that nobody reads', async () => {
    const path = join(scratch, 'pipe');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const block = Buffer.alloc(4096);
    expect(() => {
      for (;;) writeSync(filler, block);
    }).to.throw('EAGAIN');
    expect(await write(writer, '200')).to.equal(0);
    for (const descriptor of [filler, reader, writer]) closeSync(descriptor);
  });

  it('goes on where the reader of the pipe is gone', async () => {
    const path = join(scratch, 'pipe');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    closeSync(reader);
    expect(await write(writer, '200')).to.equal(0);
    closeSync(writer);
  });

  it('goes to a file at once', async () => {
    const path = join(scratch, 'file');
    const file = openSync(path, 'w');
    expect(await write(file, '3', 'last')).to.equal(0);
    closeSync(file);
    expect(numbers(readFileSync(path, 'utf8'))).to.deep.equal(['1', '2', '3', 'last']);
  });
});
