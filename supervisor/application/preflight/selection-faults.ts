import {
  RULE_PROBLEMS,
  SELECTION_RULE_PROBLEMS,
  SELECTION_RULE_REMEDIES,
} from '../../../contract/diagnostics/remedies/rules.ts';
import type { Destination } from '../../../contract/diagnostics/diagnostic.ts';
import { isJsonArray, type JsonObject } from '../../../contract/json/value.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import { insteadOf } from '../../../contract/names/suggestion.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import type { Manifest, ManifestSelection } from '../../documents/manifest/fields.ts';
import type { SelectionCheck } from '../../providers/source/selection.ts';
import type { AnyInstallation } from '../../providers/table.ts';
import { findInstalled, selectOne, type RefusedSelection } from './providers.ts';

export interface SelectionFacts {
  readonly manifest: Manifest;
  readonly host: HostDocument | null;
  readonly installed: ReadonlyMap<string, AnyInstallation>;
  readonly limits: EffectiveLimits;
}

/** Every selection of a manifest that cannot be, with what to do (documents.md §12.9). */
export function* findSelectionFaults({ manifest, host, installed, limits }: SelectionFacts): Iterable<LocatedFault> {
  const find = findInstalled(installed, host);
  for (const destination of ['workflow', 'mission'] as const) {
    for (const [index, selection] of manifest.providers[destination].entries()) {
      const selected = selectOne({ destination, index, selection, find, limits });
      if (selected.ok) continue;
      yield {
        diagnostic: selected.diagnostic,
        ...placed(selected, destination, index, selection, host === null ? null : [...installed.keys()]),
      };
    }
  }
}

type SelectionPlace = Pick<LocatedFault, 'at' | 'problem' | 'remedy'>;

/** `aliases` null: there is no host document. */
function placed(
  { diagnostic, refused }: RefusedSelection,
  destination: Destination,
  index: number,
  { name, config }: ManifestSelection,
  aliases: readonly string[] | null,
): SelectionPlace {
  const at = ['providers', destination, String(index)];
  if (diagnostic.code === 'provider_unknown') {
    if (aliases === null)
      return {
        at: [...at, 'name'],
        remedy: 'no host document is given: name one with --host-config, or as host in a project',
      };
    return { at: [...at, 'name'], ...(aliases.length === 0 ? {} : { remedy: insteadOf(name, aliases) }) };
  }
  if (refused === null) return { at: [...at, 'name'] };
  return refusedPlace(refused, [...at, 'config'], config);
}

function refusedPlace(
  { fault, known }: Extract<SelectionCheck, { ok: false }>,
  at: readonly string[],
  config: JsonObject,
): SelectionPlace {
  if (fault !== 'unknown_property') {
    const { field, rule, bound, item, names = [] } = fault;
    const problem = SELECTION_RULE_PROBLEMS[rule].replace('BOUND', String(bound ?? 'its bound'));
    const remedy = SELECTION_RULE_REMEDIES[rule].replace('BOUND', String(bound ?? 'its bound'));
    if (item === undefined) return { at: [...at, field], problem, remedy };
    const listed = config.get(field);
    const given = isJsonArray(listed) ? listed[item] : undefined;
    const instead = names.length === 0 ? remedy : insteadOf(typeof given === 'string' ? given : '', names);
    return { at: [...at, field, String(item)], problem, remedy: instead };
  }
  const unknown = known === undefined ? undefined : [...config.keys()].find((key) => !known.includes(key));
  if (unknown === undefined || known === undefined)
    return { at, problem: RULE_PROBLEMS.unknown_property, remedy: 'remove it' };
  return {
    at: [...at, unknown],
    problem: RULE_PROBLEMS.unknown_property,
    remedy: known.length === 0 ? 'remove it: this provider takes no config' : insteadOf(unknown, known),
  };
}
