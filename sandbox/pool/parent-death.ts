import { readFileSync } from 'node:fs';

/** Where distributions put the program of util-linux; nothing is looked for by a path that the caller sets. */
const CANDIDATES: readonly string[] = ['/usr/bin/setpriv', '/bin/setpriv'];
/** The name of its option: setpriv of busybox, and that of util-linux before 2.33, have none. */
const OPTION = 'pdeathsig';

/**
 * Which capabilities the process loses. `all`: also what a program of root would get by being started, for which root
 * of its user namespace is needed. `inherited`: those that it would get from its parent alone. `none`: it is left as it
 * is.
 */
export type DroppedCapabilities = 'all' | 'inherited' | 'none';

const DROPPING: Readonly<Record<DroppedCapabilities, readonly string[]>> = {
  all: ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
  inherited: ['--inh-caps=-all', '--ambient-caps=-all'],
  none: [],
};

/**
 * Words to put before a command so that the kernel kills its process, stopped ones too, when the thread that started it
 * ends. None where this machine has no way to ask for that: its hosts end when they next look at their pipe, which one
 * that is stopped does not do. What it starts gains no privileges any more, and loses those that are named. Throws for
 * no file.
 */
export function endedWithParent(
  platform: NodeJS.Platform,
  dropped: DroppedCapabilities = 'none',
  read: (path: string) => Buffer = readFileSync,
): readonly string[] {
  const program = platform === 'linux' ? CANDIDATES.find((path) => knowsOption(path, read)) : undefined;
  return program === undefined ? [] : [program, `--${OPTION}`, 'KILL', '--no-new-privs', ...DROPPING[dropped], '--'];
}

function knowsOption(path: string, read: (path: string) => Buffer): boolean {
  try {
    return read(path).includes(OPTION);
  } catch {
    // Absent, or not ours to read: then it is not ours to run either.
    return false;
  }
}
