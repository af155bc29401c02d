import type { ModelAlias } from '../../../contract/envelope/doctor.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { InstalledProvider, Occurrence } from '../../providers/source/installed-provider.ts';

/** Installed models as doctor lists them, in byte order (providers.md §12). `selected`: of the workflow. */
export async function findModelAliases(
  installed: ReadonlyMap<string, InstalledProvider>,
  selected: readonly Occurrence[],
  showsSelectors: boolean,
): Promise<readonly ModelAlias[]> {
  const models = [...installed]
    .filter(([, { isModel }]) => isModel)
    .toSorted(([left], [right]) => compareUtf8(left, right));
  return Promise.all(
    models.map(async ([alias, provider]): Promise<ModelAlias> => {
      const occurrence = selected.find((one) => one.alias === alias);
      const selector = showsSelectors ? ((await provider.describeModel?.())?.selector ?? null) : null;
      return {
        alias,
        source: provider.source === 'llm' || provider.source === 'llm_replay' ? provider.source : 'custom',
        installation_revision: provider.revision,
        default: occurrence === undefined ? null : occurrence.selection['default'] === true,
        selected: occurrence !== undefined,
        ...(selector !== null && { model_selector: selector }),
      };
    }),
  );
}
