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
import type { Finish, ProviderFailure, ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import { catalogued } from './catalogue/catalogue.ts';
import type { Prices } from './catalogue/entry.ts';
import type { ModelDeclaration } from './declaration.ts';
import { generate, type ModelJob } from './generate.ts';
import { parseJsonText } from './json-text.ts';
import { readRequest, type NeutralRequest } from './request.ts';
import { readUsage } from './usage.ts';
import type { Vendor } from './vendors.ts';
import type { VendorWire } from './wires/wire.ts';
import { wireOf } from './wires/wires.ts';

/** What an answer is read with. */
interface Reading {
  readonly request: NeutralRequest;
  readonly wire: VendorWire;
  readonly declaration: Pick<ModelDeclaration, 'guarantees' | 'responseBytes'>;
  readonly vendor: Vendor;
  readonly prices: Prices | null;
  readonly outputLimit: OutputLimit;
}

/** Nodes of an answer that are read; an answer has at most 4 MiB. */
const NODES_MAX = 1_000_000;

/** Reads the bytes of a success as the answer of a model (providers.md §5.5). */
export async function readModelAnswer(job: ModelJob, bytes: Uint8Array): Promise<ProviderOutcome<JsonText>> {
  const given = parseJsonText(job.request);
  const request = isJsonObject(given) ? readRequest(given) : null;
  if (request === null) return refused('invalid_request');
  const { vendor, model } = job.route;
  const wire = await wireOf(vendor.wire);
  const answered = async (): Promise<Response> =>
    new Response(readable(bytes, wire), { status: 200, headers: { 'content-type': 'application/json' } });
  const result = await generate(job, request, wire, answered).catch(() => null);
  return answerOf(bytes, result, {
    request,
    wire,
    declaration: job.declaration,
    vendor,
    prices: job.declaration.prices ?? catalogued(vendor, model)?.prices ?? null,
    outputLimit: job.outputLimit,
  });
}

/**
 * The answer's bytes as the library can read them: one that wants a whole usage in every answer gets a stand-in, since
 * counts are read here and an absent one is no fault.
 */
function readable(body: Uint8Array, { usageStandIn }: VendorWire): string {
  const text = new TextDecoder().decode(body);
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
  if (!parsed.ok) return refused('invalid_result');
  const textOf = (node: JsonNode): string => new TextDecoder().decode(bytes.subarray(node.start, node.end));
  const read = readUsage(reading.wire.usage(parsed.root), textOf, reading.declaration, reading);
  if (!read.ok) return refused(read.reason);
  if (result === null) return { ...refused('invalid_result'), usage: read.usage };
  const finish = finishOf(result.finishReason, reading.outputLimit);
  const value = valueOf(result.content, finish, read.usage, reading.request);
  if (value === null) return { ...refused('invalid_result'), usage: read.usage };
  const text = canonicalJson(value);
  if (utf8Length(text) > reading.declaration.responseBytes) return { ...refused('invalid_request'), usage: read.usage };
  return { kind: 'value', value: text, usage: read.usage, finish };
}

function refused(reason: ProviderFailure['reason']): ProviderFailure {
  return {
    kind: 'error',
    reason,
    details: null,
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
  content: readonly LanguageModelV4Content[],
  finish: Finish,
  usage: TokenUsage,
  { schema }: NeutralRequest,
): JsonObject | null {
  const text = content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .toWellFormed();
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [callOf(part.toolCallId, part.toolName, part.input)] : [],
  );
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

/** A cut answer is told as such, with what there is of its text. */
function structured(text: string, finish: Finish): JsonObject | null {
  const output = parseJsonText(text);
  if (isJsonObject(output)) return new Map([['structured_output', output]]);
  return finish.reason === 'length' ? new Map([['content', text]]) : null;
}

function callOf(id: string, name: string, input: string): JsonObject {
  const args = parseJsonText(input === '' ? '{}' : input);
  return new Map<string, JsonValue>([
    ['id', id.toWellFormed()],
    ['name', name.toWellFormed()],
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

function tokensOf({ total_cost: cost, ...counts }: TokenUsage): JsonObject {
  const known = Object.entries(counts).flatMap(([name, count]) =>
    count === undefined ? [] : [[name, count] as const],
  );
  return new Map<string, JsonValue>([
    ...known,
    ...(cost === undefined
      ? []
      : [
          [
            'total_cost',
            new Map<string, JsonValue>([
              ['currency', cost.currency],
              ['microunits', cost.microunits],
            ]),
          ] as const,
        ]),
  ]);
}
