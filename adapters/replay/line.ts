import { memberOf, type ObjectNode } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { integerOf } from '../../contract/json/value.ts';
import type { FixtureRule, ReplayEntry } from './fixture.ts';
import { OUTCOME_READERS, type OutcomeKey, type TextOf } from './outcomes.ts';

export type LineOutcome =
  | { readonly ok: true; readonly entry: ReplayEntry }
  | { readonly ok: false; readonly rule: FixtureRule };

/** Members of a line, and the versions that know each way to answer (providers.md §6). */
const OUTCOME_KEYS: Readonly<Record<OutcomeKey, readonly number[]>> = {
  response: [1, 2],
  responses: [1, 2],
  outcomes: [2],
};
const VERSIONS: ReadonlySet<number> = new Set([1, 2]);
/** Costs were plain numbers then. */
const PLAIN_COST_VERSION = 1;

const REQUEST_HASH = /^sha256:[0-9a-f]{64}$/;

/** Reads one line that is not blank; its first broken rule in the order of providers.md §6. */
export function parseLine(bytes: Uint8Array, maxResultBytes: number): LineOutcome {
  const parsed = parseJson(bytes, documentLimits(bytes.length));
  if (!parsed.ok) return refused('json');
  const { root } = parsed;
  if (root.kind !== 'object') return refused('not_an_object');
  if (root.members.some(({ key }) => key !== 'schema_version' && key !== 'request_hash' && !isOutcomeKey(key)))
    return refused('unknown_key');
  const version = versionOf(root);
  if (version === null) return refused('schema_version');
  const requestHash = memberOf(root, 'request_hash')?.value;
  if (requestHash?.kind !== 'string' || !REQUEST_HASH.test(requestHash.value)) return refused('request_hash');
  const [input, second] = root.members.filter(({ key }) => isOutcomeKey(key));
  if (
    input === undefined ||
    second !== undefined ||
    !isOutcomeKey(input.key) ||
    !OUTCOME_KEYS[input.key].includes(version)
  ) {
    return refused('outcome_key');
  }
  const outcomes = OUTCOME_READERS[input.key](input.value, version === PLAIN_COST_VERSION ? textIn(bytes) : null);
  if (outcomes === null) return refused('outcome_value');
  const isTooLarge = outcomes.some((outcome) => outcome.kind === 'response' && outcome.bytes > maxResultBytes);
  if (isTooLarge) return refused('max_result_bytes');
  return { ok: true, entry: { requestHash: requestHash.value, outcomes, repeats: input.key === 'response' } };
}

function isOutcomeKey(key: string): key is OutcomeKey {
  return Object.hasOwn(OUTCOME_KEYS, key);
}

function versionOf(root: ObjectNode): number | null {
  const node = memberOf(root, 'schema_version')?.value;
  if (node?.kind !== 'integer' && node?.kind !== 'float') return null;
  const version = Number(integerOf(node.value) ?? NaN);
  return VERSIONS.has(version) ? version : null;
}

function textIn(bytes: Uint8Array): TextOf {
  return ({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end));
}

function refused(rule: FixtureRule): LineOutcome {
  return { ok: false, rule };
}
