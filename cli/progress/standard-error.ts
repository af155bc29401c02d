import type { ProgressStream } from './stream.ts';

const STDERR = 2;
/** This very stream by another name: opened again it is a description of its own, which alone may refuse to wait. */
const STDERR_PATH = '/proc/self/fd/2';
/** Bytes that may wait for a socket whose reader is slow; what comes then is lost. */
const WAITING_MAX = 65_536;
/** Longest wait for such a reader at the end (cli.md §4). */
const SETTLE_MS = 250;
/** Where a terminal does not tell its width. */
const COLUMNS = 80;

/** How bytes reach one kind of stream. */
interface Sink {
  readonly write: (text: string) => void;
  readonly settle: () => Promise<void>;
}

const DEAF: Sink = { write: () => {}, settle: async () => {} };

/**
 * Standard error for progress. A pipe or a terminal is opened anew without waiting, since a full one would stop this whole
 * process at its next line; a file takes everything at once; a socket is written to behind the run.
 */
export function openStandardError(): ProgressStream {
  const fs = process.getBuiltinModule('node:fs');
  const kind = attempt(() => fs.fstatSync(STDERR));
  if (kind === null) return { isTerminal: false, columns: () => COLUMNS, ...DEAF };
  const isTerminal = kind.isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(STDERR);
  const sink = kind.isSocket() ? socketSink() : descriptorSink(descriptorFor(kind.isFIFO(), isTerminal));
  return { isTerminal, columns: () => process.stderr.columns ?? COLUMNS, ...sink };
}

/** Null for a pipe that cannot be opened: then nothing is written, since writing might wait. */
function descriptorFor(isPipe: boolean, isTerminal: boolean): number | null {
  if (!isPipe && !isTerminal) return STDERR;
  const { constants, openSync } = process.getBuiltinModule('node:fs');
  const opened = attempt(() => openSync(STDERR_PATH, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
  // A terminal that belongs to another user is one that somebody looks at.
  return opened ?? (isTerminal ? STDERR : null);
}

function descriptorSink(descriptor: number | null): Sink {
  if (descriptor === null) return DEAF;
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
  let isHeard = true;
  socket.on('error', () => { isHeard = false; });
  socket.unref();
  return {
    write: (text) => {
      if (isHeard && socket.writableLength <= WAITING_MAX) socket.write(text);
    },
    settle: async () => {
      if (!isHeard || socket.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SETTLE_MS);
        // Answered once everything before it is out, or lost.
        socket.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
