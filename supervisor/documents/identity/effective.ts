import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { ApplicationDocuments } from '../application.ts';
import type { Component } from '../components/read.ts';
import type { Contract } from '../contracts/load.ts';
import { identityDigest, type Digest } from '../digest.ts';

/** Raised when evaluation semantics or a shipped library change; patch releases keep it, and so their digests. */
export const SEMANTIC_REVISION = 'sem1-1';

/** The declaration record of one selected provider (documents.md §10). */
export interface ProviderRecord {
  readonly name: string;
  readonly source: string;
  readonly installationRevision: string;
  readonly dataClass: string;
  readonly acceptsData: readonly string[];
  readonly authorizationMode: 'none' | 'oauth';
  readonly config: JsonValue;
}

export interface EffectiveFacts {
  readonly documents: ApplicationDocuments;
  readonly workflowBundleHash: string | null;
  readonly missionBundleHashes: ReadonlyMap<string, string | null>;
  readonly providers: { readonly workflow: readonly ProviderRecord[]; readonly mission: readonly ProviderRecord[] };
  readonly eventPolicy: 'normal' | 'private';
  readonly inspectionCapture: boolean;
}

/** The digest of how an application behaves: never of input values, paths, labels, models or credentials. */
export function effectiveApplicationDigest(facts: EffectiveFacts): Digest {
  const { manifest, environments, contracts, input, limits } = facts.documents;
  const missions = [...manifest.missions].map(([name, mission]): [string, JsonValue] => [
    name,
    new Map<string, JsonValue>([
      ['bundle_hash', facts.missionBundleHashes.get(name) ?? null],
      ['components', componentRecords(environments.missions.get(name) ?? [])],
      ['data', mission.data],
      [
        'providers',
        mission.providers.map((alias) => manifest.providers.mission.findIndex((one) => one.name === alias)),
      ],
    ]),
  ]);
  const identityLimits = LIMITS.filter(({ identity }) => identity).map(({ name }): [string, JsonValue] => [
    name,
    limits.values[name],
  ]);
  const phaseReturns = [...contracts.phaseReturns].map(([name, contract]): [string, JsonValue] => [
    name,
    behaviourOf(contract),
  ]);
  return identityDigest(
    'svc.effective-application.v1',
    new Map<string, JsonValue>([
      ['semantic_revision', SEMANTIC_REVISION],
      ['entry', manifest.workflow.entry],
      [
        'workflow',
        new Map<string, JsonValue>([
          ['bundle_hash', facts.workflowBundleHash],
          ['components', componentRecords(environments.workflow)],
        ]),
      ],
      ['missions', new Map(missions)],
      [
        'contracts',
        new Map<string, JsonValue>([
          ['input', behaviourOf(contracts.input)],
          ['result', behaviourOf(contracts.result)],
          ['phase_returns', new Map(phaseReturns)],
        ]),
      ],
      ['event_policy', facts.eventPolicy],
      ['input_class', input.dataClass],
      ['inspection_capture_enabled', facts.inspectionCapture],
      ['result_projection', 'json'],
      ['limits', new Map(identityLimits)],
      [
        'providers',
        new Map<string, JsonValue>([
          ['workflow', facts.providers.workflow.map(providerRecord)],
          ['mission', facts.providers.mission.map(providerRecord)],
        ]),
      ],
    ]),
  );
}

function componentRecords(components: readonly Component[]): JsonValue {
  return components
    .toSorted((left, right) => compareUtf8(left.id, right.id))
    .map(
      ({ id, sourceHash, dependencies }) =>
        new Map<string, JsonValue>([
          ['id', id],
          ['source_hash', sourceHash],
          ['dependencies', dependencies.toSorted(compareUtf8)],
        ]),
    );
}

function behaviourOf(contract: Contract | null): JsonValue {
  return contract === null ? null : contract.behaviourHash;
}

/** The record as digests and provider snapshots hold it. */
export function providerRecord(record: ProviderRecord): JsonValue {
  return new Map<string, JsonValue>([
    ['name', record.name],
    ['source', record.source],
    ['installation_revision', record.installationRevision],
    ['data_class', record.dataClass],
    ['accepts_data', record.acceptsData.toSorted(compareUtf8)],
    ['authorization_mode', record.authorizationMode],
    ['config', record.config],
  ]);
}
