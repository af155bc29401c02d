import { resolve } from 'node:path';
import type { Installation } from '../../documents/host/fields.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';

/** What the providers of a tool are, and so when they are opened (gateway.md §10). */
export type SelectedSources =
  | { readonly kind: 'none' }
  /** Once, at the start; calls borrow them. */
  | { readonly kind: 'warm' }
  /** Traces of earlier runs: `directories`, absolute, are captured by each call. */
  | { readonly kind: 'cold'; readonly directories: readonly string[] };

/** Null: some of them are nothing for a gateway (gateway.md §1, stage 3). */
export function selectedSources({ providers }: Manifest, { document, directory }: LoadedHost): SelectedSources | null {
  const installed = ({ name }: { readonly name: string }): readonly Installation[] => {
    const found = document.install.get(name);
    return found === undefined ? [] : [found];
  };
  const all = [...providers.workflow, ...providers.mission].flatMap(installed);
  // A workflow may have the catalogue of a server alone, which is asked for by each run.
  if (all.some(isUnsupported) || providers.workflow.flatMap(installed).some(({ source }) => source === 'mcp'))
    return null;
  const traces = all.flatMap((installation) =>
    installation.source === 'svc_trace_snapshot' ? [resolve(directory, installation.directory)] : [],
  );
  if (traces.length === 0) return { kind: all.length === 0 ? 'none' : 'warm' };
  return traces.length === all.length ? { kind: 'cold', directories: traces } : null;
}

/** What wants the consent of a person, whom a gateway has not, and what is private. */
function isUnsupported(installation: Installation): boolean {
  if (installation.source === 'mcp')
    return 'oauth' in installation.transport && installation.transport.oauth !== undefined;
  return installation.source === 'svc_private_trace_snapshot' || installation.source === 'svc_inspection_snapshot';
}
