import { resolve } from 'node:path';
import type { Destination } from '../../../contract/diagnostics/diagnostic.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { GatewayUse } from '../../providers/source/installed-provider.ts';
import { installedProvider } from '../../providers/table.ts';

/** What the providers of a tool are, and so when they are opened (gateway.md §10). */
export type SelectedSources =
  | { readonly kind: 'none' }
  /** Once, at the start; calls borrow them. */
  | { readonly kind: 'warm' }
  /** Traces of earlier runs: `directories`, absolute, are captured by each call. */
  | { readonly kind: 'cold'; readonly directories: readonly string[] };

/** Null: some of them are nothing for a gateway (gateway.md §1, stage 3). */
export function selectedSources({ providers }: Manifest, { document, directory }: LoadedHost): SelectedSources | null {
  const usesIn = (destination: Destination): readonly GatewayUse[] =>
    providers[destination].flatMap(({ name }) => {
      const installation = document.install.get(name);
      return installation === undefined ? [] : [installedProvider(installation, document).servedThere(destination)];
    });
  const uses = [...usesIn('workflow'), ...usesIn('mission')];
  if (uses.includes('not-served')) return null;
  const directories = uses.flatMap((use) => (typeof use === 'string' ? [] : [resolve(directory, use.directory)]));
  if (directories.length === 0) return { kind: uses.length === 0 ? 'none' : 'warm' };
  return directories.length === uses.length ? { kind: 'cold', directories } : null;
}
