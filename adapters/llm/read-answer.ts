import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import type { JsonNode } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import type { TokenUsage } from '../../contract/envelope/usage.ts';
import type { OutputLimit } from '../../contract/provider-protocol/model.ts';
import {
  CONTINUATION_BYTES_MAX,
  type Finish,
  type ModelThought,
  type ProviderFailure,
  type ProviderOutcome,
} from '../../contract/provider-protocol/outcome.ts';
import { catalogued } from './catalogue/catalogue.ts';
import type { Prices } from './catalogue/entry.ts';
import { continuationText } from './continuation/opaque-text.ts';
import { NO_TURNS } from './continuation/put-back.ts';
import type { ModelDeclaration } from './declaration.ts';
import { generate, type ModelJob } from './generate.ts';
import { parseJsonText } from './json-text.ts';
import { healedText, withoutLoneSurrogates } from './lone-surrogates.ts';
import { readRequest, type NeutralRequest } from './request.ts';
import { tokensOf } from './reported-tokens.ts';
import { readUsage } from './usage.ts';
import type { Route } from './route.ts';
import type { VendorWire } from './wires/wire.ts';
import { wireOf } from './wires/wires.ts';

/** What an answer is read with. */
interface Reading {
  readonly request: NeutralRequest;
  readonly wire: VendorWire;
  readonly declaration: Pick<ModelDeclaration, 'guarantees' | 'responseBytes' | 'identity'>;
  readonly route: Route;
  readonly prices: Prices | null;
  readonly outputLimit: OutputLimit;
}

/** Nodes of an answer that are read; an answer has at most 4 MiB. */
const NODES_MAX = 1_000_000;

/** Reads the bytes of a success as the answer of a model (providers.md §5.5). */
export async function readModelAnswer(job: ModelJob, received: Uint8Array): Promise<ProviderOutcome<JsonText>> {
  const input = parseJsonText(job.request);
  const request = isJsonObject(input) ? readRequest(input) : null;
  if (request === null) return refused('invalid_request', null);
  const { vendor, model, wire: name } = job.route;
  const wire = await wireOf(name);
  const bytes = withoutLoneSurrogates(received);
  const answered = async (): Promise<Response> =>
    new Response(readable(bytes, wire), { status: 200, headers: { 'content-type': 'application/json' } });
  // What is written here goes nowhere.
  const result = await generate(job, { request, turns: NO_TURNS, wire, fetch: answered }).catch(() => null);
  return answerOf(bytes, result, {
    request,
    wire,
    declaration: job.declaration,
    route: job.route,
    prices: job.declaration.prices ?? catalogued(vendor, model)?.prices ?? null,
    outputLimit: job.outputLimit,
  });
}

/**
 * The answer's bytes as the library can read them: one that wants a whole usage in every answer gets a stand-in, since
 * counts are read here and an absent one is no fault.
 */
function readable(body: Uint8Array, { usagePlaceholder: usageStandIn, readable: changed }: VendorWire): string {
  const text = changed(new TextDecoder().decode(body));
  if (usageStandIn === null) return text;
  const answer: unknown = JSON.parse(text);
  return JSON.stringify({ ...(typeof answer === 'object' && answer !== null ? answer : {}), ...usageStandIn });
}

/** `result`: what the vendor's library read in the bytes, null where it could not. */
function answerOf(
  bytes: Uint8Array,
  result: LanguageModelV4GenerateResult | null,
  reading: Reading,
): ProviderOutcome<JsonText> {
  const parsed = parseJson(bytes, { ...documentLimits(bytes.length), nodes: NODES_MAX });
  if (!parsed.ok) return refused('invalid_result', NO_JSON);
  const textOf = (node: JsonNode): string => new TextDecoder().decode(bytes.subarray(node.start, node.end));
  const { wire, route, declaration } = reading;
  const read = readUsage(wire.usage(parsed.root), textOf, declaration, {
    vendor: route.vendor,
    prices: reading.prices,
  });
  // What is no answer lacks its usage too.
  if (!read.ok && (result !== null || read.reason === 'invalid_request'))
    return refused(read.reason, USAGE_WORDS[read.reason]);
  if (!read.ok || result === null)
    return { ...refused('invalid_result', NO_ANSWER), usage: read.ok ? read.usage : null };
  const { usage } = read;
  const finish = finishOf(result.finishReason, reading.outputLimit);
  const said = { text: textOfAnswer(result.content, wire.refusals(parsed.root)), calls: callsOf(result.content) };
  const value = valueOf(said, finish, usage, reading.request);
  if (value === null) return { ...refused('invalid_result', NO_OBJECT), usage };
  const text = canonicalJson(value);
  if (utf8Length(text) > declaration.responseBytes)
    return {
      ...refused('invalid_request', `the answer is longer than max_response_bytes, ${declaration.responseBytes}`),
      usage,
    };
  const calls = said.calls.map(({ id }) => id);
  const verbatimItems = wire.verbatim({ body: parsed.root, textOf, calls }, route.vendor);
  const continuation =
    verbatimItems.length === 0
      ? null
      : continuationText({ identity: declaration.identity, wire: route.wire }, verbatimItems);
  const thought = thoughtOf(continuation, result.content);
  return { kind: 'value', value: text, usage, finish, ...(thought !== null && { thought }) };
}

/** Null when the vendor gave nothing but its answer. */
function thoughtOf(continuation: JsonText | null, content: readonly LanguageModelV4Content[]): ModelThought | null {
  const text = content
    .flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : []))
    .join('\n\n')
    .toWellFormed();
  if (continuation === null && text === '') return null;
  const bytes = continuation === null ? 0 : utf8Length(continuation);
  const isTooLong = bytes > CONTINUATION_BYTES_MAX;
  return {
    continuation: isTooLong ? null : continuation,
    droppedBytes: isTooLong ? bytes : null,
    text: text === '' ? null : text,
  };
}

/** A refusal is below what was said before it; some libraries report it as a text too. */
function textOfAnswer(content: readonly LanguageModelV4Content[], refusals: readonly string[]): string {
  const text = content.map((part) => (part.type === 'text' && !refusals.includes(part.text) ? part.text : '')).join('');
  return [...(text === '' ? [] : [text]), ...refusals].join('\n').toWellFormed();
}

function callsOf(content: readonly LanguageModelV4Content[]): readonly Called[] {
  return content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.toolCallId.toWellFormed(), name: part.toolName.toWellFormed(), input: part.input }]
      : [],
  );
}

interface Called {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** Words for people (world.md §1.5); none quotes what a model said. */
const NO_JSON = 'the answer is no JSON';
const NO_ANSWER = 'the answer is JSON, but not that of a model';
const NO_OBJECT = 'the answer is no JSON object, which the schema asks for';
const USAGE_WORDS = {
  usage_unavailable: 'the answer lacks counts of tokens, or a cost, that usage_guarantees promises',
  invalid_request: 'the answer has counts of tokens, or a cost, that are no numbers',
} as const;

function refused(reason: ProviderFailure['reason'], details: string | null): ProviderFailure {
  return {
    kind: 'error',
    reason,
    details,
    retryable: false,
    proof: 'complete_answer',
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
  };
}

const FINISH: Readonly<Record<LanguageModelV4FinishReason['unified'], Finish['reason']>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'error',
  interrupted: 'error',
  other: 'error',
};

function finishOf({ unified }: LanguageModelV4FinishReason, outputLimit: OutputLimit): Finish {
  const reason = FINISH[unified];
  return { reason, outputLimit: reason === 'length' ? outputLimit : null };
}

/** Null for an answer without what was asked for: no text and no call, or structured output that is no object. */
function valueOf(
  { text, calls: called }: { readonly text: string; readonly calls: readonly Called[] },
  finish: Finish,
  usage: TokenUsage,
  { schema }: NeutralRequest,
): JsonObject | null {
  const calls = called.map(callOf);
  const said =
    schema === null
      ? new Map<string, JsonValue>([['content', text === '' && calls.length > 0 ? null : text]])
      : structured(text, finish);
  if (said === null) return null;
  return new Map<string, JsonValue>([
    ...said,
    ...(calls.length > 0 ? [['tool_calls', calls] as const] : []),
    ['finish_reason', finish.reason],
    ...(finish.outputLimit === null ? [] : [['output_limit', limitOf(finish.outputLimit)] as const]),
    ['tokens', tokensOf(usage)],
  ]);
}

/** A cut answer is reported as such, with what there is of its text. */
function structured(text: string, finish: Finish): JsonObject | null {
  const output = parseJsonText(healedText(text));
  if (isJsonObject(output)) return new Map([['structured_output', output]]);
  return finish.reason === 'length' ? new Map([['content', text]]) : null;
}

function callOf({ id, name, input }: Called): JsonObject {
  const args = parseJsonText(input === '' ? '{}' : healedText(input));
  return new Map<string, JsonValue>([
    ['id', id],
    ['name', name],
    ['args', isJsonObject(args) ? args : new Map()],
    ...(isJsonObject(args) ? [] : [['args_error', 'the arguments are no JSON object'] as const]),
  ]);
}

function limitOf({ value, bindings }: OutputLimit): JsonObject {
  return new Map<string, JsonValue>([
    ['name', 'max_tokens'],
    ['value', value],
    ['bindings', bindings],
  ]);
}
