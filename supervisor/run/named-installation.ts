import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { insteadOf } from '../../contract/names/suggestion.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import type { LoadedHost } from '../documents/host/load.ts';
import type { Occurrence } from '../providers/source/installed-provider.ts';
import { installedProvider } from '../providers/table.ts';

/** No manifest selects it: it is reported at the place where its tools would be (providers.md §13). */
const PLACE = { destination: 'mission', index: 0 } as const;

/** The installation that a command names by its alias, as if a manifest selected it without `config`. */
export function findInstallation({ document }: LoadedHost, alias: string): Outcome<Occurrence> {
  const installation = document.install.get(alias);
  if (installation === undefined) {
    const aliases = [...document.install.keys()];
    const hint = aliases.length === 0 ? 'the host document installs nothing' : insteadOf(alias, aliases);
    return failure(diagnostic('provider_unknown', { subject: providerSubject(alias, 'declaration', PLACE) }), { hint });
  }
  const provider = installedProvider(installation, document);
  return success({ ...PLACE, alias, provider, selection: {}, config: new Map() });
}
