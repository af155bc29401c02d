/**
 * Writes `adapters/llm/catalogue/models.json`: what the price list of `@pydantic/genai-prices` and our own table say of
 * each model, by its exact id. `--check` writes nothing and ends with 1 when the file is not what would be written.
 */
import { findProvider } from '@pydantic/genai-prices';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OUTPUT_LIMITS } from '../adapters/llm/catalogue/output-limits.ts';

const FILE = join(import.meta.dirname, '../adapters/llm/catalogue/models.json');
const VENDORS = [
  'openai',
  'openrouter',
  'groq',
  'x-ai',
  'deepseek',
  'mistral',
  'together',
  'fireworks',
  'cerebras',
  'anthropic',
  'google',
  'aws',
];
const RATES = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite',
  requests_kcount: 'request',
} as const;

interface Rate {
  readonly base: string;
  readonly tiers?: readonly (readonly [number, string])[];
}

function entryOf(
  vendor: string,
  id: string,
  model: { readonly context_window?: number; readonly prices: unknown },
): unknown {
  const output = OUTPUT_LIMITS[vendor]?.[id];
  const prices = pricesOf(model.prices);
  return {
    ...(model.context_window !== undefined && { context: model.context_window }),
    ...(output !== undefined && { output }),
    ...(prices !== null && { prices }),
  };
}

/**
 * Where prices changed, the newest; those that hold for hours of the day alone are left out, and rates that nobody
 * knows.
 */
function pricesOf(given: unknown): unknown {
  const prices: unknown = Array.isArray(given)
    ? given.findLast((one) => memberOf(memberOf(one, 'constraint'), 'start_time') === undefined)
    : given;
  const own = Array.isArray(given) ? memberOf(prices, 'prices') : prices;
  const rates = Object.entries(RATES).flatMap(([theirs, ours]) => {
    const rate = rateOf(memberOf(own, theirs));
    return rate === null ? [] : [[ours, rate] as const];
  });
  return rates.length === 0 ? null : Object.fromEntries(rates);
}

function rateOf(rate: unknown): Rate | null {
  if (typeof rate === 'number') return { base: decimal(rate) };
  const base = memberOf(rate, 'base');
  const tiers = memberOf(rate, 'tiers');
  if (typeof base !== 'number' || !Array.isArray(tiers)) return null;
  return {
    base: decimal(base),
    tiers: tiers.map((tier) => [Number(memberOf(tier, 'start')), decimal(Number(memberOf(tier, 'price')))] as const),
  };
}

/** Never with an exponent. */
function decimal(rate: number): string {
  const text = String(rate);
  return text.includes('e') ? rate.toFixed(12).replace(/0+$/, '').replace(/\.$/, '') : text;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** The ids that mean this model and no other: its own, and those that the list matches whole. */
function idsOf(model: { readonly id: string; readonly match: unknown }): readonly string[] {
  const alternatives = memberOf(model.match, 'or');
  const clauses: readonly unknown[] = Array.isArray(alternatives) ? alternatives : [model.match];
  const equal = clauses.map((clause) => memberOf(clause, 'equals')).filter((id) => typeof id === 'string');
  return [...new Set([model.id, ...equal])];
}

const catalogue = Object.fromEntries(
  VENDORS.map((vendor) => {
    const provider = findProvider({ providerId: vendor });
    if (provider === undefined) throw new Error(`the price list has no ${vendor}`);
    const entries = provider.models.flatMap((model) =>
      idsOf(model).map((id) => [id, entryOf(vendor, id, model)] as const),
    );
    const limited = Object.keys(OUTPUT_LIMITS[vendor] ?? {}).filter((id) => !entries.some(([known]) => known === id));
    if (limited.length > 0) throw new Error(`the price list of ${vendor} has no ${limited.join(', ')}`);
    return [vendor, Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))];
  }),
);
// One model on each line: differences of two releases can be read.
const text = `{\n${Object.entries(catalogue)
  .map(
    ([vendor, models]) =>
      `${JSON.stringify(vendor)}: {\n${Object.entries(models)
        .map(([id, entry]) => `${JSON.stringify(id)}: ${JSON.stringify(entry)}`)
        .join(',\n')}\n}`,
  )
  .join(',\n')}\n}\n`;

if (!process.argv.includes('--check')) await writeFile(FILE, text);
else if (!isDeepStrictEqual(await readFile(FILE, 'utf8'), text)) {
  process.stderr.write('adapters/llm/catalogue/models.json is stale: run scripts/model-catalogue.ts\n');
  process.exitCode = 1;
}
