import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { startedChild } from '../../system/started-child.ts';
import { type DroppedCapabilities, endedWithParent } from './parent-death.ts';

/**
 * What a host process is kept from by the system: the network; files but those it is made of; all processes but its
 * own.
 */
export type ConfinementLayer = 'network' | 'files' | 'processes';

/**
 * What keeps it. `process`: nothing but node's own permissions, what the host takes away from itself before a guest is
 * loaded (sandbox/host/bereave.ts), and that it has no capabilities.
 */
export type ConfinementMeans = 'bubblewrap' | 'namespaces' | 'process';

/** What a host needs to see of the machine's files, read-only; absolute. */
export interface HostFiles {
  readonly executable: string;
  readonly paths: readonly string[];
}

/** How the command of a host is started so that it is confined. */
export interface ConfinedStart {
  readonly means: ConfinementMeans;
  readonly layers: readonly ConfinementLayer[];
  /** To put before it. */
  readonly words: (files: HostFiles) => readonly string[];
  /**
   * Whether another process is between us and the host, which says how that ended as a shell does, ends with us and
   * takes the host with it; else the host takes the place of anyone who starts it.
   */
  readonly isBetween: boolean;
}

/** How host processes can be confined. */
export type Confinement =
  | { readonly state: 'confined'; readonly start: ConfinedStart }
  /**
   * `other_system`: this is not Linux. `refused`: no program that does it is there, or the system lets nobody do so.
   * `start`: what is left; null where a host cannot even be without capabilities, or need not.
   */
  | { readonly state: 'unconfined'; readonly reason: 'other_system' | 'refused'; readonly start: ConfinedStart | null };

/** Where distributions put them; nothing is looked for by a path that the caller sets. */
const [BUBBLEWRAP, UNSHARE] = ['/usr/bin/bwrap', '/usr/bin/unshare'] as const;
/** What programs are linked to. */
const LIBRARIES = ['/lib', '/lib64', '/lib32', '/usr/lib', '/usr/lib64', '/etc/ld.so.cache', '/nix/store'] as const;

const readOnly = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => ['--ro-bind-try', path, path]);

/** A root of its own with what the host is made of and nothing else, and a table of processes of its own. */
const EVERYTHING: ConfinedStart = {
  means: 'bubblewrap',
  layers: ['network', 'files', 'processes'],
  words: ({ executable, paths }) => [
    BUBBLEWRAP,
    '--unshare-user',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-pid',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...readOnly(LIBRARIES),
    ...readOnly([executable, ...paths]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
  ],
  isBetween: true,
};

/**
 * The user of the process: root has every capability of its user namespace when it starts a program, anybody else none.
 */
const IS_ROOT = process.geteuid?.() === 0;
const DROPPED: DroppedCapabilities = IS_ROOT ? 'all' : 'inherited';

/**
 * A user namespace, so that nobody needs to be root for the others: a network without an interface that is up, and
 * nothing to be seen of the system's messages between processes, or to be renamed. The same user outside, and no
 * privileges inside. What ends the host with its parent comes last: it does not outlive a change of its user.
 */
const NETWORK: ConfinedStart = {
  means: 'namespaces',
  layers: ['network'],
  words: () => [
    UNSHARE,
    '--user',
    '--map-current-user',
    '--net',
    '--ipc',
    '--uts',
    '--',
    ...endedWithParent('linux', DROPPED),
  ],
  isBetween: false,
};

/** The process alone: without the capabilities of who started it. */
const PROCESS: ConfinedStart = {
  means: 'process',
  layers: [],
  words: () => endedWithParent('linux', DROPPED),
  isBetween: false,
};

/** All there are, the closest first. */
export const CONFINED_STARTS: readonly ConfinedStart[] = [EVERYTHING, NETWORK, PROCESS];

const TRIAL_MS = 10_000;
const SHELL = '/bin/sh';
/**
 * Whether all that a host is made of can be read: root without its capabilities cannot where another user keeps it to
 * themselves.
 */
const READS_ALL = 'for file; do [ -r "$file" ] || exit 1; done';

export interface ConfinementTrial {
  readonly platform?: NodeJS.Platform;
  readonly isRoot?: boolean;
  /** Whether a program is there: to start one that is not takes milliseconds. */
  readonly isThere?: (program: string) => boolean;
  readonly succeeds?: (program: string, words: readonly string[]) => Promise<boolean>;
}

/**
 * Tries them, the closest first, with a program that looks at the files of a host: what a system says of itself does
 * not decide it.
 */
export async function findConfinement(
  paths: readonly string[],
  { platform = process.platform, isRoot = IS_ROOT, isThere = existsSync, succeeds = runs }: ConfinementTrial = {},
): Promise<Confinement> {
  if (platform !== 'linux') return { state: 'unconfined', reason: 'other_system', start: null };
  const looked = [process.execPath, ...paths];
  for (const start of CONFINED_STARTS) {
    const before = start.words({ executable: SHELL, paths: looked });
    const [program, ...words] = [...before, SHELL, '-c', READS_ALL, 'sh', ...looked];
    // Anybody but root reads without capabilities what they read with them.
    const isSure = start.means === 'process' && !isRoot;
    if (program === undefined || !isThere(program) || !(isSure || (await succeeds(program, words)))) continue;
    return start.means === 'process' ? { state: 'unconfined', reason: 'refused', start } : { state: 'confined', start };
  }
  return { state: 'unconfined', reason: 'refused', start: null };
}

function runs(program: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { env: {}, cwd: '/', timeout: TRIAL_MS } as const;
    const child = startedChild((only) =>
      spawn(program, [...words], { ...options, stdio: only(['ignore', 'ignore', 'ignore']) }),
    );
    child?.once('exit', (status) => resolve(status === 0)).once('error', () => resolve(false));
    if (child === null) resolve(false);
  });
}
