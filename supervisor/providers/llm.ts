import type { ModelDeclaration } from '../../adapters/pool/models.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { ProviderAdapter } from '../../contract/provider-protocol/session.ts';
import type { InstallationOf } from '../documents/host/fields.ts';
import type { InstalledProvider } from '../provider-source/installed-provider.ts';
import { selectFields } from '../provider-source/selection.ts';
import type { NormalisedSelection } from '../provider-source/selection.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';
import { admittedSession } from './admitted-session.ts';
import { acquireThrough, acquisitionRequest } from './acquire-through.ts';
import { CHECKED_BY_ROUTER } from './models/router-checks.ts';
import { modelThreads } from './models/model-threads.ts';
import { releasing } from './releasing.ts';

type Installation = InstallationOf<'llm'>;

/** A language model (providers.md §5). */
export function llm(installation: Installation): InstalledProvider {
  const { ceilings } = installation;
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    isModel: true,
    connectivity: 'probe',
    isPlaceable: onlyIn('workflow'),
    select: (_, config, limits) => selectFields([{ field: 'default', standard: false }], [
      { field: 'max_request_bytes', minimum: 1, ceiling: ceilings.max_request_bytes, limit: 'capability_argument_bytes' },
      { field: 'max_response_bytes', minimum: 1, ceiling: ceilings.max_response_bytes, limit: 'capability_result_bytes' },
      { field: 'max_calls', minimum: 1, ceiling: ceilings.max_calls, limit: 'workflow_capability_calls_per_name' },
    ], config, limits),
    localCheck: {
      reads: 'environment',
      run: async ({ tenant, admission, limits, remainingMs }) => {
        if (admission?.serves(tenant) === false) return { code: 'provider_admission_unavailable', hint: null };
        const declaration = declarationOf(installation, {}, limits, null);
        const finding = await withAdapter(tenant, async ({ checkLocally }) => checkLocally?.(declaration, Math.max(1, Math.floor(remainingMs()))));
        if (remainingMs() <= 0) return 'expired';
        return finding ?? 'passed';
      },
    },
    describeModel: async () => {
      const { describeModel } = await import('../../adapters/pool/models.ts');
      const described = describeModel(installation.model);
      return { selector: described?.isPublic === true ? installation.model : null, route: described };
    },
    probe: async (occurrence, tools) => {
      const declaration = declarationOf(installation, occurrence.selection, tools.limits, tools.variable('AWS_REGION') ?? null);
      return withAdapter(tools.tenant, async ({ probe }) => {
        if (probe === null) throw new Error('models can be asked');
        return probe(acquisitionRequest(occurrence, tools, declaration), { credentials: tools.credentials, signal: tools.signal });
      });
    },
    acquire: async (occurrence, tools) => {
      const declaration = declarationOf(installation, occurrence.selection, tools.limits, tools.variable('AWS_REGION') ?? null);
      const [{ threads, release }, { modelAdapter }] = await Promise.all([modelThreads.take(tools.tenant), import('../../adapters/pool/models.ts')]);
      const models = modelAdapter(threads);
      const adapter = releasing<ModelDeclaration>({
        acquire: async (request, context) => {
          const answer = await models.acquire(request, context);
          return answer.ok ? { ok: true, session: admittedSession(answer.session, tools.admission, tools.tenant) } : answer;
        },
      }, release);
      return acquireThrough(occurrence, tools, { adapter, declaration, checksOf: () => CHECKED_BY_ROUTER });
    },
  };
}

async function withAdapter<T>(tenant: string, use: (adapter: ProviderAdapter<ModelDeclaration>) => Promise<T>): Promise<T> {
  const { modelAdapter } = await import('../../adapters/pool/models.ts');
  return modelThreads.use(tenant, (threads) => use(modelAdapter(threads)));
}

function declarationOf({ model, credential, params, structured_output_mode: schemaMode, cache, usage_guarantees: guarantees, ceilings }: Installation, selection: NormalisedSelection, limits: EffectiveLimits, region: string | null): ModelDeclaration {
  const chosen = (field: 'max_calls' | 'max_request_bytes' | 'max_response_bytes'): number => {
    const value = selection[field];
    return typeof value === 'number' ? value : ceilings[field];
  };
  return {
    selector: model,
    credential,
    params,
    schemaMode,
    cache,
    guarantees: { tokens: guarantees.tokens, cost: guarantees.cost_currency !== null },
    needsPrice: limits.llm_cost_microusd !== null,
    maxCalls: chosen('max_calls'),
    requestBytes: chosen('max_request_bytes'),
    responseBytes: chosen('max_response_bytes'),
    timeoutMs: ceilings.request_timeout_ms,
    region,
  };
}
