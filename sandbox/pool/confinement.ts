import { execFile } from 'node:child_process';

/** Whether host processes can be kept from the network, and how. */
export type Confinement =
  /** `words`: to put before the command of a host. */
  | { readonly state: 'confined'; readonly words: readonly string[] }
  /** `other_system`: this is not Linux. `refused`: the program of util-linux is not there, or the system lets nobody do so. */
  | { readonly state: 'unconfined'; readonly reason: 'other_system' | 'refused' };

/** Where distributions put it; nothing is looked for by a path that the caller sets. */
const UNSHARE = '/usr/bin/unshare';
/**
 * A user namespace, so that nobody needs to be root for the others: a network without an interface that is up, and nothing to be
 * seen of the system's messages between processes, or to be renamed. The same user outside, and no privileges inside.
 */
const NAMESPACES = ['--user', '--map-current-user', '--net', '--ipc', '--uts', '--'] as const;
const TRIAL_MS = 10_000;

/** Tries it with a program that does nothing: what a system says of itself does not decide it. */
export async function findConfinement(platform: NodeJS.Platform = process.platform, succeeds: (program: string, words: readonly string[]) => Promise<boolean> = runs): Promise<Confinement> {
  if (platform !== 'linux') return { state: 'unconfined', reason: 'other_system' };
  const isPossible = await succeeds(UNSHARE, [...NAMESPACES, '/bin/sh', '-c', ':']);
  return isPossible ? { state: 'confined', words: [UNSHARE, ...NAMESPACES] } : { state: 'unconfined', reason: 'refused' };
}

function runs(program: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...words], { env: {}, cwd: '/', timeout: TRIAL_MS }, (error) => resolve(error === null));
  });
}
