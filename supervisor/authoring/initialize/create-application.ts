import { join, relative } from 'node:path';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Refused } from '../../../contract/outcome.ts';
import { PROGRAM_FILES } from '../../../system/program-files.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { newApplicationTree, nextCommands, type NewApplication } from './new-application.ts';
import { publishTree } from './publish-tree.ts';
import { schemaFiles } from './schema-files.ts';
import { TREE_CODES, treeHint } from './tree-refusal.ts';

/** Where it is written. */
export interface CreateApplicationOptions {
  /** Absolute; must not exist, or be empty. */
  readonly directory: string;
  /** Absolute: from where the user goes on. */
  readonly workingDirectory: string;
  readonly programDirectory: string;
}

/** What was written, or why nothing was. */
export type CreateApplicationEnd =
  | {
      readonly ok: true;
      /** Names below the directory, sorted. */
      readonly created: readonly string[];
      /** Commands that lead on, in their order. */
      readonly next: readonly string[];
    }
  | Refused;

/** Writes a new application, whole or not at all (first-day.md §1). */
export async function createApplication(
  application: NewApplication,
  { directory, workingDirectory, programDirectory }: CreateApplicationOptions,
): Promise<CreateApplicationEnd> {
  const fileSystem = nodeFileSystem();
  const schemas = await schemaFiles(join(programDirectory, PROGRAM_FILES.schemas), './schemas');
  const tree = newApplicationTree(application, schemas);
  const { outcome, refused } = await publishTree(fileSystem, directory, tree);
  if (outcome !== 'published')
    return { ok: false, diagnostic: diagnostic(TREE_CODES[outcome]), hint: treeHint(fileSystem, { outcome, refused }) };
  const below = relative(workingDirectory, directory);
  const created = [...tree.keys()].filter((path) => !path.startsWith('schemas/'));
  return {
    ok: true,
    created: [...created, 'schemas'].toSorted(),
    next: nextCommands(application, below === '' ? null : below.startsWith('..') ? directory : below),
  };
}
