import type { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { areAnswers, readDecision } from '../../../contract/provider-protocol/decision.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { Capability, Verdict } from '../../calls/broker/capability.ts';

/** Names what is wrong by the members that decisions know, never by what was submitted (providers.md §11). */
export function checkDecisionRequest(input: JsonObject): Verdict {
  const request = new Map(input);
  request.delete('model');
  const read = readDecision(request);
  return read.ok
    ? { status: 'valid' }
    : {
        status: 'invalid',
        violations: read.violations.map(
          ({ path, rule }) =>
            new Map([
              ['path', path],
              ['rule', rule],
            ]),
        ),
      };
}

/**
 * The decision model behind an alias, as one request finds it: within its own bound, and its answers held to the
 * questions.
 */
export function withQuestions(model: Capability, request: SerializedJson<JsonObject>): Capability {
  const read = readDecision(request.value);
  return {
    ...model,
    // The bound of an installation is reported as a request that does not fit it, not as one that no run could make.
    argumentBytes: Number.MAX_SAFE_INTEGER,
    checkArguments: async () => ({ status: 'valid' }),
    accepts: async () => read.ok && Buffer.byteLength(await request.text(EVENT_LOOP_PACE)) <= model.argumentBytes,
    checkResult: async ({ value }) =>
      read.ok && isJsonObject(value) && areAnswers(read.questions, value.get('answers'))
        ? { status: 'valid' }
        : { status: 'invalid', violations: [] },
  };
}
