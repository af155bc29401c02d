import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import { catalogued } from './catalogue/catalogue.ts';
import type { ModelDeclaration } from './declaration.ts';
import { parseSelector } from './selector.ts';
import { SELECTOR_PREFIXES, vendorOf, type Vendor } from './vendors.ts';

const NO_SELECTOR =
  'the model selector has the form PREFIX:MODEL, or openai-compat:BASE_URL|MODEL with an https address by name, or http at 127.0.0.1 or [::1]';

/**
 * Whether a route serves the model exactly as it was declared (providers.md §3, table A; §5.2): a value that would be
 * dropped or altered on the way is refused before any credential is read. Null where nothing is wrong.
 */
export function checkModel(declaration: ModelDeclaration): LocalFinding | null {
  const selector = parseSelector(declaration.selector);
  if (selector === null) return { code: 'adapter_unavailable', hint: NO_SELECTOR };
  const vendor = vendorOf(selector);
  if (vendor === null)
    return {
      code: 'adapter_unavailable',
      hint: `the prefix of a model selector is one of ${SELECTOR_PREFIXES.join(', ')}`,
    };
  const hint =
    unhonoured(declaration, vendor) ??
    (declaration.needsPrice && priceOf(declaration, vendor) === null
      ? 'a cost budget needs a price: the catalogue has none of this model, so name prices in the installation'
      : null);
  return hint === null ? null : { code: 'model_contract_unsupported', hint };
}

function priceOf({ selector, prices }: ModelDeclaration, vendor: Vendor): unknown {
  if (prices !== null) return prices;
  const parsed = parseSelector(selector);
  return parsed === null ? null : (catalogued(vendor, parsed.model)?.prices ?? null);
}

/** Anthropic's own range; the others take the one of the host document. */
const ANTHROPIC_TEMPERATURE_MAX = 1;

/** The first declared value that this route would not pass on as it is. */
function unhonoured(
  { params, schemaMode, guarantees, routing, prices }: ModelDeclaration,
  vendor: Vendor,
): string | null {
  const { prefix } = vendor;
  const foreign = [...new Set(Object.keys(params))].find((name) => ![...vendor.params].some((known) => known === name));
  if (foreign !== undefined) return `${prefix} does not take the parameter ${foreign}`;
  if (vendor.wire === 'anthropic' && params.temperature !== undefined && params.top_p !== undefined)
    return 'anthropic does not take temperature together with top_p';
  if (vendor.wire === 'anthropic' && (params.temperature ?? 0) > ANTHROPIC_TEMPERATURE_MAX)
    return 'anthropic takes a temperature of 0 to 1';
  if (!vendor.schemaModes.has(schemaMode)) return `${prefix} has no structured output in mode ${schemaMode}`;
  if (guarantees.cost && vendor.priceList === null && prices === null)
    return `${prefix} has no price, so no cost can be guaranteed`;
  if (routing !== null && prefix !== 'openrouter') return `${prefix} takes no routing, which openrouter alone does`;
  return null;
}
