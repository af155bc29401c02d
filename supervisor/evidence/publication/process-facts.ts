import { readFileSync, readlinkSync } from 'node:fs';

/** What the operating system says about processes; each text is empty where it does not say. */
export interface ProcessFacts {
  /** Of the machine since it was started: another one after each restart. */
  boot(): string;
  /** In which process numbers mean what they mean here. */
  namespace(): string;
  /** When a process began: distinguishes two lives of one number. */
  startOf(pid: number): string;
}

/** Of this machine: from `/proc` on Linux, elsewhere from what every Unix has as commands. */
export function machineFacts(platform: NodeJS.Platform = process.platform): ProcessFacts {
  return platform === 'linux' ? procFacts() : commandFacts(outputOf);
}

/** The kernel's own files answer at once; node's thread pool would not. */
export function procFacts(proc = '/proc'): ProcessFacts {
  return {
    boot: () => textOf(() => readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8')).trim(),
    namespace: () => textOf(() => readlinkSync(`${proc}/self/ns/pid`)),
    // Clock ticks since boot, field 22. The second field is the command in parentheses and may hold spaces: count from
    // its end.
    startOf: (pid) => {
      const text = textOf(() => readFileSync(`${proc}/${pid}/stat`, 'utf8'));
      return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    },
  };
}

/** Standard output of a program, null where it is not there or fails. */
type RunCommand = (file: string, args: readonly string[]) => string | null;

/** macOS has no pid namespaces, an id of the session since its start, and the second in which a process began. */
export function commandFacts(run: RunCommand): ProcessFacts {
  return {
    boot: () => run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])?.trim() ?? '',
    namespace: () => '',
    startOf: (pid) => run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)])?.trim() ?? '',
  };
}

/** Commands of the system answer within milliseconds. */
const PATIENCE_MS = 5000;

/** Names of days and months, and the zone, as they are everywhere: another process is to find the same text. */
const COMMAND_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

function outputOf(file: string, args: readonly string[]): string | null {
  try {
    return process.getBuiltinModule('node:child_process').execFileSync(file, args, {
      env: COMMAND_ENVIRONMENT,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
