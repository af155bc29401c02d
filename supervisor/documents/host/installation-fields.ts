import {
  boolean,
  choice,
  defaulted,
  EMPTY_OBJECT,
  integer,
  list,
  map,
  number,
  numberAbove,
  object,
  oneOfValues,
  optional,
  required,
  text,
  unidentified,
} from '../fields/shape.ts';
import { DECIMAL, NAME, NO_NUL } from '../fields/patterns.ts';
import { MCP_TOOLS, MCP_TRANSPORT } from './mcp-fields.ts';

const name = text(128, NAME);
/**
 * Its form is the adapter's to judge: a selector that no route serves is a local finding (providers.md §3, table A).
 */
const selector = text(
  256,
  undefined,
  'a model selector such as "openai:gpt-5-mini", or "openai-compat:http://127.0.0.1:8000/v1|MODEL" for a server of your own',
);
const hostPath = text(4096, NO_NUL);
const dataClass = oneOfValues('normal', 'private_inspection');

/** The operator's own counter of behaviour: pins compare configuration, not this (documents.md §10). */
const revision = unidentified(required(name));

const dataPolicy = {
  data_class: defaulted(dataClass, 'normal'),
  accepts_data: defaulted(list(dataClass, 2, { minimum: 1, unique: 'checked', set: true }), ['normal']),
} as const;

function ceiling(standard: number, minimum: number, maximum: number) {
  return defaulted(integer(minimum, maximum), standard);
}

/** Dollars of the United States per million, as decimal texts (world.md §1.8). */
const price = text(32, DECIMAL);
const prices = object({
  input: required(price),
  output: required(price),
  cache_read: optional(price),
  cache_write: optional(price),
  reasoning: optional(price),
  request: optional(price),
});

const guarantees = object({ tokens: required(boolean), cost_currency: required(oneOfValues('USD', null)) });

/**
 * How calls are tried again (world.md §1.4). Not filled in where it is absent: pins of installations that do not name
 * it stay as they were.
 */
const retry = optional(
  object({ attempts: defaulted(integer(1, 5), 3), max_wait_ms: defaulted(integer(0, 120000), 30000) }),
);

const llm = object({
  source: required(oneOfValues('llm')),
  installation_revision: revision,
  ...dataPolicy,
  model: required(selector),
  credential: required(name),
  structured_output_mode: required(oneOfValues('json_schema', 'json_object', 'unsupported')),
  usage_guarantees: required(guarantees),
  cache: defaulted(boolean, false),
  /** Absent as `auto`, and left out of the identity then: an installation is what it was before there was a choice. */
  wire: optional(oneOfValues('auto', 'chat', 'responses')),
  params: defaulted(
    object({
      temperature: optional(number(0, 2)),
      top_p: optional(numberAbove(0, 1)),
      presence_penalty: optional(number(-2, 2)),
      frequency_penalty: optional(number(-2, 2)),
      seed: optional(integer(0, 2147483647)),
      max_tokens: optional(integer(1, 1000000)),
      reasoning_effort: optional(oneOfValues('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
    }),
    EMPTY_OBJECT,
  ),
  retry,
  reservation_tariff: optional(object({ currency: required(oneOfValues('USD')), id: required(name) })),
  prices: optional(prices),
  ceilings: defaulted(
    object({
      max_calls: ceiling(2048, 1, 2048),
      max_request_bytes: ceiling(1000000, 1, 1048576),
      max_response_bytes: ceiling(1000000, 1, 1048576),
      /** Also at most the host's llm_request_timeout_ms, to which the default is lowered. */
      request_timeout_ms: ceiling(120000, 100, 1800000),
    }),
    EMPTY_OBJECT,
  ),
});

const replayCeilings = defaulted(
  object({
    max_entries: ceiling(10000, 1, 10000),
    max_result_bytes: ceiling(1048576, 1, 1048576),
    max_calls: ceiling(2048, 1, 2048),
  }),
  EMPTY_OBJECT,
);

const llmReplay = object({
  source: required(oneOfValues('llm_replay')),
  installation_revision: revision,
  ...dataPolicy,
  fixtures: required(hostPath),
  ceilings: replayCeilings,
});

const mcp = object({
  source: required(oneOfValues('mcp')),
  installation_revision: revision,
  ...dataPolicy,
  transport: required(MCP_TRANSPORT),
  tools: required(MCP_TOOLS),
  snapshot_identity: optional(object({ tool: required(text(512)), field: required(name) })),
  ceilings: defaulted(
    object({
      timeout_ms: ceiling(5000, 1, 300000),
      max_catalog_tools: ceiling(128, 1, 128),
      max_result_bytes: ceiling(1000000, 1, 1048576),
    }),
    EMPTY_OBJECT,
  ),
});

/** Below 450 bytes no result of a snapshot query fits (documents.md §3). */
const snapshotResultBytes = ceiling(1048576, 450, 1048576);

const traceSnapshot = object({
  source: required(oneOfValues('svc_trace_snapshot', 'svc_private_trace_snapshot')),
  installation_revision: revision,
  directory: required(hostPath),
  ceilings: defaulted(
    object({ max_source_bytes: ceiling(8000000, 1, 8000000), max_result_bytes: snapshotResultBytes }),
    EMPTY_OBJECT,
  ),
});

const inspectionSnapshot = object({
  source: required(oneOfValues('svc_inspection_snapshot')),
  installation_revision: revision,
  directory: required(hostPath),
  ceilings: defaulted(
    object({
      max_files: ceiling(1024, 1, 1024),
      max_source_bytes: ceiling(536871120, 1, 536871120),
      max_result_bytes: snapshotResultBytes,
    }),
    EMPTY_OBJECT,
  ),
});

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
  ceilings: llm.fields.ceilings,
} as const;

const decisionDefault = object({
  ...decision,
  usage_guarantees: required(guarantees),
  model: required(text(256)),
  credential: required(name),
});

const decisionHttp = object({
  ...decision,
  backend: required(oneOfValues('http')),
  usage_guarantees: required(guarantees),
  endpoint: required(text(4096)),
  allow_insecure_loopback: defaulted(boolean, false),
  model: required(text(256)),
});

/** Guarantees and credential are those of the named model installation. */
const decisionChat = object({ ...decision, backend: required(oneOfValues('chat')), llm: required(name) });

const decisionReplay = object({
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

/** One entry of `install` (documents.md §7). */
export const INSTALLATION = choice(
  'source',
  llm,
  llmReplay,
  mcp,
  traceSnapshot,
  inspectionSnapshot,
  decisionDefault,
  decisionHttp,
  decisionChat,
  decisionReplay,
);

export const INSTALLATIONS = map(NAME, INSTALLATION, 128);
