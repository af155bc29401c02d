import type { Success } from '../../../contract/outcome.ts';
import type { Accounts } from './accounts.ts';

/**
 * The file-system calls that publication makes, each addressed below an open directory so that a path swapped
 * between two calls cannot lead a write elsewhere (runtime.md §12, §15.3). Every failure is a value: tests inject
 * one at each call.
 */

export type FileResult<T> = Success<T> | { readonly ok: false; readonly errno: string };

/** Device and inode in one word, equal exactly when two names lead to one object. */
export type InodeIdentity = string;

export interface FileStatus {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly identity: InodeIdentity;
  /** User id of the owner. */
  readonly owner: number;
  /** Group id. */
  readonly group: number;
  /** Permission bits with setuid, setgid and sticky: the low twelve bits. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
  /** Names that lead to it. */
  readonly links: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface PublicationFileSystem {
  /** User id that this process acts as. */
  readonly userId: number;
  /** Whose its owners and groups are. */
  readonly accounts: Accounts;
  /** Status of the name itself; links are not followed. */
  status(path: string): Promise<FileResult<FileStatus>>;
  readLink(path: string): Promise<FileResult<string>>;
  /** Fails when the last component is a link. */
  openDirectory(path: string): Promise<FileResult<OpenDirectory>>;
}

/** Names are single components of this directory. */
export interface OpenDirectory {
  /**
   * How the same file system addresses this directory now, in `link` and `rename`; of no meaning elsewhere. May throw
   * like they fail.
   */
  reference(): string;
  status(): Promise<FileResult<FileStatus>>;
  /** Whether this process may create names here. */
  isWritable(): Promise<FileResult<boolean>>;
  entry(name: string): Promise<FileResult<FileStatus>>;
  /** At most `limit` names, in no order. */
  names(limit: number): Promise<FileResult<readonly string[]>>;
  openDirectory(name: string): Promise<FileResult<OpenDirectory>>;
  makeDirectory(name: string, mode: number): Promise<FileResult<null>>;
  /** Exclusive: fails when the name exists in any form. */
  createFile(name: string, mode: number): Promise<FileResult<OpenFile>>;
  /** A regular file of at most `limit` bytes; links are not followed. Larger: errno EFBIG. */
  readFile(name: string, limit: number): Promise<FileResult<Uint8Array>>;
  /** SHA-256 of a regular file of at most `limit` bytes, 64 hex digits; links are not followed. Larger: errno EFBIG. */
  digestFile(name: string, limit: number): Promise<FileResult<string>>;
  /** Hard link of `from/fromName` as `name`; never replaces. */
  link(from: OpenDirectory, fromName: string, name: string): Promise<FileResult<null>>;
  /** Moves `from/fromName` to `name`, replacing a file or an empty directory. */
  rename(from: OpenDirectory, fromName: string, name: string): Promise<FileResult<null>>;
  removeFile(name: string): Promise<FileResult<null>>;
  removeDirectory(name: string): Promise<FileResult<null>>;
  sync(): Promise<FileResult<null>>;
  close(): Promise<void>;
}

export interface OpenFile {
  status(): Promise<FileResult<FileStatus>>;
  /** All bytes, or a failure. */
  write(bytes: Uint8Array): Promise<FileResult<null>>;
  /** Bytes that were written, from a position on; fewer where the file ends before. */
  read(position: number, length: number): Promise<FileResult<Uint8Array>>;
  /** Puts bytes in the place of some that were written; later writes go on behind the last one. */
  overwrite(position: number, bytes: Uint8Array): Promise<FileResult<null>>;
  sync(): Promise<FileResult<null>>;
  close(): Promise<void>;
}

export function fileSuccess<T>(value: T): FileResult<T> {
  return { ok: true, value };
}

export function fileFailure(errno: string): FileResult<never> {
  return { ok: false, errno };
}
