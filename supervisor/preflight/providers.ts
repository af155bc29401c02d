import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { dependencyMessage, selectionMessage } from '../../contract/diagnostics/messages/programs.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CustomInstallation } from '../custom/installation.ts';
import { customInstallationDigest } from '../custom/identity.ts';
import type { ApplicationDocuments } from '../documents/application.ts';
import type { LoadedHost } from '../documents/host/load.ts';
import type { ManifestSelection } from '../documents/manifest/fields.ts';
import { installationConfigDigest } from '../documents/identity/installation.ts';
import type { Digest } from '../documents/identity/digest.ts';
import type { Bundles } from './bundles.ts';
import { checkDeclaredReads } from './declared-reads.ts';
import type { AnyInstallation, DataClass, Occurrence } from './occurrence.ts';
import { checkCatalogSelection, checkSelection } from './selections.ts';
import type { SelectionCheck } from './selections.ts';

/** The providers of a run and what follows from them for its class (documents.md §7, "Data classes"). */
export interface ProviderSelection {
  /** In order of the manifest. */
  readonly workflow: readonly Occurrence[];
  readonly mission: readonly Occurrence[];
  readonly dataClass: DataClass;
  /** A private flow publishes only for its owner. */
  readonly flow: 'normal' | 'private';
  readonly eventPolicy: 'normal' | 'private';
  /** Of every selected alias, in byte order. */
  readonly configDigests: ReadonlyMap<string, Digest>;
}

export interface SelectionRequest {
  readonly documents: ApplicationDocuments;
  readonly bundles: Bundles;
  readonly host: LoadedHost | null;
  /** By alias; no alias is also in the host document. */
  readonly custom: ReadonlyMap<string, CustomInstallation>;
}

/** Selections, dependencies, data policy, declared effects, in this order (documents.md §12.9). */
export function selectProviders({ documents, bundles, host, custom }: SelectionRequest): Outcome<ProviderSelection> {
  const { manifest, input, limits } = documents;
  const installed = new Map<string, AnyInstallation>([...(host?.document.install ?? []), ...custom]);
  const select = (destination: 'workflow' | 'mission') =>
    selectAll(destination, manifest.providers[destination], installed, limits.values);
  const workflow = select('workflow');
  if (!workflow.ok) return workflow;
  const mission = select('mission');
  if (!mission.ok) return mission;
  const all = [...workflow.value, ...mission.value];
  const privateData = input.dataClass === 'private' || all.some(({ dataClass }) => dataClass === 'private_inspection');
  const dataClass: DataClass = privateData ? 'private_inspection' : 'normal';
  const refused =
    checkDependencies(all) ??
    checkNames(manifest, workflow.value, mission.value) ??
    checkDefaults(workflow.value) ??
    checkDataPolicy(all, dataClass) ??
    checkDeclaredReads(manifest, bundles, all);
  if (refused !== null) return failure(refused);
  const aliases = new Map(all.map(({ alias, installation }) => [alias, installation]));
  const flow = privateData ? 'private' : 'normal';
  return success({
    workflow: workflow.value,
    mission: mission.value,
    dataClass,
    flow,
    eventPolicy: flow === 'private' ? 'private' : manifest.events.policy,
    configDigests: new Map(
      [...aliases]
        .toSorted(([left], [right]) => compareUtf8(left, right))
        .map(([alias, installation]) => [alias, installation.source === 'custom' ? customInstallationDigest(installation) : installationConfigDigest(installation)]),
    ),
  });
}

function selectAll(
  destination: 'workflow' | 'mission',
  listed: readonly ManifestSelection[],
  installed: ReadonlyMap<string, AnyInstallation>,
  limits: EffectiveLimits,
): Outcome<readonly Occurrence[]> {
  const occurrences: Occurrence[] = [];
  for (const [index, { name, config }] of listed.entries()) {
    const refuse = (code: DiagnosticCode, operation: 'declaration' | 'selection', message?: string) =>
      failure(
        diagnostic(code, {
          subject: providerSubject(name, operation, { destination, index }),
          ...(message === undefined ? {} : { message }),
        }),
      );
    const installation = installed.get(name);
    if (installation === undefined) return refuse('provider_unknown', 'declaration');
    const placement = placementOf(installation, destination, config.has('catalog'));
    if (placement === null) return refuse('placement_denied', 'selection');
    if (installation.source === 'custom') {
      const fault = installation.checkConfig(config);
      if (fault !== null) return refuse('selection_invalid', 'selection', selectionMessage(fault));
      occurrences.push({ destination, index, alias: name, installation, ...policyOf(installation), selection: {}, config });
      continue;
    }
    const checked: SelectionCheck =
      placement === 'catalog' ? checkCatalogSelection(config) : checkSelection(installation, config, limits);
    if (!checked.ok) return refuse('selection_invalid', 'selection', selectionMessage(checked.fault));
    const { selection } = checked;
    const normalised = jsonFromPlain(selection);
    if (!isJsonObject(normalised)) throw new Error('a normalised selection is a JSON object');
    occurrences.push({ destination, index, alias: name, installation, ...policyOf(installation), selection, config: normalised });
  }
  return success(occurrences);
}

/** Null: not allowed there (providers.md §1). A server's catalogue is the one thing of it that a workflow may have. */
function placementOf(
  installation: AnyInstallation,
  destination: 'workflow' | 'mission',
  asksCatalog: boolean,
): 'provider' | 'catalog' | null {
  switch (installation.source) {
    case 'custom':
      return installation.destinations.has(destination) ? 'provider' : null;
    case 'llm':
    case 'llm_replay':
    case 'decision':
    case 'decision_replay':
      return destination === 'workflow' ? 'provider' : null;
    case 'mcp':
      if (destination === 'mission') return 'provider';
      return asksCatalog ? 'catalog' : null;
    case 'svc_trace_snapshot':
    case 'svc_private_trace_snapshot':
    case 'svc_inspection_snapshot':
      return destination === 'mission' ? 'provider' : null;
  }
}

const BOTH_CLASSES: readonly DataClass[] = ['normal', 'private_inspection'];

function policyOf(installation: AnyInstallation): Pick<Occurrence, 'dataClass' | 'acceptsData'> {
  switch (installation.source) {
    case 'svc_trace_snapshot':
      return { dataClass: 'normal', acceptsData: BOTH_CLASSES };
    case 'svc_private_trace_snapshot':
    case 'svc_inspection_snapshot':
      return { dataClass: 'private_inspection', acceptsData: BOTH_CLASSES };
    default:
      return { dataClass: installation.data_class, acceptsData: installation.accepts_data.toSorted(compareUtf8) };
  }
}

/** An inspection snapshot reads together with exactly one trace snapshot, of either kind. */
function checkDependencies(all: readonly Occurrence[]): Diagnostic | null {
  const inspection = all.find(({ installation }) => installation.source === 'svc_inspection_snapshot');
  if (inspection === undefined) return null;
  const traces = all.filter(({ installation }) => /^svc_(?:private_)?trace_snapshot$/u.test(installation.source));
  if (traces.length === 1) return null;
  return diagnostic('dependency_invalid', {
    subject: providerSubject(inspection.alias, 'declaration', null),
    message: dependencyMessage(traces.length === 0 ? 'service_missing' : 'service_ambiguous'),
  });
}

/** No two capabilities of one environment have one name; of those that declarations name. */
function checkNames(manifest: ApplicationDocuments['manifest'], workflow: readonly Occurrence[], mission: readonly Occurrence[]): Diagnostic | null {
  const granted = [...manifest.missions.values()].map(({ providers }) => mission.filter(({ alias }) => providers.includes(alias)));
  for (const environment of [workflow, ...granted]) {
    const seen = new Set<string>();
    for (const occurrence of environment) {
      for (const name of declaredNames(occurrence)) {
        if (seen.has(name)) return diagnostic('dependency_invalid', { subject: providerSubject(occurrence.alias, 'declaration', null), message: dependencyMessage('service_ambiguous') });
        seen.add(name);
      }
    }
  }
  return null;
}

function declaredNames({ installation, selection }: Occurrence): readonly string[] {
  if (installation.source === 'custom') return [...installation.capabilities.keys()];
  if (installation.source !== 'mcp') return [];
  const { allow } = selection;
  return Array.isArray(allow) ? allow : [];
}

function checkDefaults(workflow: readonly Occurrence[]): Diagnostic | null {
  const [, second] = workflow.filter(({ selection }) => selection['default'] === true);
  if (second === undefined) return null;
  return diagnostic('dependency_invalid', {
    subject: providerSubject(second.alias, 'declaration', null),
    message: dependencyMessage('two_default_models'),
  });
}

function checkDataPolicy(all: readonly Occurrence[], dataClass: DataClass): Diagnostic | null {
  const denied = all.find(({ acceptsData }) => !acceptsData.includes(dataClass));
  if (denied === undefined) return null;
  const { alias, destination, index } = denied;
  return diagnostic('data_policy_denied', { subject: providerSubject(alias, 'selection', { destination, index }) });
}
