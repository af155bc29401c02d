import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Answer } from './answer.ts';
import { callFailure } from './call-failure.ts';
import { readContent, type Block } from './content.ts';
import { inputDemand } from './input-required.ts';
import { isObjectOrAbsent } from './members.ts';
import { isOlder, type Revision } from './revision.ts';

/** What decides how a result is read. */
export interface ResultTerms {
  readonly revision: Revision;
  readonly hasOutputSchema: boolean;
  /** `bounded`: what a tool says of its failure is reported. */
  readonly errorFeedback: 'closed' | 'bounded';
  /** What is no text is given too, as base64, and not its digest alone (world.md §2.2). */
  readonly isInline: boolean;
  /** Canonical bytes of a value. */
  readonly maxBytes: number;
}

/** What a call of a tool came to (providers.md §7.5). */
export function readCallResult(answer: Answer, terms: ResultTerms): ProviderOutcome<JsonText> {
  if (answer === null) return callFailure('mcp_protocol_error');
  if (answer.kind === 'error') return callFailure('mcp_remote_error');
  const { result } = answer;
  // Earlier revisions know one type alone, which they do not name.
  const type = isOlder(terms.revision) ? 'complete' : result.get('resultType');
  if (typeof type !== 'string') return callFailure('mcp_protocol_error');
  if (type === 'complete') return completeResult(result, terms);
  if (type !== 'input_required') return callFailure('mcp_unsupported_result');
  const demand = inputDemand(result);
  if (demand === 'malformed') return callFailure('mcp_protocol_error');
  return callFailure(demand === 'requests' ? 'mcp_capability_negotiation_error' : 'mcp_input_required_refused');
}

function completeResult(
  result: JsonObject,
  { hasOutputSchema, errorFeedback, isInline, maxBytes }: ResultTerms,
): ProviderOutcome<JsonText> {
  const [isError = false, structured, content] = ['isError', 'structuredContent', 'content'].map((name) =>
    result.get(name),
  );
  const isForm = typeof isError === 'boolean' && isObjectOrAbsent(result.get('_meta'));
  if (!isForm) return callFailure('mcp_invalid_result');
  if (hasOutputSchema && !isError) {
    const isUsable = structured !== undefined && (content === undefined || isJsonArray(content));
    return isUsable
      ? valueOf(structured, isJsonArray(content) ? content.length : 0, maxBytes)
      : callFailure('mcp_invalid_result');
  }
  const blocks = readContent(content);
  if (blocks === null) return callFailure('mcp_invalid_result');
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  if (isError) return callFailure('mcp_domain_error', errorFeedback === 'bounded' ? { details: feedback(texts) } : {});
  return valueOf(plainValue(texts, blocks, isInline), structured === undefined ? 0 : 1, maxBytes);
}

function valueOf(input: JsonValue, droppedBlocks: number, maxBytes: number): ProviderOutcome<JsonText> {
  const value = canonicalJson(input);
  if (utf8Length(value) > maxBytes) return callFailure('mcp_response_exceeded');
  return { kind: 'value', value, usage: null, finish: null, ...(droppedBlocks > 0 && { droppedBlocks }) };
}

function plainValue(texts: readonly string[], blocks: readonly Block[], isInline: boolean): JsonValue {
  const resources = blocks.flatMap((block) => (block.kind === 'resource' ? [block.resource] : []));
  const descriptors = blocks.flatMap((block) => (block.kind === 'descriptor' ? [descriptorOf(block, isInline)] : []));
  return new Map<string, JsonValue>([
    ['text', texts],
    ...(resources.length === 0 ? [] : [['resources', resources] as const]),
    ...(descriptors.length === 0 ? [] : [['content', descriptors] as const]),
  ]);
}

function descriptorOf({ facts, data }: Extract<Block, { readonly kind: 'descriptor' }>, isInline: boolean): JsonValue {
  return isInline && data !== null ? new Map<string, JsonValue>([...facts, ['data', data]]) : facts;
}

const FEEDBACK_BYTES = 1024;

/** What a tool says of its own failure: no controls but ends of lines and tabs, whole, at most 1,024 bytes. */
function feedback(texts: readonly string[]): string {
  let bytes = 0;
  let shown = '';
  for (const character of texts.map(withoutControls).join('\n')) {
    bytes += utf8Length(character);
    if (bytes > FEEDBACK_BYTES) break;
    shown += character;
  }
  return shown;
}

function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\uFFFD');
}
