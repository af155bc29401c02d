import type { Success } from '../../../contract/outcome.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { CustomInstallation } from '../../providers/custom/installation.ts';
import {
  loadApplicationDocuments,
  type ApplicationDocuments,
  type ApplicationRequest,
} from '../../documents/application.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { Digest } from '../../documents/digest.ts';
import { effectiveApplicationDigest } from '../../documents/identity/effective.ts';
import { installationsByAlias } from '../../providers/by-alias.ts';
import { providerRecordOf } from '../../providers/provider-record.ts';
import type { BundleStore } from './bundle-store.ts';
import { compileBundles, type Bundles } from './bundles.ts';
import { checkBundles } from './entry.ts';
import { missionGrants, type MissionGrants } from './grants.ts';
import type { RefusedApplication } from './explain-refusal.ts';
import { selectProviders, type ProviderSelection } from './providers.ts';
import { readSelections } from './selections.ts';

/** Everything that is known of an application before anything is contacted: checked and frozen. */
export interface Application extends ApplicationDocuments {
  readonly bundles: Bundles;
  readonly grants: ReadonlyMap<string, MissionGrants>;
  readonly providers: ProviderSelection;
  readonly effectiveDigest: Digest;
  /** Canonical directory of the host document, from which its relative paths start; null without one. */
  readonly hostDirectory: string | null;
  /** Null without one. */
  readonly host: LoadedHost | null;
}

export interface LoadApplicationRequest extends ApplicationRequest {
  readonly host: LoadedHost | null;
  readonly sandbox: Sandbox;
  /** Bundles of earlier commands. */
  readonly store: BundleStore;
  /** Whose sources these are: isolates of different domains never share a process. */
  readonly trustDomain: string;
  readonly inspectionCapture: boolean;
  /** Installations of the calling program, beside the host's. */
  readonly custom?: readonly CustomInstallation[];
  readonly signal?: AbortSignal;
}

export type LoadedApplication = Success<Application> | RefusedApplication;

/**
 * Documents, bundles, provider declarations: steps 5 to 9 of documents.md §12 (runtime.md §1, steps 7 to 9). Reads
 * only the files that the application names; starts, contacts and resolves nothing.
 */
export async function loadApplication(request: LoadApplicationRequest): Promise<LoadedApplication> {
  const documents = await loadApplicationDocuments(request);
  return documents.ok ? completeApplication(documents.value, request) : documents;
}

/** What is still to do once the documents are read: their programs compiled, their providers found. */
export type CompletionRequest = Pick<
  LoadApplicationRequest,
  | 'sandbox'
  | 'store'
  | 'trustDomain'
  | 'inspectionCapture'
  | 'custom'
  | 'signal'
  | 'host'
  | 'workingDirectory'
  | 'libraries'
  | 'now'
>;

/** Steps 8 and 9 of documents.md §12. */
export async function completeApplication(
  read: ApplicationDocuments,
  request: CompletionRequest,
): Promise<LoadedApplication> {
  const { manifest, environments } = read;
  const nameSource = sourceNames(read.directory, request.workingDirectory);
  const bundles = await compileBundles({ ...request, ...environments, nameSource });
  if (!bundles.ok) return bundles;
  const unfit = checkBundles(manifest, bundles.value, nameSource);
  if (unfit !== null) return unfit;
  const host = request.host?.document ?? null;
  const installed = installationsByAlias(host, request.custom ?? []);
  if (!installed.ok) return installed;
  const selections = readSelections({ manifest, host, installed: installed.value, limits: read.limits.values });
  const providers = selectProviders({ documents: read, bundles: bundles.value, selections });
  if (!providers.ok) return providers;
  const effectiveDigest = effectiveApplicationDigest({
    documents: read,
    workflowBundleHash: bundles.value.workflow?.hash ?? null,
    missionBundleHashes: new Map([...bundles.value.missions].map(([name, bundle]) => [name, bundle?.hash ?? null])),
    providers: {
      workflow: providers.value.workflow.map(providerRecordOf),
      mission: providers.value.mission.map(providerRecordOf),
    },
    eventPolicy: providers.value.eventPolicy,
    inspectionCapture: request.inspectionCapture,
  });
  return {
    ok: true,
    value: Object.freeze({
      ...read,
      bundles: bundles.value,
      grants: missionGrants(manifest, bundles.value),
      providers: providers.value,
      effectiveDigest,
      hostDirectory: request.host?.directory ?? null,
      host: request.host,
    }),
  };
}
