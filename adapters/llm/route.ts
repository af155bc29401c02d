import { parseSelector } from './selector.ts';
import { vendorOf, type Vendor, type WireChoice, type WireName } from './vendors.ts';

/** Where a selector leads: a vendor's row, the form of its requests, its address, and the model's name there. */
export interface Route {
  readonly vendor: Vendor;
  readonly wire: WireName;
  readonly baseUrl: string;
  readonly model: string;
}

/** Null for a selector that no route serves (providers.md §5.1). */
export function routeOf(selectorText: string, choice: WireChoice = 'auto'): Route | null {
  const selector = parseSelector(selectorText);
  const vendor = selector === null ? null : vendorOf(selector);
  if (selector === null || vendor === null) return null;
  const { model } = selector;
  return { vendor, wire: wireFor(vendor, model, choice), baseUrl: vendor.baseUrl, model };
}

/** A choice that the vendor does not have is a local finding, and never gets here. */
function wireFor({ wire, responses }: Vendor, model: string, choice: WireChoice): WireName {
  if (wire !== 'chat') return wire;
  if (choice === 'auto') return responses === 'reasoning_models' && hasResponses(model) ? 'responses' : 'chat';
  return choice;
}

/** GPT-5 and what came after it, and the o-series but for its first two: those that have Responses. */
function hasResponses(model: string): boolean {
  return /^o(?!1-(?:mini|preview))\d/.test(model) || Number(/^gpt-(\d+)/.exec(model)?.[1] ?? 0) >= 5;
}
