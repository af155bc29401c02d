/**
 * What the supervisor asks of the decision adapter: the models that decide are opened as models are (providers.md §11).
 */
export { decisionAdapter } from '../decisions/adapter.ts';
export type { DecisionDeclaration } from '../decisions/adapter.ts';
