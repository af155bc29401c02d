import { scaledDecimal } from '../../decimal.ts';
import type { CatalogueEntry, Rate } from './entry.ts';

/** Decimal places with which rates are reckoned: more than any price list has. */
const PLACES = 12;
const SCALE = 10n ** BigInt(PLACES);
/** Dollars per million tokens are microdollars per token. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER);

export interface Counts {
  readonly input?: number;
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_creation?: number;
}

/** Microdollars of a call by the price list, rounded up once at the end; null without a price or without its counts. */
export function catalogueCost(
  counts: Counts,
  entry: CatalogueEntry | null,
  inputIncludesCached: boolean,
): number | null {
  const prices = entry?.prices;
  const { input, output, cache_read: cacheRead = 0, cache_creation: cacheCreation = 0 } = counts;
  if (prices?.input === undefined || prices.output === undefined || input === undefined || output === undefined)
    return null;
  const asked = inputIncludesCached ? input : input + cacheRead + cacheCreation;
  const plain = Math.max(0, asked - cacheRead - cacheCreation);
  const at = (rate: Rate | undefined): bigint => scaled(rateFor(rate ?? { base: '0' }, asked));
  const cost =
    BigInt(plain) * at(prices.input) +
    BigInt(output) * at(prices.output) +
    BigInt(cacheRead) * at(prices.cacheRead ?? prices.input) +
    BigInt(cacheCreation) * at(prices.cacheWrite ?? prices.input) +
    // A request's price is in dollars per thousand of them.
    1000n * at(prices.request);
  const rounded = (cost + SCALE - 1n) / SCALE;
  return rounded > MOST ? null : Number(rounded);
}

/**
 * The most that one token can be charged at, in microdollars per million tokens, rounded up: the sum of all rates at
 * their highest, so that no reservation is too small (providers.md §5.6, "Budgets"). Null without a price.
 */
export function highestRate(
  entry: CatalogueEntry | null,
): { readonly perMillionTokens: number; readonly perRequest: number } | null {
  const prices = entry?.prices;
  if (prices?.input === undefined || prices.output === undefined) return null;
  const highest = (rate: Rate | undefined): bigint =>
    rate === undefined
      ? 0n
      : [rate.base, ...(rate.tiers ?? []).map(([, one]) => one)]
          .map(scaled)
          .reduce((most, one) => (one > most ? one : most));
  const sum = [prices.input, prices.output, prices.cacheRead, prices.cacheWrite]
    .map(highest)
    .reduce((total, one) => total + one);
  const perRequest = highest(prices.request) * 1000n;
  return { perMillionTokens: Number(ceiling(sum * 1_000_000n)), perRequest: Number(ceiling(perRequest)) };
}

function ceiling(amount: bigint): bigint {
  return (amount + SCALE - 1n) / SCALE;
}

function rateFor({ base, tiers = [] }: Rate, inputTokens: number): string {
  return tiers.findLast(([start]) => inputTokens > start)?.[1] ?? base;
}

/** A rate of the catalogue times 10^12. A bug of the catalogue, whose texts are decimals, is thrown. */
function scaled(rate: string): bigint {
  const found = scaledDecimal(rate, PLACES);
  if (found === null) throw new TypeError(`not a rate: ${rate}`);
  return found;
}
