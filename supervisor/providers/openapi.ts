import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';
import { offeredTools, selectTools, type SelectableTools } from './mcp.ts';
import { wayCredentials } from './network.ts';
import { approvalOfRows } from './mcp/tool-rows.ts';
import { operationRows } from './openapi/operation-rows.ts';
import { apiServing } from './openapi/serving.ts';
import type { InstalledProvider } from './source/installed-provider.ts';

type Api = InstallationOf<'openapi'>;

/** An API that an OpenAPI document describes (providers.md §7.9): its operations are selected as tools are. */
export function openapi(installation: Api, host: HostDocument | null): InstalledProvider {
  const common = hostInstallation(installation);
  const selectable: SelectableTools = { tools: operationRows(installation), ceilings: installation.ceilings };
  return {
    ...common,
    credentials: [...common.credentials, ...wayCredentials(host, installation.endpoint.startsWith('https:'))],
    policy: declaredPolicy(installation),
    authorization: installation.oauth === undefined ? 'none' : 'oauth',
    connectivity: 'acquisition',
    opensBeside: true,
    isShareable: () => true,
    ...apiServing(installation, host),
    isPlaceable: onlyIn('mission'),
    select: (_destination, config, limits) => selectTools(selectable, config, limits),
    offers: (selection) => offeredTools(selectable, selection),
    approvalOf: approvalOfRows(selectable.tools, installation.approval),
  };
}
