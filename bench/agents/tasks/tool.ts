import { providerError, type CustomFunction } from '../../../supervisor/api/supervisor.ts';
import type { TaskTool } from '../task.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Parameters of a tool: all of them are required but those that are named as optional. */
export function parameters(properties: Properties, optional: readonly string[] = []): TaskTool['inputSchema'] {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A tool without a memory. */
export function tool(spec: Omit<TaskTool, 'open'> & { readonly call: CustomFunction }): TaskTool {
  const { call, ...rest } = spec;
  return { ...rest, open: () => call };
}

/** What a tool answers that cannot do what it was asked, with words for whoever asked. */
export function refusal(words: string): ReturnType<typeof providerError> {
  return providerError('domain_error', { details: words, isComplete: true });
}

export const TEXT = { type: 'string' };
export const WHOLE = { type: 'integer' };
