import type { InstalledProvider } from '../source/installed-provider.ts';
import { refusedSelection } from '../source/selection.ts';
import type { CustomInstallation } from './installation.ts';

/** Functions of the program that runs the application: a source like any other (providers.md §1). */
export function custom(installation: CustomInstallation): InstalledProvider {
  return {
    source: installation.source,
    revision: installation.installation_revision,
    policy: { dataClass: installation.data_class, acceptsData: installation.accepts_data },
    authorization: 'none',
    credentials: installation.credentials,
    isModel: false,
    provides: null,
    requires: null,
    identity: () => installation.identity,
    isPlaceable: (destination) => installation.destinations.has(destination),
    select: (_, config) => {
      const fault = installation.checkConfig(config);
      return fault === null ? { ok: true, selection: {}, config } : refusedSelection(fault);
    },
    offers: () => [...installation.capabilities.values()].map(({ name, effect }) => ({ name, effect })),
    approvalOf: (name) => installation.capabilities.get(name)?.approval ?? 'never',
    connectivity: installation.open === null ? 'none' : 'acquisition',
    localCheck: null,
    probe: null,
    describeModel: null,
    catalogue: null,
    authorisable: null,
    opensBeside: false,
    isShareable: () => false,
    servedThere: () => 'not-served',
    acquire: async (occurrence, tools) => {
      // Only applications that select one pay for reading it.
      const { acquireCustom } = await import('./acquire.ts');
      return acquireCustom(occurrence, installation, tools);
    },
  };
}
