import { compareUtf8 } from '../../../contract/json/utf8.ts';
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
          .filter(isReadable)
          .map((key) => `data/${key}`)
          .toSorted(compareUtf8),
        exports: (bundles.missions.get(name)?.exports ?? []).map(({ ref }) => ref).toSorted(compareUtf8),
        providers: mission.providers,
      },
    ]),
  );
}

/**
 * The name part of a symbol (language.md §2): no white space, comma, quote, semicolon, at, caret, backquote, tilde,
 * backslash or bracket; not ending in a colon, without a double colon. Behind `data/` any such text may follow,
 * digits and slashes included.
 */
const SYMBOL_TAIL = /^[^\s\u001c-\u001f,";@^`~\\()[\]{}]+$/u;

function isReadable(key: string): boolean {
  return SYMBOL_TAIL.test(key) && !key.endsWith(':') && !key.includes('::');
}
