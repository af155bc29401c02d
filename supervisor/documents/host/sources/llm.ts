import {
  boolean,
  choice,
  defaulted,
  either,
  EMPTY_OBJECT,
  integer,
  map,
  number,
  numberAbove,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../../fields/shape.ts';
import { DECIMAL, HEADER_NAME, HEADER_VALUE, MODEL_HEADER_NAME, QUERY_NAME } from '../../fields/patterns.ts';
import { ceiling, dataPolicy, guarantees, name, revision, type SourceFault } from './common.ts';

/**
 * Its form is the adapter's to judge: a selector that no route serves is a local finding (providers.md §3, table A).
 */
const selector = text(
  256,
  undefined,
  'a model selector such as "openai:gpt-5-mini", or "openai-compat:http://127.0.0.1:8000/v1|MODEL" for a server of your own',
);

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

/**
 * How calls are tried again (world.md §1.4). Not filled in where it is absent: pins of installations that do not name
 * it stay as they were.
 */
export const retry = optional(
  object({ attempts: defaulted(integer(1, 5), 3), max_wait_ms: defaulted(integer(0, 120000), 30000) }),
);

/**
 * How a server of the operator's own is asked (world.md §1.6). None is filled in where it is absent: pins of
 * installations that do not name it stay as they were.
 */
const ownServer = {
  headers: optional(map(MODEL_HEADER_NAME, either(text(8192, HEADER_VALUE), object({ binding: required(name) })), 32)),
  query: optional(map(QUERY_NAME, text(2048), 32)),
  auth: optional(
    choice(
      'type',
      object({ type: required(oneOfValues('bearer')) }),
      object({ type: required(oneOfValues('api_key')), header: required(text(256, HEADER_NAME)) }),
    ),
  ),
  max_tokens_field: optional(oneOfValues('max_tokens', 'max_completion_tokens')),
} as const;

/** A language model. */
export const llmFields = object({
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
  ...ownServer,
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

/**
 * Headers that say how a request or its answer is carried: the transport writes them, or has no use for their answer.
 */
const TRANSPORT_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const AUTHORIZATION = 'authorization';

/** Headers that a request could not go out with, each by its place. */
export function* llmFaults({ headers = new Map(), auth }: Decoded<typeof llmFields>): Iterable<SourceFault> {
  const credentialHeader = auth?.type === 'api_key' ? auth.header.toLowerCase() : AUTHORIZATION;
  if (auth?.type === 'api_key' && TRANSPORT_HEADERS.has(credentialHeader))
    yield { rule: 'reserved_name', path: '/auth/header' };
  const seen = new Set<string>();
  for (const written of headers.keys()) {
    const header = written.toLowerCase();
    const place = { path: '/headers', keys: ['headers', written] };
    if (TRANSPORT_HEADERS.has(header)) yield { rule: 'reserved_name', ...place, remedy: `leave ${header} to svc` };
    else if (header === credentialHeader)
      yield { rule: 'header_duplicate', ...place, remedy: besideCredential(header) };
    else if (seen.has(header)) yield { rule: 'header_duplicate', ...place };
    seen.add(header);
  }
}

function besideCredential(header: string): string {
  return header === AUTHORIZATION
    ? 'the credential is sent as authorization; with "auth": {"type": "api_key", "header": NAME} it is sent as another'
    : `the credential is sent as ${header}, which auth names`;
}
