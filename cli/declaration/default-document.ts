import type { GivenArguments, Operand } from './types.ts';

/** The names of a document that nobody named, in the order in which they are tried (first-day.md §1). */
export const DEFAULT_DOCUMENTS = ['svc-project.json', 'svc.json'] as const;
export type DefaultDocumentName = (typeof DEFAULT_DOCUMENTS)[number];

/** What a command does with the document of the working directory; null: it needs none. */
export type DefaultDocumentRule = (
  given: GivenArguments,
  found: { readonly name: DefaultDocumentName; readonly isTerminal: boolean },
) => Operand | null;

/** The document stands in for the argument, unless that or one of these options is given. */
export function argumentByDefault(...unless: readonly `--${string}`[]): DefaultDocumentRule {
  return ({ positionals, options }) =>
    positionals.length > 0 || unless.some((name) => options.has(name)) ? null : 'argument';
}
