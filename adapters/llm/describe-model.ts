import { catalogued } from './catalogue/catalogue.ts';
import { CATALOGUE_DATE } from './catalogue/models.ts';
import type { Prices, Rate } from './catalogue/entry.ts';
import { reasoningOf } from './reasoning/models.ts';
import { routeOf } from './route.ts';

type Priced = keyof Prices;

/** What is known of a selector without asking anybody (providers.md §5.1, §5.7). */
export interface DescribedModel {
  /** Whether it may be shown. */
  readonly isPublic: boolean;
  /** Null where the catalogue has no model of exactly that id. */
  readonly entry: {
    readonly contextTokens: number | null;
    readonly outputTokens: number | null;
    /** Base rates: dollars per million tokens, or per thousand requests, as decimal texts. */
    readonly prices: Readonly<Partial<Record<Priced, string>>>;
  } | null;
  /** The day of the price list, `YYYY-MM-DD`. */
  readonly catalogueDate: string;
  readonly schemaModes: readonly string[];
  readonly takesReasoningEffort: boolean;
  readonly caches: boolean;
}

/** Null for a selector that no route serves. */
export function describeModel(selector: string): DescribedModel | null {
  const route = routeOf(selector);
  if (route === null) return null;
  const { vendor, model } = route;
  const entry = catalogued(vendor, model);
  return {
    isPublic: vendor.isPublic,
    entry:
      entry === null
        ? null
        : {
            contextTokens: entry.context ?? null,
            outputTokens: entry.output ?? null,
            prices: baseRates(entry.prices ?? {}),
          },
    catalogueDate: CATALOGUE_DATE,
    schemaModes: [...vendor.schemaModes].filter((mode) => mode !== 'unsupported'),
    takesReasoningEffort: vendor.params.has('reasoning_effort') && reasoningOf(route)?.efforts.length !== 0,
    caches: vendor.cache !== 'none',
  };
}

/** The rate of each price without its tiers, as it is written in the list. */
export function baseRates(prices: Prices): Partial<Record<Priced, string>> {
  const rates: readonly (readonly [Priced, Rate | undefined])[] = [
    ['input', prices.input],
    ['output', prices.output],
    ['cacheRead', prices.cacheRead],
    ['cacheWrite', prices.cacheWrite],
    ['reasoning', prices.reasoning],
    ['request', prices.request],
  ];
  return Object.fromEntries(rates.flatMap(([name, rate]) => (rate === undefined ? [] : [[name, rate.base]])));
}
