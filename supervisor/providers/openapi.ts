import type { Effect } from '../../contract/effect.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import { isJsonArray, type JsonObject } from '../../contract/json/value.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import { matches, NAME } from '../documents/fields/patterns.ts';
import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';
import { apiServing } from './openapi/serving.ts';
import { declaredName, EVERY_OPERATION, mayWrite, rowEffect } from './openapi/rows.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import {
  nameList,
  narrow,
  normalisedSelection,
  refusedSelection,
  unknownProperty,
  type SelectionCheck,
  type SelectionFault,
} from './source/selection.ts';

type Api = InstallationOf<'openapi'>;

/** An API that an OpenAPI document describes (providers.md §7.9). */
export function openapi(installation: Api, _: HostDocument | null): InstalledProvider {
  const isAuthorised = installation.oauth !== undefined;
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    authorization: isAuthorised ? 'oauth' : 'none',
    connectivity: 'acquisition',
    opensBeside: true,
    isLendable: () => true,
    servedThere: () => (isAuthorised ? 'not-served' : 'opened-once'),
    ...apiServing(installation),
    isPlaceable: onlyIn('mission'),
    select: (_destination, config, limits) => selectOperations(installation, config, limits),
    offers: ({ allow }) => offersOf(installation, isNameList(allow) ? allow : null),
  };
}

/** Names and effects as far as the host document says them; the OpenAPI document says the others. */
function offersOf(
  { operations }: Api,
  allow: readonly string[] | null,
): readonly { readonly name: string; readonly effect: Effect }[] {
  const declared = new Map(
    [...operations].flatMap(([upstream, row]) => {
      const name = declaredName(upstream, row);
      return name === null ? [] : [[name, rowEffect(upstream, row) ?? 'unknown'] as const];
    }),
  );
  const every = operations.get(EVERY_OPERATION);
  if (allow === null && every !== undefined) return [];
  return (allow ?? [...declared.keys()]).map((name) => ({
    name,
    effect: declared.get(name) ?? every?.effect ?? 'unknown',
  }));
}

const FIELDS = ['allow', 'model_visible', 'timeout_ms', 'max_result_bytes'] as const;

function selectOperations(installation: Api, config: JsonObject, limits: EffectiveLimits): SelectionCheck {
  const unknown = unknownProperty(config, FIELDS);
  if (unknown !== null) return unknown;
  const { ceilings, operations } = installation;
  // Where all are mapped, or an operation is named by its document alone, only the document knows the names.
  const names = [...operations].map(([upstream, row]) => declaredName(upstream, row));
  const known = names.includes(null) ? null : names.filter((name) => name !== null).toSorted(compareUtf8);
  const allowed = config.get('allow');
  if (allowed === undefined && [...operations].some(([upstream, row]) => mayWrite(upstream, row)))
    return refusedSelection({ field: 'allow', rule: 'required' });
  const allow = allowed === undefined ? known : namesOf(allowed, 'allow', known);
  if (allow !== null && !isNameList(allow)) return refusedSelection(allow);
  if (allow?.length === 0) return refusedSelection({ field: 'allow', rule: 'minimum', bound: 1 });
  const chosen = config.get('model_visible');
  const visible =
    chosen === undefined
      ? null
      : allow === null
        ? namesOf(chosen, 'model_visible', null)
        : nameList(chosen, 'model_visible', allow, 'subset');
  if (visible !== null && !isNameList(visible)) return refusedSelection(visible);
  const timeout = narrow(
    { field: 'timeout_ms', minimum: 1, ceiling: ceilings.timeout_ms, limit: 'evaluation_timeout_ms' },
    config.get('timeout_ms'),
    limits,
  );
  if (typeof timeout !== 'number') return refusedSelection(timeout);
  const result = narrow(
    { field: 'max_result_bytes', minimum: 1, ceiling: ceilings.max_result_bytes, limit: 'capability_result_bytes' },
    config.get('max_result_bytes'),
    limits,
  );
  if (typeof result !== 'number') return refusedSelection(result);
  return normalisedSelection({
    ...(allow === null ? {} : { allow }),
    ...(visible === null ? {} : { model_visible: visible }),
    timeout_ms: timeout,
    max_result_bytes: result,
  });
}

/** Of names that nobody knows yet the form is all that can be looked at. */
function namesOf(
  given: Parameters<typeof nameList>[0],
  field: string,
  known: readonly string[] | null,
): readonly string[] | SelectionFault {
  if (known !== null) return nameList(given, field, known, 'enum');
  const names = isJsonArray(given) ? given.filter((name) => typeof name === 'string') : [];
  if (names.some((name) => !matches(NAME, name))) return { field, rule: 'type' };
  return nameList(given, field, names, 'enum');
}

function isNameList(list: readonly string[] | boolean | number | SelectionFault | null | undefined): list is readonly string[] {
  return Array.isArray(list);
}
