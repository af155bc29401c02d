import type { Vendor } from '../vendors.ts';
import type { CatalogueEntry } from './entry.ts';
import { CATALOGUE } from './models.ts';

/** Null where the vendor's list has no model of exactly that id. */
export function catalogued({ priceList }: Pick<Vendor, 'priceList'>, model: string): CatalogueEntry | null {
  const models = priceList === null ? undefined : CATALOGUE.get(priceList);
  return models?.get(model) ?? null;
}
