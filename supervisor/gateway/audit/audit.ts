import type { PublicationFileSystem } from '../../publication/file-system.ts';
import type { OwnerProbe } from '../../publication/owner.ts';
import { fileName, openAuditDirectory } from './directory.ts';
import type { AuditDirectory } from './directory.ts';
import { nextFiles } from './files.ts';
import type { AuditBounds } from './files.ts';
import { groupCommit } from './group-commit.ts';
import { outcomeLine, unendedCalls } from './record.ts';
import type { AuditedCall } from './record.ts';

/** What is written of calls that may write, before and after them (gateway.md §11). */
export interface Audit {
  /** Whether the line is durable; false also once the audit is fenced. */
  append(line: Uint8Array): Promise<boolean>;
  /** After anything that failed, until the gateway is started again. */
  isFenced(): boolean;
  /** Calls of an earlier gateway of which nobody knows how they ended; that is on record now. */
  readonly unended: readonly AuditedCall[];
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
  /** Told once, when nothing can be written any more. */
  readonly onFence: () => void;
}

/** Takes the directory, begins a new file and sees that it can be written to; null where any of that fails. */
export async function openAudit({ fileSystem, owners, directory: path, now, onFence, ...bounds }: AuditOptions): Promise<Audit | null> {
  const opened = await openAuditDirectory(fileSystem, owners, path, bounds.maxFileBytes);
  if (opened === null) return null;
  const { directory, sequences, unlock } = opened;
  const newest = sequences.at(-1);
  const read = newest === undefined ? null : await directory.readFile(fileName(newest), bounds.maxFileBytes);
  const files = read?.ok === false ? null : await nextFiles(directory, sequences, bounds, { nameOf: fileName, head: () => [] });
  const unended = read?.ok === true ? unendedCalls(read.value) : [];
  const lines = unended.map((call) => outcomeLine(call, UNKNOWN, now()));
  const isWritable = files !== null && (await files.append(lines));
  if (!isWritable) {
    await files?.close();
    await unlock();
    await directory.close();
    return null;
  }
  const writer = groupCommit(files, onFence);
  return {
    ...writer,
    unended,
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

const UNKNOWN = { outcome_code: 'unknown', dispatch_state: 'unknown', write_effects_may_have_occurred: true, disconnected: false, cleanup_status: 'uncertain' } as const;
