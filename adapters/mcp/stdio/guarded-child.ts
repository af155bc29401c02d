import { spawn, type ChildProcess } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { startedChild } from '../../../system/started-child.ts';
import { waitUntilAborted } from '../../../system/until-aborted.ts';
import { killAll, type ServerProcesses } from './process-group.ts';
import { newProcessMark, type ProcessMark } from './process-mark.ts';

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

/** How a process ended: its status, or the signal that ended it. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server's process, leader of a session and a process group of its own. */
export interface GuardedChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  /**
   * Ends it and everything that it started, also what left its group or session: end of its input, then SIGTERM for the
   * group, then SIGKILL for all, a grace after each. False where some process could not be seen dead.
   */
  end(): Promise<boolean>;
}

/**
 * A shell becomes the server, so that its process is our own child. Before that it marks itself, by which everything
 * that it starts is found again, and leaves a watcher behind, in the same group and nobody's child, which waits for the
 * end of the pipe that this process alone holds: however this process comes to its end, the watcher then kills all that
 * has the mark, looking again until nobody new is there, and the group, itself included. The last that the shell does
 * before it becomes the server is to close a pipe, by which the start is seen. What the shell itself exports is taken
 * out again.
 */
const watching = (
  kill: string,
): string => `( ( trap '' HUP INT QUIT TERM; exec </dev/null >/dev/null 2>&1 4>&-; read -r _ <&3
${kill}
kill -s KILL -- "-$$" ) & )
exec 3<&-`;

/**
 * Shells call the limit of file locks by one of two letters; that there is a mark is written into the pipe of the
 * start.
 */
const marking = ({ highest }: ProcessMark): string =>
  `{ ulimit -x ${highest} || ulimit -w ${highest}; } 2>/dev/null && echo marked >&4`;

/**
 * Builtins alone: nothing of PATH is trusted, and nothing is started that would have to be passed over in turn. One
 * round in which nobody is found proves little: who was listed may have started another, and ended, before it was
 * looked at. Passed over are the dead, and threads of the kernel, whose group is 0: to read a process's limits takes a
 * shell a thousand calls of the system.
 */
const killingMarked = ({ lowest, highest }: ProcessMark): string => `read -r me _ </proc/self/stat
round=0 quiet=0
while [ "$quiet" -lt 2 ] && [ "$round" -lt ${WATCHER_ROUNDS} ]; do
  quiet=$((quiet + 1)) round=$((round + 1))
  for each in /proc/[0-9]*; do
    [ "\${each#/proc/}" = "$me" ] && continue
    stat=; read -r stat <"$each/stat"
    set -- \${stat##*) }
    case "\${1:-X} \${3:-1}" in [ZX]* | *' 0') continue ;; esac
    while read -r max file locks limit _; do
      [ "$max $file $locks" = "Max file locks" ] || continue
      case $limit in *[!0-9]* | '') break ;; esac
      if [ "$limit" -ge ${lowest} ] && [ "$limit" -le ${highest} ]; then kill -s KILL "\${each#/proc/}" && quiet=0; fi
      break
    done <"$each/limits"
  done
done`;
/** Of looking at every process: a killed one may take a moment to be gone. */
const WATCHER_ROUNDS = 200;
const START = 'exec 4>&-\nexec "$@"';
const EXPORTED_BY_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'] as const;
const START_PIPE = 4;

/**
 * Starts a server, whose output is read by anyone who is given it, at once. Null where it could not be, within the
 * signal's time.
 */
export async function startGuardedChild(
  launch: StdioLaunch,
  signal: AbortSignal,
  shell = '/bin/sh',
): Promise<GuardedChild | null> {
  const { command, args, launcher, directory, environment, graceMs } = launch;
  if (signal.aborted) return null;
  const unset = EXPORTED_BY_SHELLS.filter((name) => !(name in environment)).join(' ');
  const mark = newProcessMark();
  const guard = mark === null ? [watching('')] : [marking(mark), watching(killingMarked(mark))];
  const script = [...guard, ...(unset === '' ? [] : [`unset ${unset}`]), START].join('\n');
  const child = startedChild((only) =>
    spawn(shell, ['-c', script, 'sh', ...(launcher === null ? [] : [launcher]), command, ...args], {
      cwd: directory,
      env: environment,
      detached: true,
      stdio: only(['pipe', 'pipe', 'pipe', 'pipe', 'pipe']),
    }),
  );
  if (child === null) return null;
  const { stdin, stdout, stderr, pid } = child;
  // Node throws away what an ended process had said when nobody reads it by then.
  for (const stream of [stdout, stderr]) stream?.on('readable', keepTail);
  const start = await waitUntilAborted(awaitStart(child), signal, null);
  if (stdin === null || stdout === null || stderr === null || pid === undefined) return null;
  // A server that is gone is reported by its output; what could not be written to it needs no second report.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ code: child.exitCode, signal: child.signalCode });
  });
  // Elsewhere nothing can be marked: what leaves the group there is out of sight, as the page of servers says.
  const isProvable = process.platform !== 'linux' || start?.isMarked === true;
  const guarded: GuardedChild = {
    stdin,
    stdout,
    stderr,
    exited,
    end: async () => (await endServer(child, { group: pid, mark }, { exited, graceMs })) && isProvable,
  };
  if (start !== null) {
    for (const stream of [stdout, stderr]) stream.off('readable', keepTail);
    return guarded;
  }
  await guarded.end();
  return null;
}

/** Somebody who listens for what is there keeps it there. */
const keepTail = (): void => undefined;

/** Null for what could not be started. */
function awaitStart(child: ChildProcess): Promise<{ readonly isMarked: boolean } | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    const starting = child.stdio[START_PIPE];
    let isMarked = false;
    // Its end is the start.
    if (starting instanceof Readable)
      starting
        .on('data', () => {
          isMarked = true;
        })
        .on('close', () => resolve({ isMarked }))
        .on('error', () => undefined);
  });
}

async function endServer(
  child: ChildProcess,
  processes: ServerProcesses,
  { exited, graceMs }: { readonly exited: Promise<unknown>; readonly graceMs: number },
): Promise<boolean> {
  child.stdin?.end();
  if (!(await waitWithin(exited, graceMs))) {
    askGroupToEnd(processes.group);
    await waitWithin(exited, graceMs);
  }
  const areDead = await killAll(processes);
  // The end of the watcher's pipe comes last: until here it would have done the same.
  for (const stream of child.stdio) stream?.destroy();
  return areDead;
}

function askGroupToEnd(group: number): void {
  try {
    process.kill(-group, 'SIGTERM');
  } catch {
    // Nobody is left in it; whether that is so is looked at behind.
  }
}

async function waitWithin(settling: Promise<unknown>, milliseconds: number): Promise<boolean> {
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
