import {
  diagnostic,
  providerSubject,
  type Destination,
  type Diagnostic,
  type DiagnosticCode,
} from '../../../contract/diagnostics/diagnostic.ts';
import { dependencyMessage, selectionMessage } from '../../../contract/diagnostics/messages/programs.ts';
import type { DataClass } from '../../../contract/envelope/results.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { ApplicationDocuments } from '../../documents/application.ts';
import type { Digest } from '../../documents/digest.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import { configDigest } from '../../documents/identity/installation.ts';
import type { ManifestSelection } from '../../documents/manifest/fields.ts';
import type { InstalledProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import type { SelectionCheck } from '../../providers/source/selection.ts';
import { installedProvider, type AnyInstallation } from '../../providers/table.ts';
import type { Bundles } from './bundles.ts';
import { checkDeclaredReads } from './declared-reads.ts';

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
  readonly host: HostDocument | null;
  /** By alias: of the host document, and of the calling program. */
  readonly installed: ReadonlyMap<string, AnyInstallation>;
}

/** Selections, dependencies, data policy, declared effects, in this order (documents.md §12.9). */
export function selectProviders({ documents, bundles, host, installed }: SelectionRequest): Outcome<ProviderSelection> {
  const { manifest, input, limits } = documents;
  const find = findInstalled(installed, host);
  const select = (destination: Destination) =>
    selectAll(destination, manifest.providers[destination], find, limits.values);
  const workflow = select('workflow');
  if (!workflow.ok) return workflow;
  const mission = select('mission');
  if (!mission.ok) return mission;
  const all = [...workflow.value, ...mission.value];
  const privateData =
    input.dataClass === 'private' || all.some(({ provider }) => provider.policy.dataClass === 'private_inspection');
  const dataClass: DataClass = privateData ? 'private_inspection' : 'normal';
  const refused =
    checkDependencies(all) ??
    checkNames(manifest, workflow.value, mission.value) ??
    checkDefaults(workflow.value) ??
    checkDataPolicy(all, dataClass) ??
    checkDeclaredReads(manifest, bundles, all);
  if (refused !== null) return failure(refused);
  const providers = new Map(all.map(({ alias, provider }) => [alias, provider]));
  const flow = privateData ? 'private' : 'normal';
  return success({
    workflow: workflow.value,
    mission: mission.value,
    dataClass,
    flow,
    eventPolicy: flow === 'private' ? 'private' : manifest.events.policy,
    configDigests: new Map(
      [...providers]
        .toSorted(([left], [right]) => compareUtf8(left, right))
        .map(([alias, provider]) => [alias, configDigest(provider.identity())]),
    ),
  });
}

type FindInstalled = (alias: string) => InstalledProvider | null;

/** What stands under an alias; null for nothing. */
export function findInstalled(
  installed: ReadonlyMap<string, AnyInstallation>,
  host: HostDocument | null,
): FindInstalled {
  return (alias) => {
    const installation = installed.get(alias);
    return installation === undefined ? null : installedProvider(installation, host);
  };
}

function selectAll(
  destination: Destination,
  listed: readonly ManifestSelection[],
  find: FindInstalled,
  limits: EffectiveLimits,
): Outcome<readonly Occurrence[]> {
  const occurrences: Occurrence[] = [];
  for (const [index, selection] of listed.entries()) {
    const selected = selectOne({ destination, index, selection, find, limits });
    if (!selected.ok) return failure(selected.diagnostic);
    occurrences.push(selected.occurrence);
  }
  return success(occurrences);
}

export interface OneSelection {
  readonly destination: Destination;
  /** Position in the manifest's list. */
  readonly index: number;
  readonly selection: ManifestSelection;
  readonly find: FindInstalled;
  readonly limits: EffectiveLimits;
}

export interface RefusedSelection {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  /** Why its `config` cannot be; null where the selection itself cannot. */
  readonly refused: Extract<SelectionCheck, { ok: false }> | null;
}

/** One selection of a manifest, on its own (documents.md §12.9). */
export function selectOne({
  destination,
  index,
  selection: { name, config },
  find,
  limits,
}: OneSelection): { readonly ok: true; readonly occurrence: Occurrence } | RefusedSelection {
  const refuse = (
    code: DiagnosticCode,
    operation: 'declaration' | 'selection',
    refused: RefusedSelection['refused'] = null,
  ): RefusedSelection => {
    const subject = providerSubject(name, operation, { destination, index });
    return {
      ok: false,
      refused,
      diagnostic: diagnostic(code, {
        subject,
        ...(refused === null ? {} : { message: selectionMessage(refused.fault) }),
      }),
    };
  };
  const provider = find(name);
  if (provider === null) return refuse('provider_unknown', 'declaration');
  if (!provider.isPlaceable(destination, config)) return refuse('placement_denied', 'selection');
  const checked = provider.select(destination, config, limits);
  if (!checked.ok) return refuse('selection_invalid', 'selection', checked);
  return {
    ok: true,
    occurrence: { destination, index, alias: name, provider, selection: checked.selection, config: checked.config },
  };
}

/** Each service that a selection requires is provided exactly once (providers.md §1). */
function checkDependencies(all: readonly Occurrence[]): Diagnostic | null {
  for (const { alias, provider } of all) {
    const { requires } = provider;
    if (requires === null) continue;
    const count = all.filter((other) => other.provider.provides === requires).length;
    if (count === 1) continue;
    return diagnostic('dependency_invalid', {
      subject: providerSubject(alias, 'declaration', null),
      message: dependencyMessage(count === 0 ? 'service_missing' : 'service_ambiguous'),
    });
  }
  return null;
}

/** No two capabilities of one environment have one name; of those that declarations name. */
function checkNames(
  manifest: ApplicationDocuments['manifest'],
  workflow: readonly Occurrence[],
  mission: readonly Occurrence[],
): Diagnostic | null {
  const granted = [...manifest.missions.values()].map(({ providers }) =>
    mission.filter(({ alias }) => providers.includes(alias)),
  );
  for (const environment of [workflow, ...granted]) {
    const seen = new Set<string>();
    for (const occurrence of environment) {
      for (const { name } of occurrence.provider.offers(occurrence.selection, occurrence.alias)) {
        if (seen.has(name))
          return diagnostic('dependency_invalid', {
            subject: providerSubject(occurrence.alias, 'declaration', null),
            message: dependencyMessage('service_ambiguous'),
          });
        seen.add(name);
      }
    }
  }
  return null;
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
  const denied = all.find(({ provider }) => !provider.policy.acceptsData.includes(dataClass));
  if (denied === undefined) return null;
  const { alias, destination, index } = denied;
  return diagnostic('data_policy_denied', { subject: providerSubject(alias, 'selection', { destination, index }) });
}
