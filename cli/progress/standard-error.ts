import type { Stats } from 'node:fs';
import type { Writable } from 'node:stream';
import { startedChild } from '../../system/started-child.ts';
import type { ProgressStream } from './stream.ts';

const STDERR = 2;
/**
 * This very stream by another name, on Linux: opened again it is a description of its own, which alone may refuse to
 * wait.
 */
const STDERR_PATH = '/proc/self/fd/2';
/** Bytes that may wait for a socket whose reader is slow; what comes then is lost. */
const WAITING_MAX = 65_536;
/** Longest wait for such a reader at the end (cli.md §4). */
const SETTLE_MS = 250;
/** Where a terminal does not report its width. */
const COLUMNS = 80;

/** How bytes reach one kind of stream. */
interface Sink {
  readonly write: (text: string) => void;
  readonly settle: () => Promise<void>;
}

const DEAF: Sink = { write: () => {}, settle: async () => {} };

/**
 * Standard error for progress. A pipe or a terminal is opened again without waiting, since a full one would stop this
 * whole process at its next line; a pipe that cannot be opened again gets a process that waits in this one's place; a
 * file takes everything at once; a socket is written to behind the run. `path`: another name of the stream, where the
 * system has one.
 */
export function openStandardError(path = STDERR_PATH): ProgressStream {
  const fs = process.getBuiltinModule('node:fs');
  const kind = attempt(() => fs.fstatSync(STDERR));
  if (kind === null) return { isTerminal: false, columns: () => COLUMNS, ...DEAF };
  const isTerminal = kind.isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(STDERR);
  // A terminal that nobody gave a size has 0 columns.
  return { isTerminal, columns: () => process.stderr.columns || COLUMNS, ...sinkFor(kind, isTerminal, path) };
}

function sinkFor(kind: Stats, isTerminal: boolean, path: string): Sink {
  if (kind.isSocket()) return socketSink();
  if (!kind.isFIFO() && !isTerminal) return descriptorSink(STDERR);
  const { constants, openSync } = process.getBuiltinModule('node:fs');
  const opened = attempt(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
  if (opened !== null) return descriptorSink(opened);
  // A terminal that cannot be opened, or belongs to another user, is one that somebody looks at.
  return isTerminal ? descriptorSink(STDERR) : relaySink();
}

function descriptorSink(descriptor: number): Sink {
  const { writeSync } = process.getBuiltinModule('node:fs');
  let isHeard = true;
  return {
    ...DEAF,
    write: (text) => {
      if (!isHeard) return;
      try {
        writeSync(descriptor, text);
      } catch (error) {
        // Full for now: this text is lost, the next may not be.
        isHeard = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      }
    },
  };
}

function socketSink(): Sink {
  const { Socket } = process.getBuiltinModule('node:net');
  const socket = attempt(() => new Socket({ fd: STDERR, readable: false, writable: true }));
  if (socket === null) return DEAF;
  socket.unref();
  return {
    write: boundedWriter(socket),
    settle: async () => {
      if (socket.destroyed || socket.writableLength === 0) return;
      // Answered once everything before it is out, or lost.
      await waitForSettling((done) => {
        socket.write('', done);
      });
    },
  };
}

/**
 * What the relay has not written by the end is lost with it; a session of its own keeps a terminal's Ctrl+C from ending
 * it early.
 */
function relaySink(): Sink {
  const relay = startedChild((only) =>
    process
      .getBuiltinModule('node:child_process')
      .spawn('/bin/cat', [], { env: {}, cwd: '/', detached: true, stdio: only(['pipe', STDERR, 'ignore']) }),
  );
  const stdin = relay?.stdin ?? null;
  if (relay === null || stdin === null) return DEAF;
  let onEnd = (): void => undefined;
  let hasEnded = false;
  for (const event of ['exit', 'error']) {
    relay.once(event, () => {
      hasEnded = true;
      onEnd();
    });
  }
  relay.unref();
  return {
    write: boundedWriter(stdin),
    settle: async () => {
      if (hasEnded) return;
      await waitForSettling((done) => {
        onEnd = done;
        stdin.end();
      });
      relay.kill('SIGKILL');
    },
  };
}

/** Writes behind the run, as long as the reader keeps up. */
function boundedWriter(stream: Writable): (text: string) => void {
  let isHeard = true;
  stream.on('error', () => {
    isHeard = false;
  });
  return (text) => {
    if (isHeard && stream.writableLength <= WAITING_MAX) stream.write(text);
  };
}

async function waitForSettling(work: (done: () => void) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SETTLE_MS);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
