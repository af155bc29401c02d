import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Answer } from './answer.ts';
import { callFailure } from './call-failure.ts';
import { readContent, type Block } from './content.ts';
import { inputDemand } from './input-required.ts';
import { hasExactly, isObjectOrAbsent } from './members.ts';

/** What decides how a result is read. */
export interface ResultTerms {
  readonly hasOutputSchema: boolean;
  /** `bounded`: what a tool says of its failure is told. */
  readonly errorFeedback: 'closed' | 'bounded';
  /** Canonical bytes of a value. */
  readonly maxBytes: number;
}

/** What a call of a tool came to (providers.md §7.5). */
export function readCallResult(answer: Answer, terms: ResultTerms): ProviderOutcome<JsonText> {
  if (answer === null) return callFailure('mcp_protocol_error');
  if (answer.kind === 'error') return callFailure('mcp_remote_error');
  const { result } = answer;
  const type = result.get('resultType');
  if (typeof type !== 'string') return callFailure('mcp_protocol_error');
  if (type === 'complete') return completeResult(result, terms);
  if (type !== 'input_required') return callFailure('mcp_unsupported_result');
  const demand = inputDemand(result);
  if (demand === 'malformed') return callFailure('mcp_protocol_error');
  return callFailure(demand === 'requests' ? 'mcp_capability_negotiation_error' : 'mcp_input_required_refused');
}

function completeResult(
  result: JsonObject,
  { hasOutputSchema, errorFeedback, maxBytes }: ResultTerms,
): ProviderOutcome<JsonText> {
  const [isError = false, structured] = [result.get('isError'), result.get('structuredContent')];
  const isForm =
    hasExactly(result, ['resultType', 'content'], ['structuredContent', 'isError', '_meta']) &&
    isObjectOrAbsent(result.get('_meta'));
  const blocks = isForm && typeof isError === 'boolean' ? readContent(result.get('content')) : null;
  if (blocks === null) return callFailure('mcp_invalid_result');
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  if (isError === true) {
    if (texts.length < blocks.length) return callFailure('mcp_invalid_result');
    return callFailure('mcp_domain_error', errorFeedback === 'bounded' ? { details: feedback(texts) } : {});
  }
  if (hasOutputSchema !== (structured !== undefined)) return callFailure('mcp_invalid_result');
  const value = canonicalJson(structured === undefined ? plainValue(texts, blocks) : structured);
  return utf8Length(value) > maxBytes
    ? callFailure('mcp_response_exceeded')
    : { kind: 'value', value, usage: null, finish: null };
}

function plainValue(texts: readonly string[], blocks: readonly Block[]): JsonValue {
  const resources = blocks.flatMap((block) => (block.kind === 'resource' ? [block.resource] : []));
  return new Map<string, JsonValue>([
    ['text', texts],
    ...(resources.length === 0 ? [] : [['resources', resources] as const]),
  ]);
}

const FEEDBACK_BYTES = 1024;

/** What a tool says of its own failure: no control characters, whole characters of at most 1,024 bytes. */
function feedback(texts: readonly string[]): string {
  let bytes = 0;
  let told = '';
  for (const character of texts.map(withoutControls).join('\n')) {
    bytes += utf8Length(character);
    if (bytes > FEEDBACK_BYTES) break;
    told += character;
  }
  return told;
}

function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
}
