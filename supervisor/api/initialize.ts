import { join } from 'node:path';
import { diagnostic, type Diagnostic, type DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import { EXAMPLE_LISTS, INIT_LISTS, isListedExample, type OfferedExampleName } from '../../contract/init-lists.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { exampleTrees } from '../authoring/initialize/example-trees.ts';
import { publishTree, type TreeEnd, type TreeOutcome } from '../authoring/initialize/publish-tree.ts';
import { scaffoldTree } from '../authoring/initialize/scaffold.ts';
import { topLevelNames, type TreeSource } from '../authoring/initialize/tree.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { refusalWords } from '../evidence/publication/refusal-words.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { PROGRAM_FILES } from '../platform/program-folder.ts';

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

const PARENT_HINT = 'the parent must be a directory that you may write';

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
