import { isRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { JOURNAL_DIRECTORY } from '../../evidence/publication/journal/directory.ts';
import { partialName, type ArtifactDirectory } from '../../evidence/publication/names.ts';

/** Where files of a run may be below an artifact root. */
export type RunDirectory = ArtifactDirectory | typeof JOURNAL_DIRECTORY;

/** Traces first: without one, a run is no run for any reader (evidence.md §9). */
export const RUN_DIRECTORIES: readonly RunDirectory[] = [
  'traces',
  'inspection',
  'results',
  'envelopes',
  JOURNAL_DIRECTORY,
];

/** A name below one of them. */
export interface RunFileName {
  readonly directory: RunDirectory;
  readonly name: string;
}

/** Every file that a run may have left (cli.md §10, "a run"), traces first. */
export function runFileNames(runRef: RunReference): readonly RunFileName[] {
  return [
    { directory: 'traces', name: `${runRef}.jsonl` },
    { directory: 'traces', name: `${runRef}.private.jsonl` },
    { directory: 'inspection', name: `${runRef}.svcins` },
    { directory: 'inspection', name: partialName(runRef) },
    { directory: 'results', name: `${runRef}.json` },
    { directory: 'results', name: `${runRef}.private.json` },
    { directory: 'envelopes', name: `${runRef}.json` },
    { directory: JOURNAL_DIRECTORY, name: runRef },
  ];
}

/** The run that a file is of; null for any other name. */
export function runOfFile({ directory, name }: RunFileName): RunReference | null {
  const end = name.indexOf('.');
  const stem = end < 0 ? name : name.slice(0, end);
  if (!isRunReference(stem)) return null;
  return runFileNames(stem).some((file) => file.directory === directory && file.name === name) ? stem : null;
}
