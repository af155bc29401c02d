import { didYouMean, oneOfNames } from '../../contract/names/suggestion.ts';
import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import { catalogued } from './catalogue/catalogue.ts';
import type { ModelDeclaration } from './declaration.ts';
import { effortOf } from './reasoning/effort.ts';
import { reasoningOf, thinksWith } from './reasoning/models.ts';
import { routeOf, type Route } from './route.ts';
import { parseSelector } from './selector.ts';
import { SELECTOR_PREFIXES } from './vendors.ts';

const NO_SELECTOR =
  'the model selector has the form PREFIX:MODEL, or openai-compat:BASE_URL|MODEL with an https address by name, or http at 127.0.0.1 or [::1]';

/** A name may lead anywhere, so plain HTTP goes to an address alone. */
const NAMED_LOOPBACK = /^openai-compat:http:\/\/localhost(?=[:/|]|$)/;
const BY_ADDRESS = 'this machine is 127.0.0.1 or [::1] in a model selector, not localhost';

function guessedPrefix({ selector }: ModelDeclaration): string | null {
  return didYouMean(selector.slice(0, selector.indexOf(':')), SELECTOR_PREFIXES);
}

/**
 * Whether a route serves the model exactly as it was declared (providers.md §3, table A; §5.2): a value that would be
 * dropped or altered on the way is refused before any credential is read. Null where nothing is wrong.
 */
export function checkModel(declaration: ModelDeclaration): LocalFinding | null {
  const selector = parseSelector(declaration.selector);
  if (selector === null)
    return { code: 'adapter_unavailable', hint: NAMED_LOOPBACK.test(declaration.selector) ? BY_ADDRESS : NO_SELECTOR };
  const route = routeOf(declaration.selector, declaration.wire);
  if (route === null)
    return {
      code: 'adapter_unavailable',
      hint: [`the prefix of a model selector is one of ${SELECTOR_PREFIXES.join(', ')}`, guessedPrefix(declaration)]
        .filter((part) => part !== null)
        .join('; '),
    };
  const hint =
    unhonoured(declaration, route) ??
    unthought(declaration, route) ??
    (declaration.needsPrice && priceOf(declaration, route) === null
      ? 'a cost budget needs a price: the catalogue has none of this model, so name prices in the installation'
      : null);
  return hint === null ? null : { code: 'model_contract_unsupported', hint };
}

function priceOf({ prices }: ModelDeclaration, { vendor, model }: Route): unknown {
  return prices ?? catalogued(vendor, model)?.prices ?? null;
}

/** Anthropic's own range; the others take the one of the host document. */
const ANTHROPIC_TEMPERATURE_MAX = 1;

/** The first declared value that this route would not pass on as it is. */
function unhonoured(
  { params, schemaMode, guarantees, routing, prices, wire, server }: ModelDeclaration,
  { vendor, wire: spoken }: Route,
): string | null {
  const { prefix } = vendor;
  if (wire !== 'auto' && (vendor.wire !== 'chat' || (wire === 'responses' && vendor.responses === 'never')))
    return `${prefix} has no choice of wires, or not the wire ${wire}`;
  const foreign = [...new Set(Object.keys(params))].find((name) => ![...vendor.params].some((known) => known === name));
  if (foreign !== undefined) return `${prefix} does not take the parameter ${foreign}`;
  if (vendor.wire === 'anthropic' && params.temperature !== undefined && params.top_p !== undefined)
    return 'anthropic does not take temperature together with top_p';
  if (vendor.wire === 'anthropic' && (params.temperature ?? 0) > ANTHROPIC_TEMPERATURE_MAX)
    return 'anthropic takes a temperature of 0 to 1';
  if (!vendor.schemaModes.has(schemaMode))
    return `${prefix} has no structured output in mode ${schemaMode}; write ${oneOfNames([...vendor.schemaModes])}`;
  if (guarantees.cost && vendor.priceList === null && prices === null)
    return `${prefix} has no price, so no cost can be guaranteed; write "cost_currency": null, or name prices in the installation`;
  if (routing !== null && prefix !== 'openrouter') return `${prefix} takes no routing, which openrouter alone does`;
  if (server !== null && prefix !== 'openai-compat')
    return `${prefix} takes no headers, query, auth and max_tokens_field, which openai-compat alone does`;
  if (server !== null && server.outputLimitMember !== null && spoken !== 'chat')
    return 'max_tokens_field is a member of chat completions, not of responses';
  return null;
}

/** Parameters of sampling, which a model that thinks refuses or leaves aside. */
const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const;
const WITHOUT_SAMPLING: ReadonlySet<string> = new Set(['openai', 'deepseek']);

/** The first value that this model would not think by, or not beside its thought. */
function unthought({ params }: ModelDeclaration, route: Route): string | null {
  const effort = effortOf(params.reasoning_effort);
  const reasoning = reasoningOf(route);
  if (reasoning !== null && effort !== null && !reasoning.efforts.includes(effort))
    return reasoning.efforts.length === 0
      ? 'this model takes no reasoning_effort'
      : `this model takes the reasoning_effort ${reasoning.efforts.join(', ')}`;
  const sampling = SAMPLING.find((name) => params[name] !== undefined);
  return sampling !== undefined && WITHOUT_SAMPLING.has(route.vendor.prefix) && thinksWith(route, effort)
    ? `this model does not take the parameter ${sampling} while it thinks`
    : null;
}
