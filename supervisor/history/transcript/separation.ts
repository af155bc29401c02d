import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';

/** A directory that a command reads from or writes to, and the option that names it. */
export interface NamedDirectory {
  readonly option: string;
  /** Absolute, normal, without links. */
  readonly path: string;
}

/** How two directories are not apart, as a hint says it: `--private-output lies inside --traces`. */
export type Overlap = string;

/**
 * The first two of the directories that are not apart: one is the other, lies inside it or around it, by what the file
 * system says and not by their names (cli.md §10, transcript). Null when all are; throws for a directory that is not
 * there.
 */
export async function findOverlap(
  files: EvidenceFiles,
  directories: readonly NamedDirectory[],
): Promise<Overlap | null> {
  const conflict = await findConflict(files, directories);
  return conflict === null ? null : `${conflict.left} ${WORDS[conflict.relation]} ${conflict.right}`;
}

/** Two directories that are not apart, by what names them. */
export interface DirectoryConflict {
  readonly left: string;
  readonly right: string;
  readonly relation: 'same' | 'left_contains_right' | 'right_contains_left';
}

const WORDS: Readonly<Record<DirectoryConflict['relation'], string>> = {
  same: 'is the same directory as',
  left_contains_right: 'lies around',
  right_contains_left: 'lies inside',
};

/** As `overlapOf`, as data. */
export async function findConflict(
  files: EvidenceFiles,
  directories: readonly NamedDirectory[],
): Promise<DirectoryConflict | null> {
  const chains = await Promise.all(
    directories.map(async ({ option, path }) => ({ option, chain: await resolveChain(files, path) })),
  );
  for (const [index, one] of chains.entries()) {
    for (const other of chains.slice(index + 1)) {
      const related = relation(one.chain, other.chain);
      if (related !== null) return { left: one.option, right: other.option, relation: related };
    }
  }
  return null;
}

/** Identities from the directory itself up to the root. */
async function resolveChain(files: EvidenceFiles, path: string): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let current = path; ; current = parentOf(current)) {
    const facts = await files.facts(current);
    if (facts === null) throw new Error('a directory that was looked at is gone');
    chain.push(`${facts.device} ${facts.inode}`);
    if (current === '/') return chain;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function relation(one: readonly string[], other: readonly string[]): DirectoryConflict['relation'] | null {
  const [own] = one;
  const [its] = other;
  if (own === undefined || its === undefined) return null;
  if (own === its) return 'same';
  if (one.includes(its)) return 'right_contains_left';
  return other.includes(own) ? 'left_contains_right' : null;
}
