/** The three parts of the tests, and the words of a command line that choose among them. */
import { globSync } from 'node:fs';

export const PART_NAMES = ['unit', 'integration', 'conformance'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** A file of tests. */
export interface Suite {
  readonly part: PartName;
  /** From the root of the project. */
  readonly file: string;
}

/** What of a part is wanted: files, or patterns of them. */
export interface Wanted {
  readonly part: PartName;
  readonly patterns: readonly string[];
}

/** Where mocha's options for a part are. */
export const MOCHA_CONFIG: Readonly<Record<PartName, string>> = {
  unit: '.mocharc.json',
  integration: '.mocharc.suites.json',
  conformance: 'conformance/.mocharc.json',
};

/** Reads `unit PATTERN... integration PATTERN...`. Throws for a pattern without a part, and for a part without one. */
export function parseWanted(words: readonly string[]): readonly Wanted[] {
  const wanted: { part: PartName; patterns: string[] }[] = [];
  for (const word of words) {
    const part = PART_NAMES.find((name) => name === word);
    const last = wanted.at(-1);
    if (part !== undefined) wanted.push({ part, patterns: [] });
    else if (last === undefined) throw new Error(`not a part of the tests: ${word}`);
    else last.patterns.push(word);
  }
  for (const { part, patterns } of wanted) if (patterns.length === 0) throw new Error(`no patterns for ${part}`);
  return wanted;
}

/** The files that patterns match, each once, in order. Throws for a pattern that matches nothing. */
export function findSuites(root: string, wanted: readonly Wanted[]): readonly Suite[] {
  return wanted.flatMap(({ part, patterns }) => {
    const files = patterns.flatMap((pattern) => {
      const found = globSync(pattern, { cwd: root, exclude: (path) => path.endsWith('node_modules') });
      if (found.length === 0) throw new Error(`no file matches ${pattern}`);
      return found;
    });
    return [...new Set(files)].toSorted().map((file) => ({ part, file }));
  });
}
