import type { ModelDeclaration, ModelPrices, ModelThreads } from '../../../adapters/pool/models.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { ProviderAdapter } from '../../../contract/provider-protocol/session.ts';
import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { InstalledProvider } from '../source/installed-provider.ts';
import type { NormalisedSelection } from '../source/selection.ts';
import { acquireThrough, makeAcquisitionRequest } from '../acquire-through.ts';
import { admittedSession } from '../admitted-session.ts';
import { checkWay, networkOf } from '../network.ts';
import { releasing } from '../releasing.ts';
import { modelThreads } from './model-threads.ts';
import { CHECKED_BY_ROUTER } from './router-checks.ts';

/** A model that is asked over the network, by itself or to decide. */
export interface LiveModel<D extends ModelDeclaration> {
  readonly selector: string;
  /** The document that it is in, or beside which it is. */
  readonly host: HostDocument | null;
  readonly prices: ModelPrices | null;
  /** `region`: that of Bedrock in the environment; null without one. */
  readonly declarationOf: (selection: NormalisedSelection, limits: EffectiveLimits, region: string | null) => D;
  readonly adapterOf: (threads: ModelThreads) => Promise<ProviderAdapter<D>>;
}

/** What every step of a command does with a live model (providers.md §5, §12, §14). */
export function liveModel<D extends ModelDeclaration>({
  selector,
  host,
  prices,
  declarationOf,
  adapterOf,
}: LiveModel<D>): Pick<
  InstalledProvider,
  'isModel' | 'connectivity' | 'localCheck' | 'describeModel' | 'probe' | 'acquire' | 'isShareable'
> {
  const withAdapter = async <T>(tenant: string, use: (adapter: ProviderAdapter<D>) => Promise<T>): Promise<T> =>
    modelThreads.use(tenant, async (threads) => use(await adapterOf(threads)));
  return {
    isModel: true,
    isShareable: () => true,
    connectivity: 'probe',
    localCheck: {
      reads: 'environment',
      run: async (tools) => {
        const { tenant, admission, limits, budget, signal } = tools;
        if (admission?.serves(tenant) === false) return { code: 'provider_admission_unavailable', hint: null };
        const declaration = declarationOf({}, limits, null);
        const checked = await withAdapter(tenant, async ({ checkLocally }) => checkLocally?.(declaration, signal));
        budget.spend(checked?.processorMs ?? 0);
        return checked?.finding ?? (await checkWay(host)?.(tools)) ?? 'passed';
      },
    },
    describeModel: async () => {
      const { baseRates, describeModel } = await import('../../../adapters/pool/models.ts');
      const described = describeModel(selector);
      return {
        selector: described?.isPublic === true ? selector : null,
        route: described,
        ownPrices: prices === null ? null : baseRates(prices),
      };
    },
    probe: async (occurrence, tools) => {
      const declaration = declarationOf(occurrence.selection, tools.limits, tools.variable('AWS_REGION') ?? null);
      const network = await networkOf(host, tools);
      return withAdapter(tools.tenant, async ({ probe }) => {
        if (probe === null) throw new Error('models can be asked');
        return probe(makeAcquisitionRequest(occurrence, tools, declaration), {
          credentials: tools.credentials,
          network,
          signal: tools.signal,
        });
      });
    },
    acquire: async (occurrence, tools) => {
      const declaration = declarationOf(occurrence.selection, tools.limits, tools.variable('AWS_REGION') ?? null);
      const network = await networkOf(host, tools);
      const { threads, release } = await modelThreads.take(tools.tenant);
      const models = await adapterOf(threads);
      const adapter = releasing<D>(
        {
          acquire: async (request, context) => {
            const answer = await models.acquire(request, context);
            return answer.ok
              ? { ok: true, session: admittedSession(answer.session, tools.admission, tools.tenant) }
              : answer;
          },
        },
        release,
      );
      return acquireThrough(occurrence, tools, { adapter, declaration, checksOf: () => CHECKED_BY_ROUTER, network });
    },
  };
}

/** What an installation of any live model says of its calls. */
export type ModelCeilings = InstallationOf<'llm'>['ceilings'];

const STANDARD_RETRY: ModelDeclaration['retry'] = { attempts: 3, maxWaitMs: 30_000 };

/** How the calls of an installation are tried again (world.md §1.4). */
export function retryPolicyOf({ retry }: Pick<InstallationOf<'llm'>, 'retry'>): ModelDeclaration['retry'] {
  return retry === undefined ? STANDARD_RETRY : { attempts: retry.attempts, maxWaitMs: retry.max_wait_ms };
}

/** The bounds of one call, as the selection narrowed them. */
export function selectedBounds(
  ceilings: ModelCeilings,
  selection: NormalisedSelection,
): Pick<ModelDeclaration, 'maxCalls' | 'requestBytes' | 'responseBytes' | 'timeoutMs'> {
  const chosen = (field: 'max_calls' | 'max_request_bytes' | 'max_response_bytes'): number => {
    const value = selection[field];
    return typeof value === 'number' ? value : ceilings[field];
  };
  return {
    maxCalls: chosen('max_calls'),
    requestBytes: chosen('max_request_bytes'),
    responseBytes: chosen('max_response_bytes'),
    timeoutMs: ceilings.request_timeout_ms,
  };
}

/** Whether a selector leads to a server by plain HTTP, which is spoken within this machine alone. */
export function usesPlainHttp(selector: string): boolean {
  return /^(?:ollama:|openai-compat:http:)/.test(selector);
}
