import { isJsonArray, isJsonInteger, type JsonObject } from '../../../../contract/json/value.ts';
import { nearestNames } from '../../../../contract/names/nearest.ts';
import type { Route } from '../../broker/route.ts';
import { authenticated, unproven } from './answers.ts';
import { anyValue, exactly, hasForm, isText, oneOf, getText } from './arguments.ts';

/** Options of the agent loop that take an integer from 1 to this (runtime.md §6). */
const GREATEST: ReadonlyMap<string, number> = new Map([
  ['max_turns', 2048],
  ['retain_programs', 128],
  ['max_program_chars', 1_000_000],
  ['max_observation_chars', 65_536],
  ['max_transcript_chars', 1_000_000],
  ['compact_every', 128],
  ['prompt_tool_bytes', 1_000_000],
  ['compact_at_tokens', 1_000_000],
]);
const LEAST = 1;

const TYPES = ['string', 'float', 'bool', 'map', 'vector', 'nil', 'other'];

/** The other refusals of agent-library.md §4, each with the options it is about. */
const RULES: ReadonlyMap<string, readonly string[]> = new Map([
  ['invalid-mission', ['mission']],
  ['unknown_mission', ['mission']],
  ['invalid-consolidation-threshold', ['consolidate_at_turns_remaining']],
  ['incompatible-return-contract', ['return_contract']],
  ['invalid-return-contract', ['return_contract']],
  ['unknown_phase_return_contract', ['return_contract', 'phases']],
  ['incompatible-retain-programs', ['retain_programs']],
  ['invalid-verification', ['verify', 'max_corrections']],
  ['verification-required', ['max_corrections']],
  ['invalid-phases', ['phases']],
  ['final-phase-return-contract', ['phases']],
  ['invalid-mode', ['mode']],
  ['invalid-summarise', ['summarise']],
  ['invalid-workspace', ['workspace']],
  ['workspace-in-use', ['workspace']],
  ['invalid-data', ['data']],
  ['data-too-large-to-show', ['data']],
]);

const UNKNOWN = 'unknown-option';
const INVALID = 'invalid_agent_config_failure';

/** `kernel-agent-config-failure`: option, range and what is wrong must fit each other; no content is taken. */
export function agentConfigFailureRoute(): Route {
  return async ({ json }) => {
    const facts = rangeFacts(json) ?? ruleFacts(json) ?? unknownFacts(json);
    return facts === null ? unproven(INVALID) : authenticated('agent_config', facts);
  };
}

function rangeFacts(input: JsonObject): Readonly<Record<string, unknown>> | null {
  const option = input.get('option');
  const greatest = typeof option === 'string' ? GREATEST.get(option) : undefined;
  if (greatest === undefined) return null;
  const required = { option: anyValue, min: exactly(LEAST), max: exactly(greatest) };
  const range = { option, min: LEAST, max: greatest };
  if (hasForm(input, { required: { ...required, type: oneOf(TYPES) } })) return { ...range, type: input.get('type') };
  if (!hasForm(input, { required: { ...required, value: isJsonInteger } })) return null;
  const value = input.get('value');
  const isOutside = isJsonInteger(value) && isInt64(value) && (value < LEAST || value > greatest);
  return isOutside ? { ...range, value } : null;
}

/** An option that is none, and the one that it is nearest to. */
function unknownFacts(input: JsonObject): Readonly<Record<string, unknown>> | null {
  const known = input.get('known');
  const names = isJsonArray(known) ? known.filter(isText) : [];
  if (!hasForm(input, { required: { option: isText, rule: exactly(UNKNOWN), known: isJsonArray } })) return null;
  const option = getText(input, 'option');
  if (names.includes(option)) return null;
  const [nearest] = nearestNames(option, names);
  return { option, rule: UNKNOWN, ...(nearest === undefined ? {} : { nearest }) };
}

function isInt64(value: number | bigint): boolean {
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

function ruleFacts(input: JsonObject): Readonly<Record<string, unknown>> | null {
  if (
    !hasForm(input, {
      required: { option: oneOf([...new Set([...RULES.values()].flat())]), rule: oneOf([...RULES.keys()]) },
    })
  )
    return null;
  const [option, rule] = [getText(input, 'option'), getText(input, 'rule')];
  return RULES.get(rule)?.includes(option) === true ? { option, rule } : null;
}
