/**
 * Writes `adapters/llm/catalogue/models.json`: what the price list of `@pydantic/genai-prices` and our own table say of
 * each model, by its exact id. `--check` writes nothing and ends with 1 when the file is not what would be written.
 */
import { findProvider } from '@pydantic/genai-prices';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OUTPUT_LIMITS } from '../adapters/llm/catalogue/output-limits.ts';

/** The release of the price list, and the day on which it was published, which it does not say itself. */
const RELEASE = { version: '0.1.8', date: '2026-09-23' };
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
  output_reasoning_mtok: 'reasoning',
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
  const dated = pricesByDay(model.prices);
  const prices = dated.findLast(({ from }) => from <= RELEASE.date)?.prices;
  const changes = dated.filter(({ from }) => from > RELEASE.date);
  return {
    ...(model.context_window !== undefined && { context: model.context_window }),
    ...(output !== undefined && { output }),
    ...(prices !== undefined && { prices }),
    ...(changes.length > 0 && { changes }),
  };
}

/** Prices from a day on; the first hold from the beginning, `''`. Rates that nobody knows are left out. */
function pricesByDay(input: unknown): readonly { readonly from: string; readonly prices: Prices }[] {
  const rows = Array.isArray(input) ? input.map((row) => ({ ...Object(row) })) : [{ prices: input }];
  const dated: { from: string; prices: Prices }[] = [];
  for (const row of rows) {
    const prices = pricesOf(memberOf(row, 'prices'));
    const [from, hours] = ['start_date', 'start_time'].map((name) => memberOf(memberOf(row, 'constraint'), name));
    const last = dated.at(-1);
    // Those that hold for hours of the day stand beside what holds otherwise: the highest counts (world.md §1.8).
    if (hours !== undefined && last !== undefined) last.prices = highestOf(last.prices, prices);
    else dated.push({ from: typeof from === 'string' ? from : '', prices });
  }
  return dated.filter(({ prices }) => Object.keys(prices).length > 0);
}

type Prices = Readonly<Record<string, Rate>>;

function pricesOf(input: unknown): Prices {
  const rates = Object.entries(RATES).flatMap(([theirs, ours]) => {
    const rate = rateOf(memberOf(input, theirs));
    return rate === null ? [] : [[ours, rate] as const];
  });
  return Object.fromEntries(rates);
}

function highestOf(one: Prices, other: Prices): Prices {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, dearer(one[name], other[name])]));
}

function dearer(one: Rate | undefined, other: Rate | undefined): Rate {
  if (one === undefined || other === undefined) return one ?? other ?? { base: '0' };
  return Number(other.base) > Number(one.base) ? other : one;
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

const installed: unknown = JSON.parse(
  await readFile(join(import.meta.dirname, '../node_modules/@pydantic/genai-prices/package.json'), 'utf8'),
);
if (memberOf(installed, 'version') !== RELEASE.version)
  throw new Error('another release of the price list is installed: write its version and date into this script');

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
const text = `{"date": ${JSON.stringify(RELEASE.date)},\n"models": {\n${Object.entries(catalogue)
  .map(
    ([vendor, models]) =>
      `${JSON.stringify(vendor)}: {\n${Object.entries(models)
        .map(([id, entry]) => `${JSON.stringify(id)}: ${JSON.stringify(entry)}`)
        .join(',\n')}\n}`,
  )
  .join(',\n')}\n}}\n`;

if (!process.argv.includes('--check')) await writeFile(FILE, text);
else if (!isDeepStrictEqual(await readFile(FILE, 'utf8'), text)) {
  process.stderr.write('adapters/llm/catalogue/models.json is stale: run scripts/model-catalogue.ts\n');
  process.exitCode = 1;
}
