import { readFileSync } from 'node:fs';

/** Where distributions put the program of util-linux; nothing is looked for by a path that the caller sets. */
const CANDIDATES: readonly string[] = ['/usr/bin/setpriv', '/bin/setpriv'];
/** The name of its option: setpriv of busybox, and that of util-linux before 2.33, have none. */
const OPTION = 'pdeathsig';

/**
 * Words to put before a command so that the kernel kills its process, stopped ones too, when the thread that started it
 * ends. None where this machine has no way to ask for that: its hosts end when they next look at their pipe, which one
 * that is stopped does not do. What it starts gains no privileges any more. Throws for no file.
 */
export function endedWithParent(platform: NodeJS.Platform, read: (path: string) => Buffer = readFileSync): readonly string[] {
  const program = platform === 'linux' ? CANDIDATES.find((path) => knowsOption(path, read)) : undefined;
  return program === undefined ? [] : [program, `--${OPTION}`, 'KILL', '--no-new-privs', '--'];
}

function knowsOption(path: string, read: (path: string) => Buffer): boolean {
  try {
    return read(path).includes(OPTION);
  } catch {
    // Absent, or not ours to read: then it is not ours to run either.
    return false;
  }
}
