import type { Fault, Result } from '../../contract/outcome.ts';
import { BYTE_ORDER_MARK, withoutByteOrderMark } from '../../contract/byte-order-mark.ts';
import type { FileIdentity, FileOutcome, FileSystem } from './file-system.ts';

/** Links followed on the way to one file (documents.md §2). */
const MAX_LINKS = 16;

/** `irregular`: a directory, a device, a socket or a pipe. */
export type ReadFault = 'missing' | 'irregular' | 'unusable' | 'escape';

export type ReadOutcome = { readonly ok: true; readonly file: SafeFile } | Fault<ReadFault>;

/** Bytes proven to come from one regular file that did not change places while it was read. */
export interface SafeFile {
  /** Absolute, free of links. */
  readonly path: string;
  /** Absolute directory of `path`. */
  readonly directory: string;
  /**
   * What follows a byte order mark (first-day.md §3), at most `limit + 1` bytes: a longer array than the limit says
   * that the file is too large.
   */
  readonly bytes: Uint8Array;
}

interface Located {
  readonly path: string;
  readonly directory: string;
  readonly identity: FileIdentity;
  readonly parents: ReadonlyMap<string, FileIdentity>;
}

export interface SafeReadRequest {
  readonly fileSystem: FileSystem;
  /** Absolute and free of links; nothing outside it is ever opened. `/` for a path the caller gave. */
  readonly root: string;
  /** Below `root`, already free of NUL. */
  readonly segments: readonly string[];
  /** Bytes. */
  readonly limit: number;
  /** What this command already read, by device and inode: no file is read twice, whatever names lead to it. */
  readonly known: Map<string, Uint8Array>;
}

/**
 * Reads one regular file below a root, following at most 16 links whose targets stay below it, and proves by
 * device, inode and kind that file and parents are the same before, during and after (documents.md §2).
 */
export async function readSafely(request: SafeReadRequest): Promise<ReadOutcome> {
  const located = await locate(request.fileSystem, request.root, request.segments);
  if (!located.ok) return located;
  const { value } = located;
  if (value.identity.kind !== 'file') return irregular;
  const key = `${value.identity.device}:${value.identity.inode}`;
  const { path, directory } = value;
  const known = request.known.get(key);
  if (known !== undefined) return { ok: true, file: { path, directory, bytes: known } };
  const opened = await request.fileSystem.open(value.path);
  if (!opened.ok) return { ok: false, fault: opened.fault === 'missing' ? 'missing' : 'unusable' };
  try {
    if (!sameAs(value.identity, await opened.value.identify())) return unusable;
    const bytes = await opened.value.read(request.limit + 1 + BYTE_ORDER_MARK.length);
    if (!bytes.ok) return unusable;
    if (!sameAs(value.identity, await opened.value.identify())) return unusable;
    if (!(await checkUnmoved(request.fileSystem, value))) return unusable;
    const text = withoutByteOrderMark(bytes.value).subarray(0, request.limit + 1);
    request.known.set(key, text);
    return { ok: true, file: { path, directory, bytes: text } };
  } finally {
    await opened.value.close();
  }
}

const unusable: Fault<ReadFault> = { ok: false, fault: 'unusable' };
const irregular: Fault<ReadFault> = { ok: false, fault: 'irregular' };

/** Splits an absolute path that a caller gave; null for a path that no file can have. */
export function absoluteSegments(path: string): readonly string[] | null {
  if (!path.startsWith('/') || path.includes('\0')) return null;
  return path.split('/').filter((segment) => segment !== '');
}

async function locate(
  fileSystem: FileSystem,
  root: string,
  segments: readonly string[],
): Promise<Result<Located, ReadFault>> {
  const pending = [...segments].reverse();
  const below: string[] = [];
  const parents = new Map<string, FileIdentity>();
  const rootIdentity = await fileSystem.identify(root);
  if (!rootIdentity.ok) return { ok: false, fault: rootIdentity.fault === 'missing' ? 'missing' : 'unusable' };
  if (rootIdentity.value.kind !== 'directory') return unusable;
  parents.set(root, rootIdentity.value);
  let links = 0;
  for (;;) {
    const segment = pending.pop();
    if (segment === undefined) return unusable;
    if (segment === '.' || segment === '') continue;
    if (segment === '..') {
      // Every part of `below` is free of links, so its last segment really is the parent's child.
      if (below.pop() === undefined && root !== '/') return { ok: false, fault: 'escape' };
      continue;
    }
    const path = join(root, [...below, segment]);
    const identity = await fileSystem.identify(path);
    if (!identity.ok) return { ok: false, fault: identity.fault === 'missing' ? 'missing' : 'unusable' };
    switch (identity.value.kind) {
      case 'link': {
        links += 1;
        if (links > MAX_LINKS) return unusable;
        const target = await fileSystem.readLink(path);
        if (!target.ok) return unusable;
        const inner = targetSegments(root, target.value);
        if (inner === null) return { ok: false, fault: 'escape' };
        if (inner.absolute) below.length = 0;
        for (const part of inner.segments.toReversed()) pending.push(part);
        break;
      }
      case 'directory':
        below.push(segment);
        parents.set(path, identity.value);
        if (pending.every((part) => part === '' || part === '.')) return irregular;
        break;
      case 'file':
      case 'other':
        if (pending.length > 0) return { ok: false, fault: 'missing' };
        return {
          ok: true,
          value: { path, directory: join(root, below), identity: identity.value, parents: onTheWay(parents, path) },
        };
    }
  }
}

function targetSegments(root: string, target: string): { absolute: boolean; segments: string[] } | null {
  if (!target.startsWith('/')) return { absolute: false, segments: target.split('/') };
  if (root === '/') return { absolute: true, segments: target.split('/') };
  return target.startsWith(`${root}/`) ? { absolute: true, segments: target.slice(root.length + 1).split('/') } : null;
}

function onTheWay(parents: ReadonlyMap<string, FileIdentity>, path: string): ReadonlyMap<string, FileIdentity> {
  return new Map([...parents].filter(([parent]) => path.startsWith(parent === '/' ? '/' : `${parent}/`)));
}

async function checkUnmoved(fileSystem: FileSystem, located: Located): Promise<boolean> {
  if (!sameAs(located.identity, await fileSystem.identify(located.path))) return false;
  for (const [path, identity] of located.parents) {
    if (!sameAs(identity, await fileSystem.identify(path))) return false;
  }
  return true;
}

function sameAs(before: FileIdentity, after: FileOutcome<FileIdentity>): boolean {
  return (
    after.ok &&
    after.value.kind === before.kind &&
    after.value.device === before.device &&
    after.value.inode === before.inode
  );
}

function join(root: string, segments: readonly string[]): string {
  if (segments.length === 0) return root;
  return root === '/' ? `/${segments.join('/')}` : `${root}/${segments.join('/')}`;
}
