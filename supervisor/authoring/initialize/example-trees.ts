import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_LISTS, isListedExample, type OfferedExampleName } from '../../../contract/init-lists.ts';
import { EXAMPLE_AGENTS, EXAMPLE_GITIGNORE, environmentTemplate } from './example-files.ts';
import { isLeftOut } from './left-out-files.ts';
import { topLevelNames, type Tree, type TreeSource } from './tree.ts';

/**
 * The trees below a folder of the installed program, one folder for each example, each with the files that every
 * example has (cli.md §8). Null for a tree that is missing, or not exactly its published list where it has one: none is
 * given in part.
 */
export function exampleTrees(folder: string): TreeSource {
  return async (example) => {
    const files = filesBelow(join(folder, example), isListedExample(example));
    return files === null ? null : completed(example, files);
  };
}

function completed(example: OfferedExampleName, files: ReadonlyMap<string, Uint8Array>): Tree | null {
  const list: readonly string[] | null = isListedExample(example) ? EXAMPLE_LISTS[example] : null;
  const tree = new Map(files);
  const encoder = new TextEncoder();
  tree.set('.gitignore', encoder.encode(EXAMPLE_GITIGNORE));
  tree.set('AGENTS.md', encoder.encode(EXAMPLE_AGENTS));
  if (list?.includes('.env') === true) tree.set('.env', encoder.encode(environmentTemplate(files)));
  if (list === null) return tree;
  const names = topLevelNames(tree);
  return names.size === list.length && list.every((name) => names.has(name)) ? tree : null;
}

/** Cases of an example that is one folder; the published lists do not name them (cli.md §8). */
const TESTS = 'tests';

/** Null where there is no such folder. Other kinds of entries than files and directories are a broken installation. */
function filesBelow(folder: string, isWithoutTests: boolean): ReadonlyMap<string, Uint8Array> | null {
  const found = new Map<string, Uint8Array>();
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (isLeftOut(entry.name) || (isWithoutTests && below === '' && entry.name === TESTS)) continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else found.set(path, readFileSync(join(folder, path)));
    }
  };
  try {
    visit('');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return found;
}
