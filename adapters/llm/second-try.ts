import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { TokenUsage } from '../../contract/envelope/usage.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import { parseJsonText } from './json-text.ts';
import { tokensOf } from './reported-tokens.ts';

/** Whether a model was cut within its thought: it said nothing and called nothing (providers.md §5.4). */
export function isCutThought(outcome: ProviderOutcome<JsonText>): boolean {
  if (outcome.kind !== 'value' || outcome.finish?.reason !== 'length') return false;
  const value = parseJsonText(outcome.value);
  return isJsonObject(value) && !value.has('structured_output') && !value.has('tool_calls') && !value.get('content');
}

/**
 * The result of both tries. A second one that is no answer leaves the first, unless nobody knows what it used: then it
 * is what the call came to, and the whole reservation is charged.
 */
export function togetherWith(
  first: ProviderOutcome<JsonText>,
  second: ProviderOutcome<JsonText>,
): ProviderOutcome<JsonText> {
  if (first.kind !== 'value') return second;
  if (second.kind === 'error' && second.proof !== null) return first;
  if (second.kind !== 'value') return second;
  const usage = sum(first.usage, second.usage);
  const value = parseJsonText(second.value);
  if (usage === null || !isJsonObject(value)) return { ...second, usage };
  return {
    ...second,
    value: canonicalJson(new Map<string, JsonValue>([...value, ['tokens', tokensOf(usage)]])),
    usage,
  };
}

/** A count that one of them did not have is not known of both. */
function sum(first: TokenUsage | null, second: TokenUsage | null): TokenUsage | null {
  if (first === null || second === null) return null;
  const added = COUNTS.flatMap((name) => {
    const [one, other] = [first[name], second[name]];
    return one === undefined || other === undefined ? [] : [[name, one + other] as const];
  });
  const cost =
    first.total_cost === undefined || second.total_cost === undefined
      ? null
      : first.total_cost.microunits + second.total_cost.microunits;
  return {
    ...Object.fromEntries(added),
    ...(cost !== null && { total_cost: { currency: 'USD', microunits: cost } }),
  };
}

const COUNTS = ['input', 'output', 'cache_creation', 'cache_read'] as const;
