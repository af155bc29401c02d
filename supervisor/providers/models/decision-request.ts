import { canonicalJson } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { areAnswers, readDecision } from '../../../contract/provider-protocol/decision.ts';
import type { Capability, Verdict } from '../../calls/broker/capability.ts';

/** Names what is wrong by the members that decisions know, never by what was submitted (providers.md §11). */
export function checkDecisionRequest(given: JsonObject): Verdict {
  const request = new Map(given);
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
export function withQuestions(model: Capability, request: JsonObject): Capability {
  const read = readDecision(request);
  return {
    ...model,
    // The bound of an installation is told as a request that does not fit it, not as one that no run could make.
    argumentBytes: Number.MAX_SAFE_INTEGER,
    checkArguments: async () => ({ status: 'valid' }),
    accepts: () => read.ok && utf8Length(canonicalJson(request)) <= model.argumentBytes,
    checkResult: async (value) =>
      read.ok && isJsonObject(value) && areAnswers(read.questions, value.get('answers'))
        ? { status: 'valid' }
        : { status: 'invalid', violations: [] },
  };
}
