import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { dependencyMessage } from '../../../contract/diagnostics/messages/programs.ts';
import type { DataClass } from '../../../contract/envelope/results.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { EVERY_TOOL } from '../../../contract/tool-mapping.ts';
import type { ApplicationDocuments } from '../../documents/application.ts';
import type { Digest } from '../../documents/digest.ts';
import { configDigest } from '../../documents/identity/installation.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import type { Bundles } from './bundles.ts';
import { checkDeclaredReads } from './declared-reads.ts';
import type { Selections } from './selections.ts';

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
  readonly selections: Selections;
}

/** Selections, dependencies, data policy, declared effects, in this order (documents.md §12.9). */
export function selectProviders({
  documents: { manifest, input },
  bundles,
  selections: { workflow, mission, faults },
}: SelectionRequest): Outcome<ProviderSelection> {
  const [fault] = faults;
  if (fault !== undefined) return failure(fault.diagnostic);
  const all = [...workflow, ...mission];
  const privateData =
    input.dataClass === 'private' || all.some(({ provider }) => provider.policy.dataClass === 'private_inspection');
  const dataClass: DataClass = privateData ? 'private_inspection' : 'normal';
  const refused =
    checkDependencies(all) ??
    checkNames(manifest, workflow, mission) ??
    checkDefaults(workflow) ??
    checkDataPolicy(all, dataClass) ??
    checkDeclaredReads(manifest, bundles, all);
  if (refused !== null) return failure(refused);
  const providers = new Map(all.map(({ alias, provider }) => [alias, provider]));
  const flow = privateData ? 'private' : 'normal';
  return success({
    workflow,
    mission,
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
        // What is not named yet is checked when it is.
        if (name !== EVERY_TOOL && seen.has(name))
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
