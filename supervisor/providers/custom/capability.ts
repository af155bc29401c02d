import { types } from 'node:util';
import { plainFromJson } from '../../../contract/json/plain.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Capability, Dispatch, DispatchedCall } from '../../calls/broker/capability.ts';
import type { CustomCapability, CustomFunction } from './installation.ts';
import { ProviderError, notDispatched } from './outcome.ts';
import { plainResult } from './plain-result.ts';
import type { SchemaChecker } from '../schemas/schema-checker.ts';
import { thrownFacts } from '../source/thrown.ts';

/**
 * A function of the embedding program as the pipeline sees it. Its own code runs in this process, guarded at both ends.
 */
export function customCapability(
  declared: CustomCapability,
  call: CustomFunction,
  bounds: { readonly argumentBytes: number; readonly resultBytes: number },
  checker: SchemaChecker,
): Capability {
  const { name, description, effect, modelVisible, inputSchema, outputSchema, timeoutMs, accepts, asks } = declared;
  return {
    name,
    description,
    effect,
    isModelVisible: modelVisible,
    inputSchema: inputSchema.json,
    outputSchema: outputSchema.json,
    timeoutMs,
    ...bounds,
    inspectionCapture: 'full',
    checkArguments: (input, milliseconds) => checker.check(inputSchema, input, milliseconds),
    checkResult: (value, milliseconds) => checker.check(outputSchema, value, milliseconds),
    accepts: (input) => accepts === null || isAccepted(accepts, input),
    route: null,
    ...(asks === undefined ? {} : { asks: (input: SerializedJson<JsonObject>) => needsApproval(asks, input) }),
    dispatch: (input, context) => dispatch(call, input, context, bounds.resultBytes),
  };
}

/** Arguments as the function gets them: its own copy, and members that look like a prototype's are only members. */
function plainArguments({ value }: SerializedJson<JsonObject>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(plainFromJson(value))));
}

function isAccepted(accepts: NonNullable<CustomCapability['accepts']>, input: SerializedJson<JsonObject>): boolean {
  try {
    const answer: unknown = accepts(plainArguments(input));
    return answer === true;
  } catch {
    // It could not make sense of them.
    return false;
  }
}

async function needsApproval(
  asks: NonNullable<CustomCapability['asks']>,
  input: SerializedJson<JsonObject>,
): Promise<boolean> {
  try {
    const answer: unknown = await asks(plainArguments(input));
    return answer !== false;
  } catch {
    return true;
  }
}

function dispatch(
  call: CustomFunction,
  input: SerializedJson<JsonObject>,
  context: DispatchedCall,
  resultBytes: number,
): Dispatch {
  const { capabilityId, signal, deadlineMs } = context;
  const outcome = async (): Promise<ProviderOutcome<SerializedJson>> => {
    if (!(await context.openGate())) return failure(notDispatched('unavailable'));
    try {
      return outcomeOf(await call(plainArguments(input), { signal, deadlineMs, capabilityId }), resultBytes);
    } catch (thrown) {
      return {
        kind: 'fault',
        reason: types.isNativeError(thrown) ? 'exception' : 'throw',
        exception: thrownFacts(thrown),
      };
    }
  };
  // A function of this process cannot be killed: it has been asked to stop, and whatever it answers now is dropped.
  return { outcome: outcome(), exchanges: () => [], kill: async () => undefined };
}

function outcomeOf(returned: unknown, limitBytes: number): ProviderOutcome<SerializedJson> {
  if (!types.isProxy(returned) && returned instanceof ProviderError) return failure(returned);
  const result = plainResult(returned, limitBytes);
  switch (result.kind) {
    case 'value':
      return { kind: 'value', value: SerializedJson.of(result.value), usage: null, finish: null };
    case 'invalid':
      return { kind: 'invalid_return' };
    case 'too_large':
      return { kind: 'too_large' };
  }
}

function failure({ reason, details, retryable, proof }: ProviderError): ProviderOutcome<SerializedJson> {
  return { kind: 'error', reason, details, retryable, proof, isProtocolFault: false, usage: null, replayMiss: null };
}
