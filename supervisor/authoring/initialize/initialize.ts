import { join } from 'node:path';
import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../../contract/envelope/build.ts';
import type { CommandFailure, CommandSuccess } from '../../../contract/envelope/types.ts';
import { EXAMPLE_LISTS, INIT_LISTS, isListedExample, type OfferedExampleName } from '../../../contract/init-lists.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { PROGRAM_FILES } from '../../../system/program-files.ts';
import type { PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { exampleTrees } from './example-trees.ts';
import { publishTree } from './publish-tree.ts';
import { scaffoldTree } from './scaffold.ts';
import { topLevelNames, type TreeSource } from './tree.ts';
import { TREE_CODES, treeHint } from './tree-refusal.ts';

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

function failed(runRef: RunReference, error: Diagnostic, hint: string | null): InitializeReport {
  return { end: commandFailure('init', runRef, error), hint, unexpected: null };
}
