import type { OfferedExampleName } from '../../../contract/init-lists.ts';

/** Files by path below the target, `/` between segments; directories are implied. */
export type Tree = ReadonlyMap<string, Uint8Array>;

/** The shipped tree of an example; null for one that this build does not contain. */
export type TreeSource = (example: OfferedExampleName) => Promise<Tree | null>;

/** Every directory of a tree, parents before their children. */
export function directoriesOf(tree: Tree): readonly string[] {
  const found = new Set<string>();
  for (const path of tree.keys()) {
    const segments = path.split('/').slice(0, -1);
    for (const [index] of segments.entries()) found.add(segments.slice(0, index + 1).join('/'));
  }
  return [...found].toSorted((left, right) => left.split('/').length - right.split('/').length);
}

/** Names directly below the target. */
export function topLevelNames(tree: Tree): ReadonlySet<string> {
  return new Set([...tree.keys()].map((path) => path.split('/')[0] ?? path));
}
