/**
 * What the supervisor asks of the model adapter: threads of one tenant, and models that are asked in them (providers.md
 * §5, §14).
 */
export type { Prices as ModelPrices } from '../llm/catalogue/entry.ts';
export { modelAdapter } from '../llm/adapter.ts';
export { baseRates, describeModel } from '../llm/describe-model.ts';
export type { ModelDeclaration } from '../llm/declaration.ts';
export { modelThreads } from '../llm/services.ts';
export type { ModelThreads } from '../llm/services.ts';
