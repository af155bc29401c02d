import type { DefaultDocumentName, DefaultDocumentRule, CommandArguments } from './types.ts';

/** The names of a document that nobody named, in the order in which they are tried (first-day.md §1). */
export const DEFAULT_DOCUMENTS: readonly DefaultDocumentName[] = ['svc-project.json', 'svc.json'];

const REFERENCE_LENGTH = 'cmd-'.length + 26;
/** The beginning of a reference that a person has in hand, or all of it. */
const RUN_PREFIX = /^cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{7,25}$/;

/** A project takes the place of `--project` where the command needs one; an application has no runs. */
export function projectByDefault(needs: (commandArguments: CommandArguments) => boolean): DefaultDocumentRule {
  return (commandArguments, { name }) =>
    name === 'svc-project.json' && !commandArguments.options.has('--project') && needs(commandArguments)
      ? '--project'
      : null;
}

/** Whether a word names a run by itself. */
export function isWholeReference(word: string | undefined): boolean {
  return word?.startsWith('cmd-') === true && word.length === REFERENCE_LENGTH;
}

/** The document takes the place of the argument, unless that or one of these options is given. */
export function argumentByDefault(...unless: readonly `--${string}`[]): DefaultDocumentRule {
  return ({ positionals, options }) =>
    positionals.length > 0 || unless.some((name) => options.has(name)) ? null : 'argument';
}

/** A reference, or a word for one (first-day.md §1). */
export function isRunSelector(value: string): boolean {
  return value === 'latest' || value === 'latest-failed' || RUN_PREFIX.test(value);
}

/** Whether a project has to say which run is meant. */
export function needsProject(word: string): boolean {
  return isRunSelector(word) && !isWholeReference(word);
}
