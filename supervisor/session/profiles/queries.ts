import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Answer } from '../../history/analysis/answer.ts';
import type { CapabilitySet } from '../../calls/broker/granted-calls.ts';
import type { Capability, DispatchedCall } from '../../calls/broker/capability.ts';
import { analysisFailure } from '../../providers/snapshots/outcome.ts';
import { QUERIES } from '../../providers/snapshots/capabilities.ts';
import type { ProfileQuery } from './contract.ts';
import { CATALOGUE_QUERY } from './catalogue-query.ts';

const TIMEOUT_MS = 10_000;
const ARGUMENT_BYTES = 65_536;

/** Answers one query over the capture of a session; never throws. */
export type AnswerQuery = (query: ProfileQuery, options: JsonObject) => Promise<Answer<JsonObject>>;

/** What the mission of a profile calls: each query as `analysis-<query>`. Options are checked by the query itself. */
export function queryCapabilities(
  queries: readonly ProfileQuery[],
  resultBytes: number,
  answer: AnswerQuery,
): CapabilitySet {
  return new Map(queries.map((query) => [`analysis-${query}`, capabilityOf(query, resultBytes, answer)]));
}

function capabilityOf(query: ProfileQuery, resultBytes: number, answer: AnswerQuery): Capability {
  const { description, properties, required } = query === 'catalog' ? CATALOGUE_QUERY : QUERIES[query];
  const outcome = async (
    input: SerializedJson<JsonObject>,
    call: DispatchedCall,
  ): Promise<ProviderOutcome<SerializedJson>> => {
    if (!(await call.openGate())) return { ...analysisFailure('evidence_unavailable'), proof: 'not_dispatched' };
    const found = await answer(query, input.value);
    return found.ok
      ? { kind: 'value', value: SerializedJson.of(found.value), usage: null, finish: null }
      : analysisFailure(found.fault);
  };
  return {
    name: `analysis-${query}`,
    description,
    effect: 'read',
    isModelVisible: true,
    inputSchema: schemaOf({ type: 'object', properties, required }),
    outputSchema: schemaOf({ type: 'object' }),
    timeoutMs: TIMEOUT_MS,
    argumentBytes: ARGUMENT_BYTES,
    resultBytes,
    inspectionCapture: 'full',
    checkArguments: async () => ({ status: 'valid' }),
    accepts: () => true,
    checkResult: async () => ({ status: 'valid' }),
    route: null,
    // What is read is local and bounded: it ends by itself.
    dispatch: (input, call) => ({ outcome: outcome(input, call), exchanges: () => [], kill: async () => undefined }),
  };
}

function schemaOf(schema: object): JsonValue {
  const value = jsonFromPlain(schema);
  if (value === undefined) throw new TypeError('a schema is JSON');
  return value;
}
