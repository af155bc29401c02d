import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { startedChild } from '../../../contract/started-child.ts';
import { untilAborted } from '../../../contract/until-aborted.ts';
import { groupHasEnded } from './process-group.ts';

/** What is started for one server. */
export interface StdioLaunch {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of an operator's program that starts the command in its own way; null for none. */
  readonly launcher: string | null;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds between one step of ending a server and the next. */
  readonly graceMs: number;
}

/** A server's process, leader of a session and a process group of its own. */
export interface GuardedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<void>;
  /**
   * Ends it and everything of its group: end of its input, then SIGTERM, then SIGKILL, a grace after each. False where some
   * process of the group could not be seen dead.
   */
  end(): Promise<boolean>;
}

/**
 * A shell becomes the server, so that its process is our own child. Before that it leaves a watcher behind, in the same
 * group and nobody's child, which waits for the end of the pipe that this process alone holds: however this process comes to
 * its end, the watcher then kills the group, itself included. The last that the shell does before it becomes the server is to
 * close a pipe, by which the start is seen. What the shell itself exports is taken out again.
 */
const WATCH = `( ( trap '' HUP INT QUIT TERM; exec </dev/null >/dev/null 2>&1 4>&-; read -r _ <&3; kill -s KILL -- "-$$" ) & )
exec 3<&-`;
const START = 'exec 4>&-\nexec "$@"';
const EXPORTED_BY_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'] as const;
const DEATH_PIPE = 3;
const START_PIPE = 4;

/** Starts a server, whose output is read by whoever is given it, at once. Null where it could not be, within the signal's time. */
export async function startGuardedChild(launch: StdioLaunch, signal: AbortSignal, shell = '/bin/sh'): Promise<GuardedChild | null> {
  const { command, args, launcher, directory, environment, graceMs } = launch;
  if (signal.aborted) return null;
  const unset = EXPORTED_BY_SHELLS.filter((name) => !(name in environment)).join(' ');
  const script = [WATCH, ...(unset === '' ? [] : [`unset ${unset}`]), START].join('\n');
  const child = startedChild((only) => spawn(shell, ['-c', script, 'sh', ...(launcher === null ? [] : [launcher]), command, ...args], {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: only(['pipe', 'pipe', 'pipe', 'pipe', 'pipe']),
  }));
  if (child === null) return null;
  const { stdin, stdout, stderr, pid } = child;
  // Node throws away what an ended process had said when nobody reads it by then.
  for (const stream of [stdout, stderr]) stream?.on('readable', kept);
  const isStarted = await untilAborted(started(child), signal, false);
  if (stdin === null || stdout === null || stderr === null || pid === undefined) return null;
  // A server that is gone is told by its output; what could not be written to it needs no second report.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    if (child.exitCode !== null || child.signalCode !== null) resolve();
  });
  const guarded: GuardedChild = { stdin, stdout, stderr, exited, end: async () => endGroup(child, pid, { exited, graceMs }) };
  if (isStarted) {
    for (const stream of [stdout, stderr]) stream.off('readable', kept);
    return guarded;
  }
  await guarded.end();
  return null;
}

/** Somebody who listens for what is there keeps it there. */
const kept = (): void => undefined;

function started(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    const starting = child.stdio[START_PIPE];
    // Its end, without a word, is the start.
    if (starting instanceof Readable) starting.on('close', () => resolve(true)).on('error', () => undefined).resume();
  });
}

async function endGroup(child: ChildProcess, pid: number, { exited, graceMs }: { readonly exited: Promise<void>; readonly graceMs: number }): Promise<boolean> {
  child.stdin?.end();
  if (!(await within(exited, graceMs))) {
    signalGroup(pid, 'SIGTERM');
    await within(exited, graceMs);
  }
  // The watcher is of the group and alive, so that its number is nobody else's.
  signalGroup(pid, 'SIGKILL');
  for (const stream of child.stdio) stream?.destroy();
  const death = child.stdio[DEATH_PIPE];
  death?.destroy();
  return groupHasEnded(pid);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it; whether that is so is looked at behind.
  }
}

async function within(settling: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([settling.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
