import { canonicalJson, type JsonText } from '../contract/json/canonical.ts';
import { jsonFromPlain } from '../contract/json/plain.ts';
import type { CapabilityFacts } from '../contract/provider-protocol/capability.ts';

/** What a selection allows of one request: canonical bytes and milliseconds. */
export interface RequestBounds {
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly timeoutMs: number;
}

/** A capability that asks a model something and reads its answer, as every model offers it. */
export interface ModelRequestKind {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, plain data. */
  readonly input: object;
}

/** What is reported about such a capability, within the bounds of a selection: it reads, and no model sees it. */
export function requestCapability({
  name,
  description,
  input,
}: ModelRequestKind): (bounds: RequestBounds) => CapabilityFacts<JsonText> {
  const schema = jsonFromPlain(input);
  if (schema === undefined) throw new TypeError('a schema is JSON');
  const inputSchema = canonicalJson(schema);
  return ({ requestBytes, responseBytes, timeoutMs }) => ({
    name,
    description,
    effect: 'read',
    isModelVisible: false,
    inputSchema,
    outputSchema: null,
    timeoutMs,
    argumentBytes: requestBytes,
    resultBytes: responseBytes,
    inspectionCapture: 'full',
  });
}
