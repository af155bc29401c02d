import type { ProviderCheck } from '../../../contract/envelope/doctor.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { InstalledProvider } from '../../providers/source/installed-provider.ts';
import type { AliasCheck } from './connect.ts';
import type { ExaminedAlias, AliasCheckState } from './report.ts';

export interface AliasCheckStates {
  /** By alias. */
  readonly providers: ReadonlyMap<string, InstalledProvider>;
  /** Whether an application is named: a selection is checked only then. */
  readonly hasApplication: boolean;
  readonly passed: readonly AliasCheck[];
  /** The first failure of each row. */
  readonly failed: readonly { readonly row: AliasCheck; readonly code: string }[];
  /** The state of every other check. */
  readonly rest: (check: ProviderCheck) => AliasCheckState;
}

/** The rows of every alias, in byte order of the aliases and the order of the checks (providers.md §12). */
export function examinedAliases({
  providers,
  hasApplication,
  passed,
  failed,
  rest,
}: AliasCheckStates): readonly ExaminedAlias[] {
  return [...providers]
    .toSorted(([left], [right]) => compareUtf8(left, right))
    .map(([alias, provider]) => {
      const stateOf = (check: ProviderCheck): AliasCheckState => {
        const isThis = ([name, of]: AliasCheck): boolean => name === alias && of === check;
        const failure = failed.find(({ row }) => isThis(row));
        if (failure !== undefined) return { failed: failure.code };
        return passed.some(isThis) ? 'passed' : rest(check);
      };
      return { alias, checks: new Map(checksOf(provider, hasApplication).map((check) => [check, stateOf(check)])) };
    });
}

/** The checks that an installation has. */
function checksOf(
  { credentials, authorization, connectivity }: InstalledProvider,
  hasApplication: boolean,
): readonly ProviderCheck[] {
  const has: Readonly<Record<ProviderCheck, boolean>> = {
    local: true,
    selection: hasApplication,
    credentials: credentials.length > 0,
    authorization: authorization === 'oauth',
    connectivity: connectivity !== 'none',
  };
  return (['local', 'selection', 'credentials', 'authorization', 'connectivity'] as const).filter(
    (check) => has[check],
  );
}
