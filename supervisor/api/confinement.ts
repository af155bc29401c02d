import { findConfinement } from '../../sandbox/pool/confinement.ts';
import type { Confinement } from '../../sandbox/pool/confinement.ts';

/** What a person is told of the sandbox processes that a supervisor would start here (gateway.md §17). */
export async function confinementText(find: () => Promise<Confinement> = findConfinement): Promise<string> {
  const found = await find();
  if (found.state === 'confined') return 'sandbox processes of a supervisor are kept from the network';
  return found.reason === 'other_system'
    ? 'sandbox processes of a supervisor cannot be kept from the network on this system'
    : 'sandbox processes of a supervisor cannot be kept from the network here: unshare of util-linux is absent, or user namespaces are not allowed';
}
