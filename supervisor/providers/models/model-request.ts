import type { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Capability, Verdict } from '../../calls/broker/capability.ts';
import { checkContractValue } from '../../documents/contracts/check-value.ts';
import { compileContract } from '../../documents/contracts/compile.ts';
import type { CompiledContract } from '../../documents/contracts/schema.ts';

const isObjects = (value: JsonValue): boolean => isJsonArray(value) && value.every(isJsonObject);

/**
 * Members of a request to a model, and what each may be (providers.md §5.3); which alias is meant is the router's
 * question.
 */
const MEMBERS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  system: (value) => typeof value === 'string',
  messages: isObjects,
  tools: isObjects,
  cache: (value) => typeof value === 'boolean',
  schema: isJsonObject,
  model: () => true,
};

/** Names what is wrong by the members that models know, never by what was submitted. */
export function checkModelRequest(given: JsonObject): Verdict {
  const wrong = Object.entries(MEMBERS)
    .filter(([name, fits]) => given.has(name) && !fits(given.get(name) ?? null))
    .map(([name]) => violation(`/${name}`, 'type'));
  const isClosed = [...given.keys()].every((key) => Object.hasOwn(MEMBERS, key));
  const violations = isClosed ? wrong : [...wrong, violation('', 'additionalProperties')];
  return violations.length === 0 ? { status: 'valid' } : { status: 'invalid', violations };
}

function violation(path: string, rule: string): JsonValue {
  return new Map([
    ['path', path],
    ['rule', rule],
  ]);
}

/**
 * The model behind an alias, as one request finds it: within its own bound, and its structured output held to the
 * request's schema.
 */
export function withRequestSchema(model: Capability, request: SerializedJson<JsonObject>): Capability {
  const schema = request.value.get('schema');
  const compiled = schema === undefined ? null : compileContract(schema);
  const isSound = (compiled === null || compiled.ok) && !(schema !== undefined && hasTools(request.value));
  return {
    ...model,
    // The bound of an installation is told as a request that does not fit it, not as one that no run could make.
    argumentBytes: Number.MAX_SAFE_INTEGER,
    checkArguments: async () => ({ status: 'valid' }),
    accepts: async () => isSound && Buffer.byteLength(await request.text()) <= model.argumentBytes,
    checkResult: async ({ value }) =>
      compiled?.ok === true ? checkStructured(compiled.schema, value) : { status: 'valid' },
  };
}

function hasTools(request: JsonObject): boolean {
  const tools = request.get('tools');
  return isJsonArray(tools) && tools.length > 0;
}

/** Answers that were cut have none; what they are is told beside them. */
function checkStructured({ root }: CompiledContract, value: JsonValue): Verdict {
  const output = isJsonObject(value) ? value.get('structured_output') : undefined;
  if (output === undefined) return { status: 'valid' };
  return checkContractValue(root, output).length === 0 ? { status: 'valid' } : { status: 'invalid', violations: [] };
}
