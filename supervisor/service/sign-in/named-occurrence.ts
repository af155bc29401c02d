import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { prepareLocalEnvironment } from '../../application/preflight/local-environment.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadEnvironmentFile } from '../../documents/environment-file/load.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import { findDeclaredHost } from '../../documents/project/declared-host.ts';
import { loadNamedHost, loadNamedTarget } from '../../documents/project/named.ts';
import { resolveCredentials } from '../../providers/credentials.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import { ownVariable } from '../../run/named-documents.ts';
import { findInstallation } from '../../run/named-installation.ts';
import type { NamedAuthOptions } from './auth-options.ts';

const USUAL_PROJECT = 'svc-project.json';
const USUAL_HOST = 'svc-host.json';

interface Found {
  readonly occurrence: Occurrence;
  readonly host: LoadedHost;
}

/** The installation of a name, and the host document that has it. */
export async function findOccurrence(options: NamedAuthOptions): Promise<Outcome<Found>> {
  const host = await loadHostDocument(options);
  if (!host.ok) return host;
  const occurrence = findInstallation(host.value, options.name);
  return occurrence.ok ? success({ occurrence: occurrence.value, host: host.value }) : occurrence;
}

async function loadHostDocument({
  hostConfig,
  workingDirectory,
  documents,
}: NamedAuthOptions): Promise<Outcome<LoadedHost>> {
  const reader = createDocumentReader(documents, workingDirectory);
  if (hostConfig === null) {
    const declared = await findDeclaredHost(USUAL_PROJECT, workingDirectory);
    if (declared.ok && declared.value === 'declared') {
      const target = await loadNamedTarget({ document: USUAL_PROJECT, workingDirectory }, reader);
      if (!target.ok) return target;
      return existing(await loadNamedHost({ hostConfig: null, workingDirectory }, reader, target.value));
    }
  }
  return existing(await loadNamedHost({ hostConfig: hostConfig ?? USUAL_HOST, workingDirectory }, reader, null));
}

function existing(loaded: Outcome<LoadedHost | null>): Outcome<LoadedHost> {
  if (!loaded.ok) return loaded;
  return loaded.value === null ? failure(diagnostic('host_unavailable')) : success(loaded.value);
}

/** What proves the client of an installation, where it has a secret. */
export async function resolveOwnCredentials(
  { documents, workingDirectory, environmentFile: path, variables }: NamedAuthOptions,
  occurrence: Occurrence,
  host: LoadedHost,
) {
  const assigned = await prepareLocalEnvironment({
    occurrences: [occurrence],
    host: host.document,
    file: path === null ? null : () => loadEnvironmentFile(documents, workingDirectory, { kind: 'named', path }),
    authorize: [],
  });
  if (!assigned.ok) return assigned;
  const own = ownVariable(variables);
  const resolved = await resolveCredentials({
    occurrences: [occurrence],
    host,
    sources: {
      variable: (name) => (assigned.value.has(name) ? assigned.value.get(name) : own(name)),
      files: documents,
    },
  });
  return resolved.ok ? success(resolved.value.of(occurrence.provider)) : resolved;
}
