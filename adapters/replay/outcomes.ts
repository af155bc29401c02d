import { canonicalJson } from '../../contract/json/canonical.ts';
import { memberOf, valueOf, type JsonNode, type ObjectNode } from '../../contract/json/node.ts';
import { SerializedJson } from '../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import { PROVIDER_REASONS } from '../../contract/provider-protocol/outcome.ts';
import { microunitsOf } from '../cost.ts';
import type { ReplayOutcome } from './fixture.ts';

/** Bounds of a sequence and of an error's details (providers.md §6). */
const MAX_SEQUENCE = 1024;
const MAX_DETAIL_CHARACTERS = 1024;
const MAX_DETAIL_BYTES = 4096;

const ERROR_KEYS: ReadonlySet<string> = new Set(['kind', 'details', 'retryable']);

/** Text of a node as it is in the file. */
export type TextOf = (node: JsonNode) => string;

/** How the members `response`, `responses` and `outcomes` are read; null for a value that is none. */
export const OUTCOME_READERS = {
  response: (node: JsonNode, price: TextOf | null) => {
    const outcome = responseOf(node, price);
    return outcome === null ? null : [outcome];
  },
  responses: (node: JsonNode, price: TextOf | null) => sequenceOf(node, (item) => responseOf(item, price)),
  outcomes: (node: JsonNode) => sequenceOf(node, outcomeOf),
} as const satisfies Readonly<
  Record<string, (node: JsonNode, price: TextOf | null) => readonly ReplayOutcome[] | null>
>;

export type OutcomeKey = keyof typeof OUTCOME_READERS;

function sequenceOf(node: JsonNode, read: (item: JsonNode) => ReplayOutcome | null): readonly ReplayOutcome[] | null {
  if (node.kind !== 'array' || node.items.length === 0 || node.items.length > MAX_SEQUENCE) return null;
  const outcomes: ReplayOutcome[] = [];
  for (const item of node.items) {
    const outcome = read(item);
    if (outcome === null) return null;
    outcomes.push(outcome);
  }
  return outcomes;
}

/** `{"response": {}}` or `{"error": {}}`, nothing beside it. */
function outcomeOf(node: JsonNode): ReplayOutcome | null {
  if (node.kind !== 'object') return null;
  const [member, second] = node.members;
  if (member === undefined || second !== undefined) return null;
  if (member.key === 'response') return responseOf(member.value, null);
  return member.key === 'error' ? errorOf(member.value) : null;
}

/** `price`: reads the plain number that version 1 writes for a cost. */
function responseOf(node: JsonNode, price: TextOf | null): ReplayOutcome | null {
  if (node.kind !== 'object') return null;
  const response = objectOf(node);
  const cost = price === null ? undefined : plainCost(node);
  if (price === null || cost === undefined) return answering(response);
  const microunits = microunitsOf(price(cost));
  return microunits === null ? null : answering(withCost(response, microunits));
}

/** Written now, once: every call that it answers has the same text. */
function answering(response: JsonObject): ReplayOutcome {
  const text = canonicalJson(response);
  return { kind: 'response', response: SerializedJson.read(response, text), bytes: utf8Length(text) };
}

function plainCost(response: ObjectNode): JsonNode | undefined {
  const tokens = memberOf(response, 'tokens')?.value;
  const cost = tokens?.kind === 'object' ? memberOf(tokens, 'total_cost')?.value : undefined;
  return cost?.kind === 'integer' || cost?.kind === 'float' ? cost : undefined;
}

function withCost(response: JsonObject, microunits: JsonValue): JsonObject {
  const tokens = response.get('tokens');
  const total = new Map<string, JsonValue>([
    ['currency', 'USD'],
    ['microunits', microunits],
  ]);
  return new Map([...response, ['tokens', new Map([...(isJsonObject(tokens) ? tokens : []), ['total_cost', total]])]]);
}

function errorOf(node: JsonNode): ReplayOutcome | null {
  if (node.kind !== 'object') return null;
  const error = objectOf(node);
  if (error.size !== ERROR_KEYS.size || [...error.keys()].some((key) => !ERROR_KEYS.has(key))) return null;
  const reason = PROVIDER_REASONS.find((word) => word === error.get('kind'));
  const details = error.get('details');
  const retryable = error.get('retryable');
  if (reason === undefined || typeof retryable !== 'boolean' || !areDetails(details)) return null;
  return { kind: 'error', reason, details, retryable };
}

function areDetails(details: JsonValue | undefined): details is string | null {
  if (typeof details !== 'string') return details === null;
  return utf8Length(details) <= MAX_DETAIL_BYTES && Array.from(details).length <= MAX_DETAIL_CHARACTERS;
}

function objectOf(node: ObjectNode): JsonObject {
  const value = valueOf(node);
  if (!isJsonObject(value)) throw new Error('an object node has an object value');
  return value;
}
