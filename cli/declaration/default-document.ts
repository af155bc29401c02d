import type { GivenArguments, Operand } from './types.ts';

/** The names of a document that nobody named, in the order in which they are tried (first-day.md §1). */
export const DEFAULT_DOCUMENTS = ['svc-project.json', 'svc.json'] as const;
export type DefaultDocumentName = (typeof DEFAULT_DOCUMENTS)[number];

const REFERENCE_LENGTH = 'cmd-'.length + 26;

/** What a command does with the document of the working directory; null: it needs none. */
export type DefaultDocumentRule = (
  given: GivenArguments,
  found: { readonly name: DefaultDocumentName; readonly isTerminal: boolean },
) => Operand | null;

/** A project stands in for `--project` where the command needs one; an application has no runs. */
export function projectByDefault(needs: (given: GivenArguments) => boolean): DefaultDocumentRule {
  return (given, { name }) =>
    name === 'svc-project.json' && !given.options.has('--project') && needs(given) ? '--project' : null;
}

/** Whether a word names a run by itself. */
export function isWholeReference(word: string | undefined): boolean {
  return word?.startsWith('cmd-') === true && word.length === REFERENCE_LENGTH;
}

/** The document stands in for the argument, unless that or one of these options is given. */
export function argumentByDefault(...unless: readonly `--${string}`[]): DefaultDocumentRule {
  return ({ positionals, options }) =>
    positionals.length > 0 || unless.some((name) => options.has(name)) ? null : 'argument';
}
