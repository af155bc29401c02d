import type { Vendor } from '../vendors.ts';
import type { CatalogueEntry, DatedEntry } from './entry.ts';
import { CATALOGUE } from './models.ts';

/**
 * What is known of a model on a day (`YYYY-MM-DD`, today in UTC where none is given); null where the vendor's list has
 * no model of exactly that id.
 */
export function catalogued(
  { priceList }: Pick<Vendor, 'priceList'>,
  model: string,
  day: string = new Date().toISOString().slice(0, 10),
): CatalogueEntry | null {
  const entry = priceList === null ? undefined : CATALOGUE.get(priceList)?.get(model);
  return entry === undefined ? null : entryOn(entry, day);
}

/** The entry with the prices that hold on a day. */
export function entryOn({ changes, ...entry }: DatedEntry, day: string): CatalogueEntry {
  const latest = changes?.findLast(({ from }) => from <= day);
  return latest === undefined ? entry : { ...entry, prices: latest.prices };
}
