import { insteadOf } from '../../../../contract/names/suggestion.ts';
import {
  boolean,
  defaulted,
  integer,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../../fields/shape.ts';
import { DECIMAL } from '../../fields/patterns.ts';
import { dataPolicy, guarantees, hostPath, name, replayCeilings, revision, type SourceFault } from './common.ts';
import { llmFields, retry } from './llm.ts';

const perCall = {
  max_cost_per_call: required(object({ currency: required(oneOfValues('USD')), amount: required(text(64, DECIMAL)) })),
  max_total_tokens_per_call: required(integer(1, Number.MAX_SAFE_INTEGER)),
} as const;

const decision = {
  source: required(oneOfValues('decision')),
  installation_revision: revision,
  ...dataPolicy,
  ...perCall,
  routing: optional(
    object({
      zdr: optional(boolean),
      allow_fallbacks: optional(boolean),
      data_collection: optional(oneOfValues('allow', 'deny')),
    }),
  ),
  retry,
  ceilings: llmFields.fields.ceilings,
} as const;

export const decisionFields = object({
  ...decision,
  usage_guarantees: required(guarantees),
  model: required(text(256)),
  credential: required(name),
});

export const httpDecisionFields = object({
  ...decision,
  backend: required(oneOfValues('http')),
  usage_guarantees: required(guarantees),
  endpoint: required(text(4096)),
  allow_insecure_loopback: defaulted(boolean, false),
  model: required(text(256)),
});

/** Guarantees and credential are those of the named model installation. */
export const chatDecisionFields = object({ ...decision, backend: required(oneOfValues('chat')), llm: required(name) });

export const decisionReplayFields = object({
  source: required(oneOfValues('decision_replay')),
  installation_revision: revision,
  ...dataPolicy,
  ...perCall,
  fixtures: required(hostPath),
  usage_guarantees: defaulted(
    guarantees,
    new Map<string, boolean | string>([
      ['tokens', true],
      ['cost_currency', 'USD'],
    ]),
  ),
  ceilings: replayCeilings,
});

/** As much of another installation as the rule looks at. */
interface OtherInstallation {
  readonly source: string;
  readonly structured_output_mode?: string;
}

/** The model that a decision asks is installed, and answers by a schema. */
export function* decisionFaults(
  installation: Decoded<typeof decisionFields | typeof httpDecisionFields | typeof chatDecisionFields>,
  { install }: { readonly install: ReadonlyMap<string, OtherInstallation> },
): Iterable<SourceFault> {
  if (!('llm' in installation)) return;
  const usable = [...install].flatMap(([alias, model]) =>
    model.source === 'llm' && model.structured_output_mode === 'json_schema' ? [alias] : [],
  );
  if (usable.includes(installation.llm)) return;
  yield {
    rule: 'installation_undeclared',
    path: '/llm',
    ...(usable.length === 0 ? {} : { remedy: insteadOf(installation.llm, usable) }),
  };
}
