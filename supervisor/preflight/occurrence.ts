import type { CustomInstallation } from '../custom/installation.ts';
import type { Installation } from '../documents/host/fields.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { ProviderRecord } from '../documents/identity/effective.ts';
import type { NormalisedSelection } from './selections.ts';

/** Whether a run may show its values to everybody or to its owner alone. */
export type DataClass = 'normal' | 'private_inspection';

/** What can be installed under a name: by the host document, or by the program that runs the application. */
export type AnyInstallation = Installation | CustomInstallation;

/** One selected provider: a place in the manifest and what is installed under its name. */
export interface Occurrence {
  readonly destination: 'workflow' | 'mission';
  /** Position in the manifest's list, 0..31. */
  readonly index: number;
  readonly alias: string;
  readonly installation: AnyInstallation;
  readonly dataClass: DataClass;
  /** In byte order. */
  readonly acceptsData: readonly DataClass[];
  readonly selection: NormalisedSelection;
  /** `selection` as digests and snapshots see it. */
  readonly config: JsonObject;
}

/** What snapshots and the effective digest say of the selection; no endpoint, model, path or credential. */
export function providerRecordOf(occurrence: Occurrence): ProviderRecord {
  const { alias, installation, dataClass, acceptsData, config } = occurrence;
  const authorized = installation.source === 'mcp' && 'oauth' in installation.transport;
  return {
    name: alias,
    source: installation.source,
    installationRevision: installation.installation_revision,
    dataClass,
    acceptsData,
    authorizationMode: authorized ? 'oauth' : 'none',
    config,
  };
}
