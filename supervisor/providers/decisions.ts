import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { credentialsOf } from '../documents/host/semantics.ts';
import type { InstalledProvider } from '../provider-source/installed-provider.ts';
import { selectFields } from '../provider-source/selection.ts';
import { checkFixtures } from './fixtures.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';

/** Nothing of a decision can be selected otherwise. */
const select: InstalledProvider['select'] = (_, config, limits) => selectFields([], [], config, limits);

/** A decision model; one that asks another installation's model is given that one's credential (providers.md §11). */
export function decision(installation: InstallationOf<'decision'>, host: HostDocument | null): InstalledProvider {
  const model = 'llm' in installation ? host?.install.get(installation.llm) : undefined;
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    credentials: [...credentialsOf(installation), ...(model === undefined ? [] : credentialsOf(model))],
    isModel: true,
    connectivity: 'probe',
    isPlaceable: onlyIn('workflow'),
    select,
  };
}

/** Recorded decisions. */
export function decisionReplay(installation: InstallationOf<'decision_replay'>): InstalledProvider {
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    isModel: true,
    isPlaceable: onlyIn('workflow'),
    select,
    localCheck: { reads: 'declaration', run: (tools) => checkFixtures(installation, tools) },
  };
}
