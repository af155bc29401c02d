import { parseSelector } from './selector.ts';
import { vendorOf, type Vendor } from './vendors.ts';

/** Where a selector leads: a vendor's row, its address, and the model's name there. */
export interface Route {
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly model: string;
}

/** Null for a selector that no route serves (providers.md §5.1). */
export function routeOf(selectorText: string): Route | null {
  const selector = parseSelector(selectorText);
  const vendor = selector === null ? null : vendorOf(selector);
  return selector === null || vendor === null ? null : { vendor, baseUrl: vendor.baseUrl, model: selector.model };
}
