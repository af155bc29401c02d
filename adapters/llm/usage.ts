import type { JsonNode } from '../../contract/json/node.ts';
import { integerOf } from '../../contract/json/value.ts';
import type { TokenUsage } from '../../contract/envelope/usage.ts';
import { microunitsOf } from '../cost.ts';
import { costOfCall } from './catalogue/cost.ts';
import type { Prices } from './catalogue/entry.ts';
import type { ModelDeclaration } from './declaration.ts';
import type { Vendor } from './vendors.ts';
import type { ReportedUsage } from './wires/wire.ts';

/** What a call used, or why nobody can say so (providers.md §5.5). */
export type UsageReading =
  | { readonly ok: true; readonly usage: TokenUsage }
  | { readonly ok: false; readonly reason: 'invalid_request' | 'usage_unavailable' };

const INVALID = { ok: false, reason: 'invalid_request' } as const;
const MOST = Number.MAX_SAFE_INTEGER;
/** Bytes of a price that is written as text. */
const COST_BYTES_MAX = 64;

/**
 * Reads the counts and the price of an answer. `textOf` gives the exact text of a node, so that no price is rounded
 * twice.
 */
export function readUsage(
  reported: ReportedUsage,
  textOf: (node: JsonNode) => string,
  { guarantees }: Pick<ModelDeclaration, 'guarantees'>,
  { vendor, prices }: { readonly vendor: Pick<Vendor, 'inputIncludesCached'>; readonly prices: Prices | null },
): UsageReading {
  const counts: Partial<Record<'input' | 'output' | 'cache_read' | 'cache_creation', number>> = {};
  for (const [name, node] of [
    ['input', reported.input],
    ['output', reported.output],
    ['cache_read', reported.cacheRead],
    ['cache_creation', reported.cacheCreation],
  ] as const) {
    if (node === null) continue;
    const count = countOf(node);
    if (count === null) return INVALID;
    counts[name] = count;
  }
  const thinking = reported.thinking === null ? 0 : countOf(reported.thinking);
  const output = thinking === null ? null : (counts.output ?? 0) + thinking;
  if (output === null || output > MOST) return INVALID;
  if (reported.thinking !== null) counts.output = output;
  // A count that is none is left: it decides a price alone, and then at the rate of other output.
  const reasoning = reported.thinking === null ? countOf(reported.reasoning) : thinking;
  const charged = reported.cost === null ? undefined : costOf(reported.cost, textOf);
  if (charged === null) return INVALID;
  const microunits =
    charged ?? costOfCall({ ...counts, reasoning: reasoning ?? 0 }, prices, vendor.inputIncludesCached);
  if (guarantees.tokens && (counts.input === undefined || counts.output === undefined))
    return { ok: false, reason: 'usage_unavailable' };
  if (guarantees.cost && microunits === null) return { ok: false, reason: 'usage_unavailable' };
  return {
    ok: true,
    usage: { ...counts, ...(microunits !== null && { total_cost: { currency: 'USD', microunits } }) },
  };
}

function countOf(node: JsonNode | null): number | null {
  if (node === null) return null;
  const count = node.kind === 'integer' || node.kind === 'float' ? integerOf(node.value) : undefined;
  return typeof count === 'number' && count >= 0 && count <= MOST ? count : null;
}

function costOf(node: JsonNode, textOf: (node: JsonNode) => string): number | null {
  if (node.kind !== 'integer' && node.kind !== 'float' && node.kind !== 'string') return null;
  const text = node.kind === 'string' ? node.value : textOf(node);
  const microunits = Buffer.byteLength(text) > COST_BYTES_MAX ? null : microunitsOf(text);
  return microunits === null ? null : Number(microunits);
}
