import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { oauthOf } from '../documents/host/semantics.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import {
  narrow,
  nameList,
  normalisedSelection,
  refusedSelection,
  unknownProperty,
  type SelectionCheck,
  type SelectionFault,
} from './source/selection.ts';
import { declaredPolicy, hostInstallation } from './host-installation.ts';
import { serving } from './mcp/serving.ts';
import { wayCredentials } from './network.ts';

type Mcp = InstallationOf<'mcp'>;

/** Tools of an MCP server (providers.md §7). Its catalogue is the one thing of it that a workflow may have. */
export function mcp(installation: Mcp, host: HostDocument | null): InstalledProvider {
  const common = hostInstallation(installation);
  return {
    ...common,
    credentials: [...common.credentials, ...wayCredentials(host, isSecure(installation))],
    policy: declaredPolicy(installation),
    authorization: oauthOf(installation) === undefined ? 'none' : 'oauth',
    connectivity: 'acquisition',
    opensBeside: true,
    // A catalogue is asked for when a run begins.
    isLendable: (selection) => selection['catalog'] !== true,
    // A workflow may have the catalogue of a server alone, which is asked for by each run.
    servedThere: (destination) => (destination === 'workflow' ? 'not-served' : 'opened-once'),
    ...serving(installation, host),
    isPlaceable: (destination, config) => destination === 'mission' || config.has('catalog'),
    select: (destination, config, limits) =>
      destination === 'mission' ? selectTools(installation, config, limits) : selectCatalog(config),
    offers: ({ allow = [] }) => {
      const allowed = isNameList(allow) ? allow : [];
      return [...installation.tools.values()]
        .filter((tool) => allowed.includes(tool.as))
        .map((tool) => ({ name: tool.as, effect: tool.effect }));
    },
  };
}

function isSecure({ transport }: Mcp): boolean {
  return transport.type === 'streamable_http' && transport.endpoint.startsWith('https:');
}

function selectTools(installation: Mcp, config: JsonObject, limits: EffectiveLimits): SelectionCheck {
  const unknown = unknownProperty(config, ['allow', 'model_visible', 'timeout_ms', 'max_result_bytes']);
  if (unknown !== null) return unknown;
  const tools = [...installation.tools.values()];
  const installed = tools.map((tool) => tool.as).toSorted(compareUtf8);
  const allowed = config.get('allow');
  if (allowed === undefined && tools.some(({ effect }) => effect === 'write'))
    return refusedSelection({ field: 'allow', rule: 'required' });
  const allow = allowed === undefined ? installed : nameList(allowed, 'allow', installed, 'enum');
  if (!isNameList(allow)) return refusedSelection(allow);
  if (allow.length === 0) return refusedSelection({ field: 'allow', rule: 'minimum', bound: 1 });
  const marked = tools.filter((tool) => tool.model_visible && allow.includes(tool.as)).map((tool) => tool.as);
  const chosen = config.get('model_visible');
  const visible =
    chosen === undefined ? marked.toSorted(compareUtf8) : nameList(chosen, 'model_visible', allow, 'subset');
  if (!isNameList(visible)) return refusedSelection(visible);
  const { ceilings } = installation;
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
