import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import { answer, type Answer } from '../answer.ts';
import { attemptItems } from './attempts.ts';
import { identity, readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import { members } from '../members.ts';
import { asks, matchesOf, type PrivateCollection } from './collection.ts';
import type { CallRecords, ExchangeRecords } from '../evidence/evidence-index.ts';

const CALL = { order: 'input_sequence', completeness: 'complete?', standardLimit: 100, authority: 'private' } as const;

/** What the workflow asked models, and what it was answered. */
export const modelExchanges: PrivateCollection = {
  ...CALL,
  name: 'model_exchanges',
  filters: { capability_id: 'text', input_sequence: 'integer' },
  identifiers: ['capability_id'],
  count: ({ models }) => models.length,
  select: (evidence, filters) => {
    const found = evidence.index.models.filter(
      ({ capabilityId, input }) =>
        asks(filters, 'capability_id', capabilityId) && asks(filters, 'input_sequence', input.sequence),
    );
    return answer({ matches: matchesOf(found, (call) => callItem(evidence, call)) });
  },
};

/** Every other call. */
export const capabilityCalls: PrivateCollection = {
  ...CALL,
  name: 'capability_calls',
  filters: { capability_id: 'text', mission_name: 'text', name: 'text' },
  identifiers: ['capability_id', 'mission_name'],
  count: ({ calls }) => calls.length,
  select: (evidence, filters) => {
    const found = evidence.index.calls.filter(
      ({ capabilityId, input }) =>
        asks(filters, 'capability_id', capabilityId) &&
        asks(filters, 'mission_name', input.mission) &&
        asks(filters, 'name', input.name),
    );
    return answer({ matches: matchesOf(found, (call) => callItem(evidence, call)) });
  },
};

/** Messages between a call and the MCP server behind it. */
export const providerExchanges: PrivateCollection = {
  name: 'provider_exchanges',
  authority: 'private',
  filters: { capability_id: 'text', mission_name: 'text', request_id: 'integer' },
  order: 'request_sequence',
  identifiers: ['capability_id', 'mission_name'],
  completeness: null,
  standardLimit: 100,
  count: ({ exchanges }) => exchanges.length,
  select: (evidence, filters) => {
    const found = evidence.index.exchanges.filter(
      ({ capabilityId, requestId, request }) =>
        asks(filters, 'capability_id', capabilityId) &&
        asks(filters, 'request_id', requestId) &&
        asks(filters, 'mission_name', request.mission),
    );
    return answer({ matches: matchesOf(found, (exchange) => exchangeItem(evidence, exchange)) });
  },
};

async function callItem(evidence: RunEvidence, call: CallRecords): Promise<Answer<JsonObject>> {
  const { capabilityId, input, exception, output } = call;
  const payload = await readPayload(evidence, input);
  if (!payload.ok) return payload;
  const thrown = exception === null ? null : await readPayload(evidence, exception);
  if (thrown?.ok === false) return thrown;
  const answered = output === null ? null : await readPayload(evidence, output);
  if (answered?.ok === false) return answered;
  const attempts = await attemptItems(evidence, call);
  if (!attempts.ok) return attempts;
  return answer(
    members({
      ...identity(evidence),
      capability_id: capabilityId,
      environment: input.environment ?? undefined,
      mission_name: input.mission ?? undefined,
      name: input.name ?? undefined,
      arguments: payload.value.get('arguments'),
      request_hash: payload.value.get('request_hash'),
      input_sequence: input.sequence,
      input_timestamp: input.timestamp,
      'complete?': output !== null,
      attempts: attempts.value,
      ...(output === null || answered === null
        ? {}
        : {
            result: answered.value.get('result'),
            result_identity: answered.value.get('result_identity'),
            reasoning: answered.value.get('reasoning'),
            output_sequence: output.sequence,
            output_timestamp: output.timestamp,
          }),
      ...(exception === null || thrown === null
        ? {}
        : {
            exception: pick(thrown.value, [
              'exception_class',
              'message',
              'message_truncated',
              'stacktrace',
              'stacktrace_truncated',
            ]),
            exception_sequence: exception.sequence,
            exception_timestamp: exception.timestamp,
          }),
    }),
  );
}

async function exchangeItem(
  evidence: RunEvidence,
  { capabilityId, requestId, request, response, stderr }: ExchangeRecords,
): Promise<Answer<JsonObject>> {
  const payload = await readPayload(evidence, request);
  if (!payload.ok) return payload;
  const answered = response === null ? null : await readPayload(evidence, response);
  if (answered?.ok === false) return answered;
  const written = stderr === null ? null : await readPayload(evidence, stderr);
  if (written?.ok === false) return written;
  return answer(
    members({
      ...identity(evidence),
      capability_id: capabilityId,
      mission_name: request.mission ?? undefined,
      request_id: requestId,
      transport: payload.value.get('transport'),
      request: payload.value.get('body'),
      request_sequence: request.sequence,
      request_timestamp: request.timestamp,
      response: answered?.value.get('body'),
      response_identity: answered?.value.get('body_identity'),
      response_sequence: response?.sequence,
      response_timestamp: response?.timestamp,
      stderr: written?.value.get('text'),
      stderr_truncated: written?.value.get('truncated'),
    }),
  );
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return members(Object.fromEntries(names.map((name): [string, JsonValue | undefined] => [name, object.get(name)])));
}
