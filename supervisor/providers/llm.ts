import type { ModelDeclaration, ModelPrices } from '../../adapters/pool/models.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import { selectFields, type NarrowedField, type NormalisedSelection } from './source/selection.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';
import { usesPlainHttp, liveModel, retryPolicyOf, selectedBounds, type ModelCeilings } from './models/live-model.ts';
import { modelIdentity } from './models/model-identity.ts';
import { wayCredentials } from './network.ts';

type Installation = InstallationOf<'llm'>;

/** A language model (providers.md §5). */
export function llm(installation: Installation, host: HostDocument | null): InstalledProvider {
  const common = hostInstallation(installation);
  return {
    ...common,
    credentials: [...common.credentials, ...wayCredentials(host, !usesPlainHttp(installation.model))],
    ...liveModel<ModelDeclaration>({
      selector: installation.model,
      host,
      prices: installation.prices === undefined ? null : pricesOf(installation.prices),
      declarationOf: (selection, limits, region) => ({
        ...declarationOf(installation, selection, limits, region),
        identity: modelIdentity(installation),
      }),
      adapterOf: async (threads) => (await import('../../adapters/pool/models.ts')).modelAdapter(threads),
    }),
    policy: declaredPolicy(installation),
    isPlaceable: onlyIn('workflow'),
    select: (_, config, limits) =>
      selectFields([{ field: 'default', standard: false }], narrowedBy(installation.ceilings), config, limits),
  };
}

/** What a selection of a live model may lower (documents.md §3). */
export function narrowedBy(ceilings: ModelCeilings): readonly NarrowedField[] {
  return [
    { field: 'max_request_bytes', minimum: 1, ceiling: ceilings.max_request_bytes, limit: 'capability_argument_bytes' },
    { field: 'max_response_bytes', minimum: 1, ceiling: ceilings.max_response_bytes, limit: 'capability_result_bytes' },
    { field: 'max_calls', minimum: 1, ceiling: ceilings.max_calls, limit: 'workflow_capability_calls_per_name' },
  ];
}

function declarationOf(
  {
    model,
    credential,
    params,
    structured_output_mode: schemaMode,
    cache,
    wire = 'auto',
    usage_guarantees: guarantees,
    prices,
    ceilings,
    retry,
    ...own
  }: Installation,
  selection: NormalisedSelection,
  limits: EffectiveLimits,
  region: string | null,
): Omit<ModelDeclaration, 'identity'> {
  return {
    ...selectedBounds(ceilings, selection),
    retry: retryPolicyOf({ ...(retry !== undefined && { retry }) }),
    selector: model,
    wire,
    credential,
    params,
    schemaMode,
    cache,
    guarantees: { tokens: guarantees.tokens, cost: guarantees.cost_currency !== null },
    routing: null,
    prices: prices === undefined ? null : pricesOf(prices),
    needsPrice: limits.llm_cost_microusd !== null,
    region,
    server: ownServer(own),
  };
}

/** Null where nothing is said of how the server is asked. */
export function ownServer({
  headers,
  query,
  auth,
  max_tokens_field: outputLimitMember,
}: Pick<Installation, 'headers' | 'query' | 'auth' | 'max_tokens_field'>): ModelDeclaration['server'] {
  if ([headers, query, auth, outputLimitMember].every((field) => field === undefined)) return null;
  return {
    headers: new Map(
      [...(headers ?? [])].map(([header, value]) => [
        header.toLowerCase(),
        typeof value === 'string' ? value : { credential: value.binding },
      ]),
    ),
    query: query ?? new Map(),
    credentialHeader: auth?.type === 'api_key' ? auth.header.toLowerCase() : null,
    outputLimitMember: outputLimitMember ?? null,
  };
}

/** Dollars per million of each, as the operator writes them; requests are counted by the thousand in a price list. */
function pricesOf({
  cache_read: cacheRead,
  cache_write: cacheWrite,
  request,
  ...tokens
}: NonNullable<Installation['prices']>): ModelPrices {
  const rates = { ...tokens, cacheRead, cacheWrite, request: request === undefined ? undefined : `${request}e-3` };
  return Object.fromEntries(
    Object.entries(rates).flatMap(([name, base]) => (base === undefined ? [] : [[name, { base }]])),
  );
}
