import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { startedChild } from '../../system/started-child.ts';
import { constants } from 'node:os';
import { hostLimits } from './host-limits.ts';
import type { SandboxOptions } from './options.ts';
import { NODE_FLAGS } from './node-flags.ts';
import { endedWithParent } from './parent-death.ts';
import { STDERR_CHARACTERS } from './pool-event.ts';

/** How a host process came to its end; `code` and `signal` as node reports them, both null when it never started. */
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
  /** SIGKILL, to what began it as well. Does nothing to a process that has ended. */
  kill(): void;
  /** The last of what it wrote to standard error. */
  readonly stderr: () => string;
  /** All of that has been read. */
  readonly stderrEnded: Promise<void>;
}

const PIPE = 3;
/** Of a table of processes of its own: what reaps them. */
const FIRST_PROCESS = 1;
const SIGNALLED = 128;
/** Enough for every message V8 prints when it dies; a host that says more is not ours. */
const MAX_STDERR_BYTES = 256 * 1024;

/** Has the kernel end a host that is not confined with this process, as far as it can. */
const WITH_PARENT = endedWithParent(process.platform);

/** A limit that the machine's own hard limit forbids to raise stays as it is. */
const LIMIT_AND_EXECUTE =
  'ulimit -S -s "$1" 2>/dev/null; [ "$2" = none ] || ulimit -d "$2" 2>/dev/null; ulimit -c 0; shift 2; exec "$@"';

/**
 * Starts a host: empty environment, working directory `/`, a session of its own (a terminal's Ctrl-C is the
 * supervisor's to handle), no standard input or output. Never throws:
 * a process that cannot start has exited. `onFlood`: it writes more to standard error than any host of ours.
 */
export function startHostProcess(options: SandboxOptions, first: FirstIsolate, onFlood: () => void): HostProcess {
  const { stackKilobytes, dataKilobytes, residentKilobytes } = hostLimits(
    options.isolatesPerHost,
    options.platform ?? process.platform,
  );
  const limits = [String(stackKilobytes), String(dataKilobytes ?? 'none')];
  const reads = options.readableFolders.map((folder) => `--allow-fs-read=${folder}`);
  const { confinement } = options;
  const isBetween = confinement?.isBetween === true;
  const parent = isBetween ? FIRST_PROCESS : process.pid;
  const self = [
    options.hostScript,
    options.guestImage,
    first.environment,
    String(first.heapWords),
    String(parent),
    String(residentKilobytes ?? 'none'),
  ];
  const before =
    confinement?.words({
      executable: process.execPath,
      paths: [...options.readableFolders, options.hostScript, options.guestImage],
    }) ?? WITH_PARENT;
  const command = [...before, process.execPath, ...NODE_FLAGS, ...reads, ...self];
  const child = startedChild((only) =>
    spawn('/bin/sh', ['-c', LIMIT_AND_EXECUTE, 'sh', ...limits, ...command], {
      env: {},
      cwd: '/',
      detached: true,
      stdio: only(['ignore', 'ignore', 'pipe', 'pipe']),
    }),
  );
  if (child === null) return neverStarted();
  const pipe = child.stdio[PIPE];
  if (!(pipe instanceof Duplex)) throw new Error('the host has no pipe');
  child.once('exit', () => killGroup(child));
  // The pipe's end is reported by the process's; an error on it (the host is gone) needs no second report.
  pipe.on('error', () => undefined);
  return {
    pid: child.pid,
    pipe,
    exited: exitOf(child, isBetween),
    kill: () => {
      if (child.exitCode === null && child.signalCode === null) killGroup(child);
    },
    stderr: lastOfStderr(child, onFlood),
    stderrEnded: endOfStderr(child),
  };
}

/**
 * The session that it leads: what is between us and the host ends the host with itself only once both are set up, and
 * would leave it behind before, when somebody else ends it. Its number stays its own while anything of the session
 * lives, and nobody else's at the moment when its end is seen.
 */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended this moment.
  }
}

const neverStarted = (): HostProcess => ({
  pid: undefined,
  pipe: new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      done();
    },
  }).destroy(),
  exited: Promise.resolve({ code: null, signal: null }),
  kill: () => undefined,
  stderr: () => '',
  stderrEnded: Promise.resolve(),
});

/** It ends with the host, which starts nothing that could keep it open. */
function endOfStderr({ stderr }: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (stderr === null) resolve();
    else stderr.once('close', resolve);
  });
}

function exitOf(child: ChildProcess, isBetween: boolean): Promise<HostExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(isBetween ? asOfHost({ code, signal }) : { code, signal }));
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
}

/** A process in between ends with 128 and the number of the signal that ended the host. */
function asOfHost({ code, signal }: HostExit): HostExit {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - SIGNALLED) ?? [];
  return isSignal(name) ? { code: null, signal: name } : { code, signal };
}

function isSignal(name: string | undefined): name is NodeJS.Signals {
  return name !== undefined && Object.hasOwn(constants.signals, name);
}

/** Reads all of it, so that the host never blocks on it, and keeps the last. */
function lastOfStderr(child: ChildProcess, onFlood: () => void): () => string {
  let bytes = 0;
  let last = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    last = (last + chunk.toString('latin1')).slice(-STDERR_CHARACTERS);
    if (bytes > MAX_STDERR_BYTES) onFlood();
  });
  child.stderr?.on('error', () => undefined);
  return () => last;
}
