import type { SelectionRule } from '../../../contract/diagnostics/messages/programs.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { integerOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { LimitName } from '../../../contract/limits/catalogue.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';

/** A selection with every omitted value filled in; lists are sorted by bytes (documents.md §3, "Selections"). */
export type NormalisedSelection = Readonly<Record<string, boolean | number | readonly string[]>>;

export type SelectionFault =
  | 'unknown_property'
  | {
      readonly field: string;
      readonly rule: SelectionRule;
      readonly bound?: number;
      /** Of a list: the item that is refused, and the names of which it should be one. */
      readonly item?: number;
      readonly names?: readonly string[];
      /** What people are shown, where the rule alone says too little. */
      readonly words?: { readonly problem: string; readonly remedy: string };
    };

/** `config` is the selection as digests and snapshots see it. */
export type SelectionCheck =
  | { readonly ok: true; readonly selection: NormalisedSelection; readonly config: JsonObject }
  /** `known`: the fields that it may have, where one is unknown. */
  | { readonly ok: false; readonly fault: SelectionFault; readonly known?: readonly string[] };

/** A flag that a selection may set. */
export interface FlagField {
  readonly field: string;
  readonly standard: boolean;
}

/** One integer that a selection may lower. */
export interface NarrowedField {
  readonly field: string;
  readonly minimum: number;
  /** What the installation allows. */
  readonly ceiling: number;
  /** The run limit that it may not pass either. */
  readonly limit: LimitName | null;
}

/**
 * Checks a `config` of flags and integers against what is installed and what the run allows; nothing is ever clamped.
 */
export function selectFields(
  flags: readonly FlagField[],
  integers: readonly NarrowedField[],
  config: JsonObject,
  limits: EffectiveLimits,
): SelectionCheck {
  const unknown = unknownProperty(
    config,
    [...flags, ...integers].map(({ field }) => field),
  );
  if (unknown !== null) return unknown;
  const selection: Record<string, boolean | number> = {};
  for (const { field, standard } of flags) {
    const input = config.get(field) ?? standard;
    if (typeof input !== 'boolean') return refusedSelection({ field, rule: 'type' });
    selection[field] = config.has(field) ? input : standard;
  }
  for (const narrowed of integers) {
    const decided = narrow(narrowed, config.get(narrowed.field), limits);
    if (typeof decided !== 'number') return refusedSelection(decided);
    selection[narrowed.field] = decided;
  }
  return normalisedSelection(selection);
}

/** The integer that is given or left out, or why it cannot be that. */
export function narrow(
  { field, minimum, ceiling, limit }: NarrowedField,
  input: JsonValue | undefined,
  limits: EffectiveLimits,
): number | SelectionFault {
  const allowed = limit === null ? null : limits[limit];
  const value = input === undefined ? Math.min(ceiling, allowed ?? ceiling) : integerOf(input);
  if (value === undefined) return { field, rule: 'type' };
  if (value < minimum) return { field, rule: 'minimum', bound: minimum };
  if (value > ceiling) return { field, rule: 'ceiling', bound: ceiling };
  if (allowed !== null && value > allowed) return { field, rule: 'limit', bound: allowed };
  return Number(value);
}

/**
 * The names sorted, or why they are no unique list out of `known`; `isOther`: others that may be in it, null for none.
 */
export function nameList(
  input: JsonValue,
  field: string,
  known: readonly string[],
  foreign: 'enum' | 'subset',
  isOther: ((name: string) => boolean) | null = null,
): readonly string[] | SelectionFault {
  if (!isJsonArray(input)) return { field, rule: 'type' };
  const names = input.filter((name) => typeof name === 'string');
  if (names.length < input.length) return { field, rule: 'type' };
  if (new Set(names).size < names.length) return { field, rule: 'unique_items' };
  const item = names.findIndex((name) => !known.includes(name) && isOther?.(name) !== true);
  if (item !== -1) return { field, rule: foreign, item, names: known };
  return names.toSorted(compareUtf8);
}

/** A refusal where the `config` has a field that is none of these; else null. */
export function unknownProperty(config: JsonObject, fields: readonly string[]): SelectionCheck | null {
  return [...config.keys()].some((key) => !fields.includes(key))
    ? { ok: false, fault: 'unknown_property', known: fields }
    : null;
}

export function refusedSelection(fault: SelectionFault): SelectionCheck {
  return { ok: false, fault };
}

export function normalisedSelection(selection: NormalisedSelection): SelectionCheck {
  const config = jsonFromPlain(selection);
  if (!isJsonObject(config)) throw new Error('a normalised selection is a JSON object');
  return { ok: true, selection, config };
}
