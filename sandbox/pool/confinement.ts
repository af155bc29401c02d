import { execFile } from 'node:child_process';

/** What a host process is kept from: the network; files but those it is made of; all processes but its own. */
export type ConfinementLayer = 'network' | 'files' | 'processes';

/** What a host needs to see of the machine's files, read-only; absolute. */
export interface HostFiles {
  readonly executable: string;
  readonly paths: readonly string[];
}

/** How the command of a host is begun so that it is confined. */
export interface ConfinedStart {
  readonly layers: readonly ConfinementLayer[];
  /** To put before it. */
  readonly words: (files: HostFiles) => readonly string[];
  /**
   * Whether another process stands between us and the host, which tells how that ended as a shell does, ends with us and takes the
   * host with it; else the host takes the place of whoever starts it.
   */
  readonly isBetween: boolean;
}

/** Whether host processes can be confined, and how. */
export type Confinement =
  | { readonly state: 'confined'; readonly start: ConfinedStart }
  /** `other_system`: this is not Linux. `refused`: no program that does it is there, or the system lets nobody do so. */
  | { readonly state: 'unconfined'; readonly reason: 'other_system' | 'refused' };

/** Where distributions put them; nothing is looked for by a path that the caller sets. */
const [BUBBLEWRAP, UNSHARE] = ['/usr/bin/bwrap', '/usr/bin/unshare'] as const;
/** What programs are linked to. */
const LIBRARIES = ['/lib', '/lib64', '/lib32', '/usr/lib', '/usr/lib64', '/etc/ld.so.cache', '/nix/store'] as const;

const readOnly = (paths: readonly string[]): readonly string[] => paths.flatMap((path) => ['--ro-bind-try', path, path]);

/** A root of its own with what the host is made of and nothing else, and a table of processes of its own. */
const EVERYTHING: ConfinedStart = {
  layers: ['network', 'files', 'processes'],
  words: ({ executable, paths }) => [
    BUBBLEWRAP, '--unshare-user', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-pid', '--die-with-parent', '--cap-drop', 'ALL',
    ...readOnly(LIBRARIES), ...readOnly([executable, ...paths]), '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/', '--chdir', '/', '--',
  ],
  isBetween: true,
};

/**
 * A user namespace, so that nobody needs to be root for the others: a network without an interface that is up, and nothing to be
 * seen of the system's messages between processes, or to be renamed. The same user outside, and no privileges inside.
 */
const NETWORK: ConfinedStart = {
  layers: ['network'],
  words: () => [UNSHARE, '--user', '--map-current-user', '--net', '--ipc', '--uts', '--'],
  isBetween: false,
};

const TRIAL_MS = 10_000;
const TRIAL: HostFiles = { executable: '/bin/sh', paths: [] };

/** Tries them, the closest first, with a program that does nothing: what a system says of itself does not decide it. */
export async function findConfinement(platform: NodeJS.Platform = process.platform, succeeds: (program: string, words: readonly string[]) => Promise<boolean> = runs): Promise<Confinement> {
  if (platform !== 'linux') return { state: 'unconfined', reason: 'other_system' };
  for (const start of [EVERYTHING, NETWORK]) {
    const [program = '', ...words] = start.words(TRIAL);
    if (await succeeds(program, [...words, TRIAL.executable, '-c', ':'])) return { state: 'confined', start };
  }
  return { state: 'unconfined', reason: 'refused' };
}

function runs(program: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...words], { env: {}, cwd: '/', timeout: TRIAL_MS }, (error) => resolve(error === null));
  });
}
