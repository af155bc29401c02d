import type { ModelsResult } from '../../contract/envelope/results.ts';
import type { ModelDescription, ModelRatesByName } from '../../supervisor/api/models.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { styled, wrapped, type Styling } from './styling.ts';

const INDENT = 2;

/** Prices as people say them, in the order in which they are reported. */
const PRICES = [
  ['input', 'in'],
  ['output', 'out'],
  ['cacheRead', 'read from a cache'],
  ['cacheWrite', 'written to a cache'],
  ['reasoning', 'reasoned'],
] as const;

/**
 * The installations of a host document for a terminal, with what the bundled tables know of the models (providers.md
 * §13, §5.7).
 */
export function modelsTable(
  { installations }: ModelsResult,
  descriptions: ReadonlyMap<string, ModelDescription>,
  styling: Styling,
): string {
  if (installations.length === 0) return 'The host document installs nothing.\n';
  const blocks = installations.map(
    ({ alias, source, installation_revision: revision, accepts_data: accepted, destinations }) => {
      const description = descriptions.get(alias);
      const facts = [
        ...(description === undefined ? [] : [description.selector ?? 'its selector is not shown']),
        `for: ${destinations.join(', ')}; takes ${accepted.join(' and ')} data`,
        ...(description === undefined ? [] : knownOf(description)),
      ];
      return [
        `${styled(visibleText(alias), 'bold', styling)}  ${source}  ${visibleText(revision)}`,
        ...facts.map((fact) => `${' '.repeat(INDENT)}${wrapped(visibleText(fact), styling.width, INDENT)}`),
      ].join('\n');
    },
  );
  const date = [...descriptions.values()].flatMap(({ route }) => route?.catalogueDate ?? [])[0];
  const dated = date === undefined ? [] : [`Catalogue of models and prices: ${date}`];
  return `${[...blocks, ...dated].join('\n\n')}\n`;
}

function knownOf({ route, ownPrices }: ModelDescription): readonly string[] {
  if (route === null) return ['no route serves this selector'];
  const { entry, schemaModes, takesReasoningEffort, caches } = route;
  const can = [
    ...schemaModes.map((mode) => `structured output by ${mode}`),
    ...(takesReasoningEffort ? ['reasoning effort'] : []),
    ...(caches ? ['caching'] : []),
  ];
  const able = can.length === 0 ? [] : [`its route passes on: ${can.join(', ')}`];
  const own = ownPrices === null ? [] : [`its own price of a million tokens: ${pricesText(ownPrices)}`];
  if (entry === null)
    return own.length === 0
      ? ['not in the catalogue: no price and no limit is known', ...able]
      : ['not in the catalogue: no limit is known', ...own, ...able];
  const limits = [
    ...(entry.contextTokens === null ? [] : [`context ${String(entry.contextTokens)}`]),
    ...(entry.outputTokens === null ? [] : [`output ${String(entry.outputTokens)}`]),
  ];
  return [
    ...(limits.length === 0 ? [] : [`tokens: ${limits.join(', ')}`]),
    ...(own.length > 0 ? own : [cataloguePriceText(entry.prices)]),
    ...able,
  ];
}

function cataloguePriceText(prices: ModelRatesByName): string {
  const text = pricesText(prices);
  return text === '' ? 'no price is known' : `price of a million tokens: ${text}`;
}

function pricesText(prices: ModelRatesByName): string {
  return [
    ...PRICES.flatMap(([name, said]) => (prices[name] === undefined ? [] : [`$${prices[name]} ${said}`])),
    ...(prices.request === undefined ? [] : [`$${Number(prices.request)} for a thousand requests`]),
  ].join(', ');
}
