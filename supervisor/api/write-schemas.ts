import { join, relative } from 'node:path';
import { diagnostic, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { publishTree, type TreeOutcome } from '../authoring/initialize/publish-tree.ts';
import { schemaFiles } from '../authoring/initialize/schema-files.ts';
import { PROGRAM_FILES } from '../platform/program-folder.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { refusalWords } from '../evidence/publication/refusal-words.ts';

/** What `svc schemas` is asked (first-day.md §1). */
export interface WriteSchemasOptions {
  /** Absolute; must not exist. */
  readonly directory: string;
  /** Absolute: what an editor opens, from which it finds the schemas. */
  readonly workingDirectory: string;
  readonly programDirectory: string;
  readonly fileSystem?: PublicationFileSystem;
}

/** What was written, or why nothing was; the hint is for people. */
export type WriteSchemasOutcome =
  /** Names in the directory. */
  | { readonly ok: true; readonly written: readonly string[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly hint: string | null };

const CODES: Readonly<Record<Exclude<TreeOutcome, 'published'>, DiagnosticCode>> = {
  target_exists: 'destination_exists',
  parent_missing: 'invalid_destination',
  parent_unusable: 'invalid_destination',
  failed: 'invalid_destination',
};
const HINTS: Readonly<Record<Exclude<TreeOutcome, 'published'>, string>> = {
  target_exists: 'nothing is replaced: name a directory that is new or empty',
  parent_missing: 'the directory in which it is made does not exist',
  parent_unusable: 'the parent must be a directory that you may write',
  failed: 'the directory could not be written',
};

/** Writes the JSON Schemas of all documents into a new directory, and beside them what tells an editor of them. */
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
    diagnostic: diagnostic(CODES[outcome]),
    hint: outcome === 'parent_unusable' && refused !== null ? refusalWords(fileSystem, refused) : HINTS[outcome],
  };
}

/** As an editor that opens the working directory finds it. */
function placeOf(directory: string, workingDirectory: string): string {
  const below = relative(workingDirectory, directory);
  return below.startsWith('..') ? directory : `./${below}`;
}
