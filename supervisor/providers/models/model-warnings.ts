import { modelUncataloged } from '../../../contract/envelope/build.ts';
import type { Warning } from '../../../contract/envelope/types.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { InstalledProvider } from '../source/installed-provider.ts';

/**
 * A warning for each model on a known route of which the catalogue has no exact entry, in byte order (providers.md
 * §5.7).
 */
export async function findModelWarnings(
  providers: ReadonlyMap<string, InstalledProvider>,
): Promise<readonly Warning[]> {
  const described = await Promise.all(
    [...providers].map(async ([alias, { describeModel }]) => ({ alias, model: (await describeModel?.()) ?? null })),
  );
  return described
    .filter(({ model }) => model !== null && model.route !== null && model.route.entry === null)
    .toSorted((left, right) => compareUtf8(left.alias, right.alias))
    .map(({ alias, model }) => modelUncataloged(alias, model?.selector ?? null));
}
