import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isDataName } from '../../../contract/names/data-name.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { Bundles } from './bundles.ts';

/** What one mission may name (documents.md §10, `mission_grants`). */
export interface MissionGrants {
  /** `data/<key>`, sorted; keys that no program text can name are left out. */
  readonly data: readonly string[];
  /** Qualified public exports, sorted. */
  readonly exports: readonly string[];
  /** Aliases in the order of the mission. */
  readonly providers: readonly string[];
}

/** By mission name, in byte order. */
export function missionGrants({ missions }: Manifest, bundles: Bundles): ReadonlyMap<string, MissionGrants> {
  return new Map(
    [...missions].map(([name, mission]) => [
      name,
      {
        data: [...mission.data.keys()]
          .filter(isDataName)
          .map((key) => `data/${key}`)
          .toSorted(compareUtf8),
        exports: (bundles.missions.get(name)?.exports ?? []).map(({ ref }) => ref).toSorted(compareUtf8),
        providers: mission.providers,
      },
    ]),
  );
}
