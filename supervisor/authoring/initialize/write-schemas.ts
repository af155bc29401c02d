import { join, relative } from 'node:path';
import { diagnostic, type DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import type { Refused } from '../../../contract/outcome.ts';
import { PROGRAM_FILES } from '../../../system/program-files.ts';
import type { PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { refusalWords } from '../../evidence/publication/refusal-words.ts';
import { publishTree, type TreeOutcome } from './publish-tree.ts';
import { schemaFiles } from './schema-files.ts';

/** What `svc schemas` is asked (first-day.md §1). */
export interface WriteSchemasOptions {
  /** Absolute; must not exist. */
  readonly directory: string;
  /** Absolute: what an editor opens, from which it finds the schemas. */
  readonly workingDirectory: string;
  readonly programDirectory: string;
  readonly fileSystem?: PublicationFileSystem;
}

/** What was written, or why nothing was. */
export type WriteSchemasOutcome =
  /** Names in the directory. */
  { readonly ok: true; readonly written: readonly string[] } | Refused;

const SCHEMA_CODES: Readonly<Record<Exclude<TreeOutcome, 'published'>, DiagnosticCode>> = {
  target_exists: 'destination_exists',
  parent_missing: 'invalid_destination',
  parent_unusable: 'invalid_destination',
  failed: 'invalid_destination',
};
const SCHEMA_HINTS: Readonly<Record<Exclude<TreeOutcome, 'published'>, string>> = {
  target_exists: 'nothing is replaced: name a directory that is new or empty',
  parent_missing: 'its parent directory does not exist',
  parent_unusable: 'the parent must be a directory that you may write to',
  failed: 'the directory could not be written',
};

/**
 * Writes the JSON Schemas of all documents into a new directory, and beside them a file by which an editor finds them.
 */
export async function writeSchemas({
  directory,
  workingDirectory,
  programDirectory,
  fileSystem = nodeFileSystem(),
}: WriteSchemasOptions): Promise<WriteSchemasOutcome> {
  const tree = await schemaFiles(join(programDirectory, PROGRAM_FILES.schemas), placeOf(directory, workingDirectory));
  const { outcome, refused } = await publishTree(fileSystem, directory, tree);
  if (outcome === 'published') return { ok: true, written: [...tree.keys()] };
  return {
    ok: false,
    diagnostic: diagnostic(SCHEMA_CODES[outcome]),
    hint: outcome === 'parent_unusable' && refused !== null ? refusalWords(fileSystem, refused) : SCHEMA_HINTS[outcome],
  };
}

/** As an editor that opens the working directory finds it. */
function placeOf(directory: string, workingDirectory: string): string {
  const below = relative(workingDirectory, directory);
  return below.startsWith('..') ? directory : `./${below}`;
}
