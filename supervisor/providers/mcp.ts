import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { Effect } from '../../contract/effect.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import { isReservedName } from '../../contract/routes.ts';
import { EVERY_TOOL } from '../../contract/tool-mapping.ts';
import { matches, NAME } from '../documents/fields/patterns.ts';
import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { oauthOf } from '../documents/host/semantics.ts';
import type { InstalledProvider, Offer } from './source/installed-provider.ts';
import {
  narrow,
  nameList,
  normalisedSelection,
  refusedSelection,
  unknownProperty,
  type NormalisedSelection,
  type SelectionCheck,
  type SelectionFault,
} from './source/selection.ts';
import { declaredPolicy, hostInstallation } from './host-installation.ts';
import type { ServedInstallation } from './mcp/declaration.ts';
import { serving } from './mcp/serving.ts';
import { wayCredentials } from './network.ts';
import { approvalOfRows, toolRows, type NamedRow, type ToolRows } from './mcp/tool-rows.ts';

type Mcp = InstallationOf<'mcp'>;

/** Tools of an MCP server (providers.md §7). Its catalogue is the one thing of it that a workflow may have. */
export function mcp(installation: ServedInstallation, host: HostDocument | null): InstalledProvider {
  // What a document declares is identified; how an import is mapped is in none.
  const { imported: _, ...declared } = installation;
  const common = hostInstallation(declared);
  return {
    ...common,
    credentials: [...common.credentials, ...wayCredentials(host, isSecure(installation))],
    policy: declaredPolicy(installation),
    authorization: oauthOf(installation) === undefined ? 'none' : 'oauth',
    connectivity: 'acquisition',
    opensBeside: true,
    // A catalogue is asked for when a run begins.
    isShareable: (selection) => selection['catalog'] !== true,
    // A workflow may have the catalogue of a server alone, which is asked for by each run.
    servedThere: (destination) => (destination === 'workflow' ? 'not-served' : 'opened-once'),
    ...serving(installation, host),
    isPlaceable: (destination, config) => destination === 'mission' || config.has('catalog'),
    select: (destination, config, limits) =>
      destination === 'mission' ? selectTools(toolsOf(installation), config, limits) : selectCatalog(config),
    offers: (selection) => offeredTools(toolsOf(installation), selection),
    approvalOf: approvalOfRows(toolRows(installation.tools), installation.approval),
  };
}

function isSecure({ transport }: Mcp): boolean {
  return transport.type === 'streamable_http' && transport.endpoint.startsWith('https:');
}

/** Tools that an installation maps, and the most that a selection may ask of them. */
export interface SelectableTools {
  readonly tools: ToolRows;
  readonly ceilings: { readonly timeout_ms: number; readonly max_result_bytes: number };
}

function toolsOf({ tools, ceilings }: Mcp): SelectableTools {
  return { tools: toolRows(tools), ceilings };
}

/** What a mission may select of them (documents.md §3). */
export function selectTools(
  { tools, ceilings }: SelectableTools,
  config: JsonObject,
  limits: EffectiveLimits,
): SelectionCheck {
  const unknown = unknownProperty(config, ['allow', 'model_visible', 'timeout_ms', 'max_result_bytes']);
  if (unknown !== null) return unknown;
  const allow = allowedNames(tools, config.get('allow'));
  if (!isNameList(allow)) return refusedSelection(allow);
  const visible = visibleNames(tools, allow, config.get('model_visible'));
  if (!isNameList(visible)) return refusedSelection(visible);
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
  return normalisedSelection({ allow, model_visible: visible, timeout_ms: timeout, max_result_bytes: result });
}

/**
 * Names that a selection allows, sorted; `*` means every tool without a row of its own. In a document it means these as
 * well.
 */
function allowedNames({ rows, every }: ToolRows, input: JsonValue | undefined): readonly string[] | SelectionFault {
  const own = rows.map(({ as }) => as);
  const all = (every === null ? own : [...own, EVERY_TOOL]).toSorted(compareUtf8);
  const mayWrite = [...rows, ...(every === null ? [] : [every])].some(({ effect }) => effect !== 'read');
  if (input === undefined && mayWrite) return { field: 'allow', rule: 'required' };
  const names = input === undefined ? all : nameList(input, 'allow', all, 'enum', every === null ? null : isTool);
  if (!isNameList(names)) return names;
  if (names.length === 0) return { field: 'allow', rule: 'minimum', bound: 1 };
  return names.includes(EVERY_TOOL) ? all : names;
}

/** Those that models are shown, in the same form. */
function visibleNames(
  { rows, every }: ToolRows,
  allow: readonly string[],
  input: JsonValue | undefined,
): readonly string[] | SelectionFault {
  const own = new Set(rows.map(({ as }) => as));
  if (input === undefined) {
    const marked = rows.filter((row) => row.model_visible && allow.includes(row.as)).map(({ as }) => as);
    const others = every?.model_visible === true ? allow.filter((name) => !own.has(name)) : [];
    return [...marked, ...others].toSorted(compareUtf8);
  }
  const hasRest = allow.includes(EVERY_TOOL);
  const isOther = (name: string): boolean => isTool(name) && !own.has(name);
  const names = nameList(input, 'model_visible', allow, 'subset', hasRest ? isOther : null);
  return isNameList(names) && names.includes(EVERY_TOOL) ? allow : names;
}

/** Whether a tool that a server may offer can have the name: what it offers is not known yet. */
function isTool(name: string): boolean {
  return matches(NAME, name) && !isReservedName(name);
}

/** What is known before the server is asked; `*` means tools that only it can name. */
export function offeredTools(
  { tools: { rows, every } }: SelectableTools,
  { allow }: NormalisedSelection,
): readonly Offer[] {
  if (typeof allow !== 'object') return [];
  const effectOf = ({ effect }: Pick<NamedRow, 'effect'>): Effect => (effect === 'annotations' ? 'unknown' : effect);
  const own = rows.filter(({ as }) => allow.includes(as));
  const names = new Set(rows.map(({ as }) => as));
  const others = every === null ? [] : allow.filter((name) => !names.has(name));
  return [
    ...own.map((row) => ({ name: row.as, effect: effectOf(row) })),
    ...(every === null ? [] : others.map((name) => ({ name, effect: effectOf(every) }))),
  ];
}

/** Read only, nothing to choose (documents.md §3). */
function selectCatalog(config: JsonObject): SelectionCheck {
  return (
    unknownProperty(config, ['catalog']) ??
    (config.get('catalog') === true
      ? normalisedSelection({ catalog: true })
      : refusedSelection({ field: 'catalog', rule: 'enum' }))
  );
}

function isNameList(list: readonly string[] | boolean | number | SelectionFault): list is readonly string[] {
  return Array.isArray(list);
}
