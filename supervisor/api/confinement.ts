import { findConfinement } from '../../sandbox/pool/confinement.ts';
import type { Confinement, ConfinementLayer } from '../../sandbox/pool/confinement.ts';

const WORDS: Readonly<Record<ConfinementLayer, string>> = { network: 'the network', files: 'files but their own', processes: 'other processes' };

/** What a person is told of the sandbox processes that a supervisor would start here (gateway.md §17). */
export async function confinementText(find: () => Promise<Confinement> = findConfinement): Promise<string> {
  const found = await find();
  if (found.state === 'confined') {
    const { layers } = found.start;
    const more = layers.includes('files') ? '' : '; bubblewrap (bwrap), where it is installed, also keeps them from files and processes';
    return `sandbox processes of a supervisor are kept from ${layers.map((layer) => WORDS[layer]).join(', ')}${more}`;
  }
  return found.reason === 'other_system'
    ? 'sandbox processes of a supervisor cannot be kept from the network on this system'
    : 'sandbox processes of a supervisor cannot be kept from the network here: neither bubblewrap (bwrap) nor unshare of util-linux is there, or user namespaces are not allowed';
}
