import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import type { SandboxOptions } from './options.ts';

/** How a host process came to its end; `code` and `signal` as node tells them, both null when it never started. */
export interface HostExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The isolate that a host makes before it is asked. */
export interface FirstIsolate {
  readonly environment: EnvironmentKind;
  readonly heapWords: number;
}

export interface HostProcess {
  readonly pid: number | undefined;
  readonly pipe: Duplex;
  readonly exited: Promise<HostExit>;
  /** SIGKILL. Does nothing to a process that has ended. */
  kill(): void;
}

const PIPE = 3;
const KILOBYTES_PER_GIBIBYTE = 1024 * 1024;
/** Kibibytes of stack for each thread: some 150,000 frames of plain recursion (architecture.md §1.3). */
const STACK_KILOBYTES = 16_384;
/**
 * Data segment of a host without isolates: node itself maps 1.1 GB of writable memory at its start (measured), and V8
 * may overstep an isolate's limit before it notices.
 */
const BASE_DATA_KILOBYTES = 1.5 * KILOBYTES_PER_GIBIBYTE;
/**
 * For each isolate: the 512 MB of address space that V8 reserves for its code (which counts, touched or not), the
 * largest heap (workflow_heap_words: 64 MB), a thread's stack and what V8 keeps beside them.
 */
const ISOLATE_DATA_KILOBYTES = 640 * 1024;
/** A host keeps one isolate in reserve. */
const SPARE_ISOLATES = 1;
/** Enough for every message V8 prints when it dies; a host that says more is not ours. */
const MAX_STDERR_BYTES = 256 * 1024;

/** A limit that the machine's own hard limit forbids to raise stays as it is. */
const LIMIT_AND_EXECUTE =
  'ulimit -S -s "$1" 2>/dev/null; ulimit -d "$2" 2>/dev/null; ulimit -c 0; shift 2; exec "$@"';

/** No inspector, no child processes, no files but its own; addons because isolated-vm is one. */
const NODE_FLAGS: readonly string[] = ['--no-warnings', '--permission', '--allow-addons'];

/**
 * Starts a host: empty environment, working directory `/`, a session of its own (a terminal's Ctrl-C is the
 * supervisor's to handle), no standard input or output. Never throws:
 * a process that cannot start has exited.
 */
export function startHostProcess(options: SandboxOptions, first: FirstIsolate): HostProcess {
  const limits = [String(STACK_KILOBYTES), String(BASE_DATA_KILOBYTES + (options.isolatesPerHost + SPARE_ISOLATES) * ISOLATE_DATA_KILOBYTES)];
  const reads = options.readableFolders.map((folder) => `--allow-fs-read=${folder}`);
  const command = [process.execPath, ...NODE_FLAGS, ...reads, options.hostScript, options.guestImage, first.environment, String(first.heapWords)];
  const child = spawn('/bin/sh', ['-c', LIMIT_AND_EXECUTE, 'sh', ...limits, ...command], {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const pipe = child.stdio[PIPE];
  if (!(pipe instanceof Duplex)) throw new Error('the host has no pipe');
  // The pipe's end is told by the process's; an error on it (the host is gone) needs no second report.
  pipe.on('error', () => undefined);
  const kill = (): void => { child.kill('SIGKILL'); };
  boundStderr(child, kill);
  return { pid: child.pid, pipe, exited: exitOf(child), kill };
}

function exitOf(child: ChildProcess): Promise<HostExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
}

/** Reads and discards, so that the host never blocks on it. */
function boundStderr(child: ChildProcess, kill: () => void): void {
  let bytes = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_STDERR_BYTES) kill();
  });
  child.stderr?.on('error', () => undefined);
}
