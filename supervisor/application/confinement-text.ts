import { findConfinement, type Confinement, type ConfinementLayer } from '../../sandbox/pool/confinement.ts';
import { sandboxFiles } from '../platform/program-folder.ts';

const WORDS: Readonly<Record<ConfinementLayer, string>> = {
  network: 'the network',
  files: 'files but their own',
  processes: 'other processes',
};
const MEANS = { bubblewrap: 'bubblewrap', namespaces: 'user namespaces', process: 'their own process alone' } as const;
const ALONE =
  'what they take away from themselves and the permissions of node keep their JavaScript from network, files and other processes';

/** What a person reads of the sandbox processes that a run of this program would start here (gateway.md §17). */
export async function describeConfinement(
  programDirectory: string,
  find: (paths: readonly string[]) => Promise<Confinement> = findConfinement,
): Promise<string> {
  const found = await find(sandboxFiles(programDirectory).readableFolders);
  if (found.state === 'confined') {
    const { layers, means } = found.start;
    const more = layers.includes('files')
      ? ''
      : '; bubblewrap (bwrap), where it is installed, also keeps them from files and processes';
    return `sandbox processes are confined by ${MEANS[means]}: kept from ${layers.map((layer) => WORDS[layer]).join(', ')}${more}`;
  }
  const why =
    found.reason === 'other_system'
      ? 'this system has no way to do so'
      : 'neither bubblewrap (bwrap) nor unshare of util-linux is there, or user namespaces are not allowed';
  return `sandbox processes are not confined by the system: ${why}; ${ALONE}`;
}
