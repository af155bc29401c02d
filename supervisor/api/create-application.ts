import { join, relative } from 'node:path';
import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { modelChoice, MODEL_VENDORS } from '../authoring/initialize/model-vendors.ts';
import {
  isToolName,
  newApplicationTree,
  nextCommands,
  TOOL_NAMES,
  type NewApplication,
} from '../authoring/initialize/new-application.ts';
import { publishTree } from '../authoring/initialize/publish-tree.ts';
import { schemaFiles } from '../authoring/initialize/schema-files.ts';
import { PROGRAM_FILES } from '../platform/program-folder.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { TREE_CODES, treeHint } from './initialize.ts';

export { isToolName, modelChoice, TOOL_NAMES, type NewApplication };

/** Names before the colon of a selector. */
export const MODEL_PREFIXES: readonly string[] = Object.keys(MODEL_VENDORS);

/** Where it is written. */
export interface CreateApplicationOptions {
  /** Absolute; must not exist, or be empty. */
  readonly directory: string;
  /** Absolute: from where the user goes on. */
  readonly workingDirectory: string;
  readonly programDirectory: string;
}

/** What was written, or why nothing was; the hint is for people. */
export type CreateApplicationEnd =
  | {
      readonly ok: true;
      /** Names below the directory, sorted. */
      readonly created: readonly string[];
      /** Commands that lead on, in their order. */
      readonly next: readonly string[];
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly hint: string | null };

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
