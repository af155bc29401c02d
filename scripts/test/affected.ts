/** Which suites a change may affect, by what files name: a pure search over a graph. */
import { dirname, posix } from 'node:path';
import type { Suite } from './parts.ts';

/** A suite, and how many steps from a changed file it is. */
export interface Affected {
  readonly suite: Suite;
  readonly steps: number;
}

/** Imports of types alone are no dependence at run time; what they name is left out. */
const TYPE_IMPORT = /^(?:import|export) type [^;]*;/gm;
const NAMED_FILE = /(['"`])([\w@-]*[./][\w@./-]*\w)\1/g;

/**
 * The files of the project that a file names: in an import, or as a script, program or page that it starts or reads.
 * A name counts from the folder of the file; one with a folder in it also from the root of the project.
 */
export function findNamedFiles(file: string, text: string, isFile: (path: string) => boolean): readonly string[] {
  const names = [...text.replaceAll(TYPE_IMPORT, '').matchAll(NAMED_FILE)].map(([, , name = '']) => name);
  const paths = names.flatMap((name) => [
    posix.join(dirname(file), name),
    ...(name.includes('/') ? [posix.normalize(name)] : []),
  ]);
  return [...new Set(paths)].filter((path) => path !== file && isFile(path));
}

/** Nearest first. A suite is also affected by a change in its own folder or below, which holds what it reads. */
export function findAffected(
  suites: readonly Suite[],
  changed: readonly string[],
  names: ReadonlyMap<string, readonly string[]>,
): readonly Affected[] {
  const steps = countSteps(changed, names);
  return suites
    .flatMap((suite) => {
      const isBeside = changed.some(
        (file) => file.startsWith(`${dirname(suite.file)}/`) && !file.endsWith('.suite.ts'),
      );
      const nearest = Math.min(steps.get(suite.file) ?? Infinity, suite.part !== 'unit' && isBeside ? 1 : Infinity);
      return nearest === Infinity ? [] : [{ suite, steps: nearest }];
    })
    .toSorted((one, other) => one.steps - other.steps);
}

/** From each file that depends on a changed one, over how many names. */
function countSteps(
  changed: readonly string[],
  names: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const pairs = [...names].flatMap(([file, named]) => named.map((path) => ({ file, path })));
  const namedBy = Map.groupBy(pairs, ({ path }) => path);
  const steps = new Map(changed.map((file) => [file, 0]));
  for (let step = 1, front = changed; front.length > 0; step += 1) {
    front = [...new Set(front.flatMap((file) => (namedBy.get(file) ?? []).map((pair) => pair.file)))].filter(
      (file) => !steps.has(file),
    );
    for (const file of front) steps.set(file, step);
  }
  return steps;
}

export interface QuickChoice {
  readonly chosen: readonly Suite[];
  readonly left: readonly Suite[];
}

/** As many suites as there are seconds for, the nearest first; of those equally near, the quick ones. */
export function chooseWithin(
  affected: readonly Affected[],
  seconds: number,
  expected: (suite: Suite) => number,
): QuickChoice {
  const order = affected.toSorted(
    (one, other) => one.steps - other.steps || expected(one.suite) - expected(other.suite),
  );
  const chosen: Suite[] = [];
  const left: Suite[] = [];
  let free = seconds;
  for (const { suite } of order) {
    const needed = expected(suite);
    (needed <= free ? chosen : left).push(suite);
    if (needed <= free) free -= needed;
  }
  return { chosen, left };
}
