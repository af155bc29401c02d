import { scaledDecimal } from '../../decimal.ts';
import type { Prices, Rate } from './entry.ts';

/** Decimal places with which rates are reckoned: more than any price list has. */
const PLACES = 12;
const SCALE = 10n ** BigInt(PLACES);
/** Dollars per million tokens are microdollars per token. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER);

export interface Counts {
  readonly input?: number;
  /** Reasoning included. */
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_creation?: number;
}

/** Of the output tokens of a call those that a vendor prices apart. */
export interface CountedApart {
  readonly reasoning?: number;
}

/**
 * Microdollars of a call by these prices, rounded up once at the end (world.md §1.8); null without a price or without
 * its counts.
 */
export function costOfCall(
  counts: Counts & CountedApart,
  prices: Prices | null,
  inputIncludesCached: boolean,
): number | null {
  const { input, output, cache_read: cacheRead = 0, cache_creation: cacheCreation = 0 } = counts;
  if (prices?.input === undefined || prices.output === undefined || input === undefined || output === undefined)
    return null;
  const inputTokens = inputIncludesCached ? input : input + cacheRead + cacheCreation;
  const plain = Math.max(0, inputTokens - cacheRead - cacheCreation);
  const reasoning = Math.min(output, counts.reasoning ?? 0);
  const at = (rate: Rate | undefined): bigint => scaled(rateFor(rate ?? { base: '0' }, inputTokens));
  const cost =
    BigInt(plain) * at(prices.input) +
    BigInt(output - reasoning) * at(prices.output) +
    BigInt(reasoning) * at(prices.reasoning ?? prices.output) +
    BigInt(cacheRead) * at(prices.cacheRead ?? prices.input) +
    BigInt(cacheCreation) * at(prices.cacheWrite ?? prices.input) +
    // A request's price is in dollars per thousand of them.
    1000n * at(prices.request);
  const rounded = (cost + SCALE - 1n) / SCALE;
  return rounded > MOST ? null : Number(rounded);
}

/** The most that a call can be charged at, each rounded up: microdollars. */
export interface HighestRates {
  readonly perMillionInput: number;
  readonly perMillionOutput: number;
  readonly perRequest: number;
}

/**
 * The highest rate at which a token of input, and one of output, can be charged (world.md §1.8): no token is charged
 * at two rates of its side. Null without a price.
 */
export function highestRates(prices: Prices | null): HighestRates | null {
  if (prices?.input === undefined || prices.output === undefined) return null;
  const highest = (...rates: readonly (Rate | undefined)[]): bigint =>
    rates
      .filter((rate) => rate !== undefined)
      .flatMap(({ base, tiers = [] }) => [base, ...tiers.map(([, rate]) => rate)])
      .map(scaled)
      .reduce((most, one) => (one > most ? one : most), 0n);
  const { input, output, cacheRead, cacheWrite, reasoning, request } = prices;
  return {
    perMillionInput: Number(ceiling(highest(input, cacheRead, cacheWrite) * 1_000_000n)),
    perMillionOutput: Number(ceiling(highest(output, reasoning) * 1_000_000n)),
    perRequest: Number(ceiling(highest(request) * 1000n)),
  };
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
