import type { Destination } from '../../contract/diagnostics/diagnostic.ts';
import type { DataClass } from '../../contract/envelope/results.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { Installation } from '../documents/host/fields.ts';
import { credentialsOf } from '../documents/host/semantics.ts';
import { installationIdentity } from '../documents/identity/installation.ts';
import type { DataPolicy, InstalledProvider } from './source/installed-provider.ts';

type Common = Omit<InstalledProvider, 'isPlaceable' | 'select' | 'policy'>;

/** What the installations of a host document have in common, as far as a row says nothing else. */
export function hostInstallation(installation: Installation): Common {
  return {
    source: installation.source,
    revision: installation.installation_revision,
    authorization: 'none',
    credentials: credentialsOf(installation),
    isModel: false,
    provides: null,
    requires: null,
    identity: () => installationIdentity(installation),
    offers: () => [],
    connectivity: 'none',
    localCheck: null,
    probe: null,
    describeModel: null,
    acquire: null,
    authorisable: null,
    opensBeside: false,
    isShareable: () => false,
    servedThere: () => 'opened-once',
    catalogue: null,
  };
}

/** The policy that an operator declared. */
export function declaredPolicy({
  data_class: dataClass,
  accepts_data: accepts,
}: {
  readonly data_class: DataClass;
  readonly accepts_data: readonly DataClass[];
}): DataPolicy {
  return { dataClass, acceptsData: accepts.toSorted(compareUtf8) };
}

/** Whether a selection is where all of its source belong. */
export function onlyIn(place: Destination): InstalledProvider['isPlaceable'] {
  return (destination) => destination === place;
}
