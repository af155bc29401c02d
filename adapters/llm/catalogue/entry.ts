/** Dollars per million tokens, or per thousand requests, as decimal texts; a tier holds beyond so many input tokens. */
export interface Rate {
  readonly base: string;
  readonly tiers?: readonly (readonly [start: number, rate: string])[];
}

export interface Prices {
  readonly input?: Rate;
  readonly output?: Rate;
  readonly cacheRead?: Rate;
  readonly cacheWrite?: Rate;
  /** Of output tokens with which the model reasons; absent: they cost what other output costs. */
  readonly reasoning?: Rate;
  readonly request?: Rate;
}

/** What is known of one model, by its exact id (providers.md §5.7). */
export interface CatalogueEntry {
  readonly context?: number;
  readonly output?: number;
  readonly prices?: Prices;
}

/** An entry as the catalogue keeps it: with the prices that the vendor has announced for later. */
export interface DatedEntry extends CatalogueEntry {
  /** Each from its day on, `YYYY-MM-DD` in UTC; the earliest first. */
  readonly changes?: readonly { readonly from: string; readonly prices: Prices }[];
}
