import type { SelectionRule } from '../../contract/diagnostics/messages/programs.ts';
import { integerOf, isJsonArray } from '../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { LimitName } from '../../contract/limits/catalogue.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { Installation, InstallationOf } from '../documents/host/fields.ts';

/** A selection with every omitted value filled in; lists are sorted by bytes (documents.md §3, "Selections"). */
export type NormalisedSelection = Readonly<Record<string, boolean | number | readonly string[]>>;

export type SelectionFault =
  | 'unknown_property'
  | { readonly field: string; readonly rule: SelectionRule; readonly bound?: number };

export type SelectionCheck =
  | { readonly ok: true; readonly selection: NormalisedSelection }
  | { readonly ok: false; readonly fault: SelectionFault };

/** One integer that a selection may lower. */
interface NarrowedField {
  readonly field: string;
  readonly minimum: number;
  /** What the installation allows. */
  readonly ceiling: number;
  /** The run limit that it may not pass either. */
  readonly limit: LimitName | null;
}

interface SelectionTable {
  readonly flags: readonly { readonly field: string; readonly standard: boolean }[];
  readonly integers: readonly NarrowedField[];
}

/** Results of a snapshot query never fit below that (documents.md §3). */
const MIN_SNAPSHOT_RESULT_BYTES = 450;

function tableOf(installation: Exclude<Installation, { readonly source: 'mcp' }>): SelectionTable {
  switch (installation.source) {
    case 'llm': {
      const { ceilings } = installation;
      return {
        flags: [{ field: 'default', standard: false }],
        integers: [
          { field: 'max_request_bytes', minimum: 1, ceiling: ceilings.max_request_bytes, limit: 'capability_argument_bytes' },
          { field: 'max_response_bytes', minimum: 1, ceiling: ceilings.max_response_bytes, limit: 'capability_result_bytes' },
          { field: 'max_calls', minimum: 1, ceiling: ceilings.max_calls, limit: 'workflow_capability_calls_per_name' },
        ],
      };
    }
    case 'llm_replay': {
      const { ceilings } = installation;
      return {
        flags: [{ field: 'default', standard: false }],
        integers: [
          { field: 'max_result_bytes', minimum: 1, ceiling: ceilings.max_result_bytes, limit: 'capability_result_bytes' },
          { field: 'max_calls', minimum: 1, ceiling: ceilings.max_calls, limit: 'workflow_capability_calls_per_name' },
        ],
      };
    }
    case 'svc_trace_snapshot':
    case 'svc_private_trace_snapshot':
      return {
        flags: [{ field: 'expose', standard: true }],
        integers: [
          { field: 'max_source_bytes', minimum: 1, ceiling: installation.ceilings.max_source_bytes, limit: null },
          snapshotResult(installation.ceilings.max_result_bytes),
        ],
      };
    case 'svc_inspection_snapshot': {
      const { ceilings } = installation;
      return {
        flags: [],
        integers: [
          { field: 'max_files', minimum: 1, ceiling: ceilings.max_files, limit: null },
          { field: 'max_source_bytes', minimum: 1, ceiling: ceilings.max_source_bytes, limit: null },
          snapshotResult(ceilings.max_result_bytes),
        ],
      };
    }
    case 'decision':
    case 'decision_replay':
      return { flags: [], integers: [] };
  }
}

function snapshotResult(ceiling: number): NarrowedField {
  return { field: 'max_result_bytes', minimum: MIN_SNAPSHOT_RESULT_BYTES, ceiling, limit: 'capability_result_bytes' };
}

/** Checks one `config` against what is installed and what the run allows; nothing is ever clamped. */
export function checkSelection(installation: Installation, config: JsonObject, limits: EffectiveLimits): SelectionCheck {
  if (installation.source === 'mcp') return checkMcp(installation, config, limits);
  return checkTable(tableOf(installation), config, limits);
}

function checkTable(table: SelectionTable, config: JsonObject, limits: EffectiveLimits): SelectionCheck {
  const fields = new Set([...table.flags, ...table.integers].map(({ field }) => field));
  if ([...config.keys()].some((key) => !fields.has(key))) return refused('unknown_property');
  const selection: Record<string, boolean | number> = {};
  for (const { field, standard } of table.flags) {
    const given = config.get(field) ?? standard;
    if (typeof given !== 'boolean') return refused({ field, rule: 'type' });
    selection[field] = config.has(field) ? given : standard;
  }
  for (const narrowed of table.integers) {
    const decided = narrow(narrowed, config.get(narrowed.field), limits);
    if (typeof decided !== 'number') return refused(decided);
    selection[narrowed.field] = decided;
  }
  return { ok: true, selection };
}

function narrow(
  { field, minimum, ceiling, limit }: NarrowedField,
  given: JsonValue | undefined,
  limits: EffectiveLimits,
): number | SelectionFault {
  const allowed = limit === null ? null : limits[limit];
  const value = given === undefined ? Math.min(ceiling, allowed ?? ceiling) : integerOf(given);
  if (value === undefined) return { field, rule: 'type' };
  if (value < minimum) return { field, rule: 'minimum', bound: minimum };
  if (value > ceiling) return { field, rule: 'ceiling', bound: ceiling };
  if (allowed !== null && value > allowed) return { field, rule: 'limit', bound: allowed };
  return Number(value);
}

const MCP_FIELDS: ReadonlySet<string> = new Set(['allow', 'model_visible', 'timeout_ms', 'max_result_bytes']);

function checkMcp(installation: InstallationOf<'mcp'>, config: JsonObject, limits: EffectiveLimits): SelectionCheck {
  if ([...config.keys()].some((key) => !MCP_FIELDS.has(key))) return refused('unknown_property');
  const tools = [...installation.tools.values()];
  const installed = tools.map((tool) => tool.as).toSorted(compareUtf8);
  const allowed = config.get('allow');
  if (allowed === undefined && tools.some(({ effect }) => effect === 'write')) return refused({ field: 'allow', rule: 'required' });
  const allow = allowed === undefined ? installed : nameList(allowed, 'allow', installed, 'enum');
  if (!isNameList(allow)) return refused(allow);
  if (allow.length === 0) return refused({ field: 'allow', rule: 'minimum', bound: 1 });
  const marked = tools.filter((tool) => tool.model_visible && allow.includes(tool.as)).map((tool) => tool.as);
  const chosen = config.get('model_visible');
  const visible = chosen === undefined ? marked.toSorted(compareUtf8) : nameList(chosen, 'model_visible', allow, 'subset');
  if (!isNameList(visible)) return refused(visible);
  const { ceilings } = installation;
  const timeout = narrow(
    { field: 'timeout_ms', minimum: 1, ceiling: ceilings.timeout_ms, limit: 'evaluation_timeout_ms' },
    config.get('timeout_ms'),
    limits,
  );
  if (typeof timeout !== 'number') return refused(timeout);
  const result = narrow(
    { field: 'max_result_bytes', minimum: 1, ceiling: ceilings.max_result_bytes, limit: 'capability_result_bytes' },
    config.get('max_result_bytes'),
    limits,
  );
  if (typeof result !== 'number') return refused(result);
  return { ok: true, selection: { allow, model_visible: visible, timeout_ms: timeout, max_result_bytes: result } };
}

/** A catalogue of a server for the workflow: read only, nothing to choose (documents.md §3). */
export function checkCatalogSelection(config: JsonObject): SelectionCheck {
  if ([...config.keys()].some((key) => key !== 'catalog')) return refused('unknown_property');
  return config.get('catalog') === true
    ? { ok: true, selection: { catalog: true } }
    : refused({ field: 'catalog', rule: 'enum' });
}

/** The names sorted, or why they are no unique list out of `known`. */
function nameList(
  given: JsonValue,
  field: string,
  known: readonly string[],
  foreign: 'enum' | 'subset',
): readonly string[] | SelectionFault {
  if (!isJsonArray(given)) return { field, rule: 'type' };
  const names = given.filter((name) => typeof name === 'string');
  if (names.length < given.length) return { field, rule: 'type' };
  if (new Set(names).size < names.length) return { field, rule: 'unique_items' };
  if (!names.every((name) => known.includes(name))) return { field, rule: foreign };
  return names.toSorted(compareUtf8);
}

function isNameList(list: readonly string[] | SelectionFault): list is readonly string[] {
  return Array.isArray(list);
}

function refused(fault: SelectionFault): SelectionCheck {
  return { ok: false, fault };
}
