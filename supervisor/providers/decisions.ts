import type { DecisionDeclaration } from '../../adapters/pool/decisions.ts';
import type { HostDocument, InstallationOf } from '../documents/host/fields.ts';
import { credentialsOf } from '../documents/host/semantics.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import { selectFields, type NormalisedSelection } from './source/selection.ts';
import { checkFixtures } from './fixtures.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';
import { ownServer } from './llm.ts';
import { usesPlainHttp, liveModel, retryPolicyOf, selectedBounds } from './models/live-model.ts';
import { wayCredentials } from './network.ts';
import { replayedBy } from './replay.ts';

type Installation = InstallationOf<'decision'>;

/** Nothing of a decision can be selected otherwise. */
const select: InstalledProvider['select'] = (_, config, limits) => selectFields([], [], config, limits);

/** A decision model; one that asks another installation's model is given that one's credential (providers.md §11). */
export function decision(installation: Installation, host: HostDocument | null): InstalledProvider {
  const model = resolveModel(installation, host);
  return {
    ...hostInstallation(installation),
    ...liveModel<DecisionDeclaration>({
      selector: model.declared.selector,
      host,
      prices: null,
      declarationOf: (selection, _, region) => declarationOf(installation, model, selection, region),
      adapterOf: async (threads) => {
        const [{ decisionAdapter }, { modelAdapter }] = await Promise.all([
          import('../../adapters/pool/decisions.ts'),
          import('../../adapters/pool/models.ts'),
        ]);
        return decisionAdapter(modelAdapter(threads));
      },
    }),
    policy: declaredPolicy(installation),
    credentials: [
      ...credentialsOf(installation),
      ...model.credentials,
      ...wayCredentials(host, !usesPlainHttp(model.declared.selector)),
    ],
    isPlaceable: onlyIn('workflow'),
    select,
  };
}

/** Which model decides, and what is known of it. */
interface DecidingModel {
  readonly declared: Pick<DecisionDeclaration, 'selector' | 'credential' | 'params' | 'guarantees' | 'wire' | 'server'>;
  /** Those of another installation, which are lent to this one. */
  readonly credentials: readonly string[];
}

/** A server of the operator's own is asked in chat completions, without a credential. */
function resolveModel(installation: Installation, host: HostDocument | null): DecidingModel {
  if ('llm' in installation) {
    const model = host?.install.get(installation.llm);
    if (model?.source !== 'llm') throw new Error('the host document was checked to have this model');
    return {
      declared: {
        selector: model.model,
        wire: model.wire ?? 'auto',
        credential: model.credential,
        params: model.params,
        guarantees: guaranteesOf(model),
        server: ownServer(model),
      },
      credentials: credentialsOf(model),
    };
  }
  const plain = { params: {}, guarantees: guaranteesOf(installation), server: null };
  if ('endpoint' in installation) {
    const selector = `openai-compat:${installation.endpoint}|${installation.model}`;
    return { declared: { ...plain, selector, credential: null, wire: 'chat' }, credentials: [] };
  }
  const { model: selector, credential } = installation;
  return { declared: { ...plain, selector, credential, wire: 'auto' }, credentials: [] };
}

function declarationOf(
  installation: Installation,
  { declared }: DecidingModel,
  selection: NormalisedSelection,
  region: string | null,
): DecisionDeclaration {
  return {
    ...selectedBounds(installation.ceilings, selection),
    retry: retryPolicyOf(installation),
    ...declared,
    schemaMode: 'json_schema',
    cache: false,
    routing: installation.routing ?? null,
    prices: null,
    // What a call may cost is declared.
    needsPrice: false,
    region,
    // Each decision is a request of its own.
    identity: '',
    bounds: boundsOf(installation),
  };
}

function guaranteesOf({
  usage_guarantees: { tokens, cost_currency: currency },
}: Pick<InstallationOf<'llm'>, 'usage_guarantees'>): DecisionDeclaration['guarantees'] {
  return { tokens, cost: currency !== null };
}

function boundsOf({
  max_cost_per_call: cost,
  max_total_tokens_per_call: maxTokens,
}: Installation | InstallationOf<'decision_replay'>): DecisionDeclaration['bounds'] {
  return { maxCost: cost.amount, maxTokens };
}

/** Recorded decisions. */
export function decisionReplay(installation: InstallationOf<'decision_replay'>): InstalledProvider {
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    isModel: true,
    isPlaceable: onlyIn('workflow'),
    select,
    isShareable: () => true,
    acquire: replayedBy(installation, { bounds: boundsOf(installation), guarantees: guaranteesOf(installation) }),
    localCheck: { reads: 'declaration', run: (tools) => checkFixtures(installation, tools) },
  };
}
