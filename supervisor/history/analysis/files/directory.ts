import { join } from 'node:path';
import { compareUtf8 } from '../../../../contract/json/utf8.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import type { CaptureTime } from './capture-time.ts';
import { isSameFile, type EvidenceFiles, type FileFacts } from './evidence-files.ts';

/** Names in one directory (evidence.md §5, "Directory capture"). */
export const DIRECTORY_ENTRIES = 4096;

/** A name in a captured directory, and what was there when it was listed. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly facts: FileFacts;
}

export interface Inventory {
  /** Ordered by name. */
  readonly entries: readonly Entry[];
  /** Names that are of no interest to this capture, by what the caller asked to count. */
  readonly excluded: number;
  /** False when anything of this has changed since. */
  readonly isUnchanged: () => Promise<boolean>;
}

export interface InventoryRequest {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly directory: string;
  readonly choose: (name: string) => 'take' | 'exclude' | 'ignore';
  /** Entries that may be taken. */
  readonly mostNames: number;
  readonly time: CaptureTime;
}

/** What is in one directory, one level deep. Names that begin with a point belong to anyone who is writing there. */
export async function listInventory({
  files,
  directory,
  choose,
  mostNames,
  time,
}: InventoryRequest): Promise<Answer<Inventory>> {
  const place = await files.facts(directory);
  if (place?.kind !== 'directory') return refuseQuery('source_unavailable');
  const listed = await listNames(files, directory, choose);
  if (!listed.ok) return listed;
  const { names, excluded } = listed.value;
  if (names.length > mostNames) return refuseQuery('source_limit_exceeded');
  const entries: Entry[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const facts = await files.facts(path);
    if (facts === null) return refuseQuery('source_changed');
    if (time.isListingOver()) return refuseQuery('source_unavailable');
    entries.push({ name, path, facts });
  }
  const isUnchanged = async (): Promise<boolean> => {
    const now = await files.facts(directory);
    if (now?.kind !== 'directory' || now.device !== place.device || now.inode !== place.inode) return false;
    const again = await listNames(files, directory, choose);
    if (!again.ok || again.value.names.join('/') !== names.join('/')) return false;
    for (const { path, facts } of entries) if (!isSameFile(facts, await files.facts(path))) return false;
    return true;
  };
  return answer({ entries, excluded, isUnchanged });
}

async function listNames(
  files: EvidenceFiles,
  directory: string,
  choose: InventoryRequest['choose'],
): Promise<Answer<{ readonly names: readonly string[]; readonly excluded: number }>> {
  const names = await files.names(directory, DIRECTORY_ENTRIES);
  if (names === null) return refuseQuery('source_unavailable');
  if (names.length > DIRECTORY_ENTRIES) return refuseQuery('source_limit_exceeded');
  const visible = names.filter((name) => !name.startsWith('.'));
  return answer({
    names: visible.filter((name) => choose(name) === 'take').toSorted(compareUtf8),
    excluded: visible.filter((name) => choose(name) === 'exclude').length,
  });
}

/**
 * All bytes of an entry, at most `most`; `source_changed` where it is not what was listed, `source_unavailable` where
 * it may not be read.
 */
export async function countEntryBytes(
  files: EvidenceFiles,
  { path, facts }: Entry,
  most: number,
): Promise<Answer<Buffer>> {
  if (facts.size > BigInt(most)) return refuseQuery('source_limit_exceeded');
  const file = await files.open(path);
  if (file === null)
    return refuseQuery(isSameFile(facts, await files.facts(path)) ? 'source_unavailable' : 'source_changed');
  try {
    if (!isSameFile(facts, await file.facts())) return refuseQuery('source_changed');
    const size = Number(facts.size);
    const bytes = await file.read(0, size + 1);
    if (bytes?.length !== size || !isSameFile(facts, await file.facts())) return refuseQuery('source_changed');
    return answer(bytes);
  } finally {
    await file.close();
  }
}
