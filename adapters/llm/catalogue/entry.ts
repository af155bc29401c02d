/** Dollars per million tokens, or per request, as decimal texts; a tier holds from that many input tokens on. */
export interface Rate {
  readonly base: string;
  readonly tiers?: readonly (readonly [start: number, rate: string])[];
}

export interface Prices {
  readonly input?: Rate;
  readonly output?: Rate;
  readonly cacheRead?: Rate;
  readonly cacheWrite?: Rate;
  readonly request?: Rate;
}

/** What is known of one model, by its exact id (providers.md §5.7). */
export interface CatalogueEntry {
  readonly context?: number;
  readonly output?: number;
  readonly prices?: Prices;
}
