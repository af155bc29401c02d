import { join, relative } from 'node:path';
import { diagnostic, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import { EXAMPLE_LISTS, INIT_LISTS, isListedExample, type OfferedExampleName } from '../../contract/init-lists.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import type { Refused } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { exampleTrees } from '../authoring/initialize/example-trees.ts';
import { publishTree, type TreeEnd, type TreeOutcome } from '../authoring/initialize/publish-tree.ts';
import { scaffoldTree } from '../authoring/initialize/scaffold.ts';
import { topLevelNames, type TreeSource } from '../authoring/initialize/tree.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { refusalWords } from '../evidence/publication/refusal-words.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { modelChoice, MODEL_VENDORS } from '../authoring/initialize/model-vendors.ts';
import {
  isToolName,
  newApplicationTree,
  nextCommands,
  TOOL_NAMES,
  type NewApplication,
} from '../authoring/initialize/new-application.ts';
import { schemaFiles } from '../authoring/initialize/schema-files.ts';

/** What `svc init` is asked (cli.md §8). */
export interface InitializeOptions {
  readonly runRef: RunReference;
  /** Absolute; must not exist, or be empty. */
  readonly directory: string;
  /** Null: the scaffold. */
  readonly example: OfferedExampleName | null;
  /** The shipped example trees. */
  readonly trees: TreeSource;
  readonly fileSystem: PublicationFileSystem;
}

/** What this machine, with the program in `programDirectory` (absolute), has for it. */
export function treeTools(programDirectory: string): Pick<InitializeOptions, 'trees' | 'fileSystem'> {
  return { trees: exampleTrees(join(programDirectory, PROGRAM_FILES.examples)), fileSystem: nodeFileSystem() };
}

/** What became of it, also where a step threw. */
export interface InitializeReport {
  /** Or the names of an example that an envelope cannot list, sorted (cli.md §8). */
  readonly end: CommandSuccess<'init'> | CommandFailure<'init'> | { readonly created: readonly string[] };
  /** A remedy for people, with the path of a directory that was refused; null without one. */
  readonly hint: string | null;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** The code of each way in which no tree was published. */
export const TREE_CODES: Readonly<Record<Exclude<TreeOutcome, 'published'>, DiagnosticCode>> = {
  target_exists: 'initialization_target_exists',
  parent_missing: 'initialization_parent_missing',
  parent_unusable: 'initialization_parent_unusable',
  failed: 'initialization_failed',
};

const PARENT_HINT = 'the parent must be a directory that you may write to';

/** Creates a new application directory, whole or not at all (cli.md §8). Never throws. */
export async function initialize(options: InitializeOptions): Promise<InitializeReport> {
  const { runRef, example, fileSystem } = options;
  try {
    const tree = example === null ? scaffoldTree() : await options.trees(example);
    if (tree === null) {
      return failed(
        runRef,
        diagnostic('internal_error', { cause: 'resource_unavailable' }),
        'this build does not contain the files of that example',
      );
    }
    const { outcome, refused } = await publishTree(fileSystem, options.directory, tree);
    if (outcome !== 'published')
      return failed(runRef, diagnostic(TREE_CODES[outcome]), treeHint(fileSystem, { outcome, refused }));
    if (example !== null && !isListedExample(example))
      return { end: { created: [...topLevelNames(tree)].toSorted() }, hint: null, unexpected: null };
    const created = example === null ? INIT_LISTS.scaffold : EXAMPLE_LISTS[example];
    return { end: commandSuccess('init', runRef, { created }), hint: null, unexpected: null };
  } catch (error) {
    return {
      ...failed(runRef, diagnostic('internal_error', { cause: 'unexpected_exception' }), null),
      unexpected: error,
    };
  }
}

/** What a person can do where no tree was published; null where the code says it. */
export function treeHint(fileSystem: PublicationFileSystem, { outcome, refused }: TreeEnd): string | null {
  if (outcome !== 'parent_unusable') return null;
  return refused === null ? PARENT_HINT : refusalWords(fileSystem, refused);
}

function failed(runRef: RunReference, error: Diagnostic, hint: string | null): InitializeReport {
  return { end: commandFailure('init', runRef, error), hint, unexpected: null };
}

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
