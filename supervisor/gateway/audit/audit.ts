import type { OpenDirectory, PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import type { OwnerProbe } from '../../evidence/publication/owner.ts';
import { fileName, openAuditDirectory, type AuditDirectory } from './directory.ts';
import { openNextFiles, type AuditBounds, type LeftFile } from './files.ts';
import { groupCommit } from './group-commit.ts';
import { outcomeLine, unendedCalls, type AuditedCall } from './record.ts';

/** What is written of calls that may write, before and after them (gateway.md §11). */
export interface Audit {
  /** Whether the line is durable; false also once the audit is fenced. */
  append(line: Uint8Array): Promise<boolean>;
  /** After anything that failed, until the gateway is started again. */
  isFenced(): boolean;
  /** Calls of an earlier gateway of which nobody knows how they ended. */
  readonly unended: readonly AuditedCall[];
  /** Puts that on record, once the start cannot fail any more; whether it is durable. */
  recordUnended(): Promise<boolean>;
  /** Locked for as long as the audit is open. */
  readonly directory: AuditDirectory;
  /** Writes what waits and lets others have the directory; false where that could not be done. */
  close(): Promise<boolean>;
}

export interface AuditOptions extends AuditBounds {
  readonly fileSystem: PublicationFileSystem;
  readonly owners: OwnerProbe;
  /** Absolute. */
  readonly directory: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: () => string;
  /** Called once, when nothing can be written any more. */
  readonly onFence: () => void;
}

/**
 * Takes the directory, creates a new file and sees that it can be written to; null where any of that fails. A gateway
 * that ends before anything is recorded leaves the directory as it was (gateway.md §11).
 */
export async function openAudit({
  fileSystem,
  owners,
  directory: path,
  now,
  onFence,
  ...bounds
}: AuditOptions): Promise<Audit | null> {
  const opened = await openAuditDirectory(fileSystem, owners, path, bounds.maxFileBytes);
  if (opened === null) return null;
  const { directory, records, unlock } = opened;
  const newest = await readNewestRecords(directory, records, bounds.maxFileBytes);
  const files =
    newest === null ? null : await openNextFiles(directory, records, bounds, { nameOf: fileName, head: () => [] });
  if (files === null || newest === null) {
    await unlock();
    await directory.close();
    return null;
  }
  const writer = groupCommit(files, onFence);
  const unended = unendedCalls(newest);
  return {
    ...writer,
    unended,
    recordUnended: async () => {
      const lines = unended.map((call) => outcomeLine(call, UNKNOWN, now()));
      return (await Promise.all(lines.map(async (line) => writer.append(line)))).every((isDurable) => isDurable);
    },
    directory: opened,
    close: async () => {
      await writer.close();
      await files.close();
      const isFree = await unlock();
      await directory.close();
      return isFree && !writer.isFenced();
    },
  };
}

const LINE_END = 0x0a;

/** Of the newest file that has a whole record; empty where none has, null where one cannot be read. */
async function readNewestRecords(
  directory: OpenDirectory,
  files: readonly LeftFile[],
  maxFileBytes: number,
): Promise<Uint8Array | null> {
  for (const { sequence } of files.toReversed()) {
    const read = await directory.readFile(fileName(sequence), maxFileBytes);
    if (!read.ok) return null;
    if (read.value.includes(LINE_END)) return read.value;
  }
  return new Uint8Array();
}

const UNKNOWN = {
  outcome_code: 'unknown',
  dispatch_state: 'unknown',
  write_effects_may_have_occurred: true,
  disconnected: false,
  cleanup_status: 'uncertain',
} as const;
