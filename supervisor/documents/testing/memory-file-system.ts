import type { FileIdentity, FileOutcome, FileSystem, OpenedFile } from '../file-system.ts';

/** A file by its content, or something else that can be at a path. */
export type MemoryEntry = string | Uint8Array | { readonly link: string } | { readonly special: true };

export type Operation = 'identify' | 'readLink' | 'open' | 'identifyOpened' | 'read';

export interface MemoryFileSystem extends FileSystem {
  /** Replaces what is at a path; a new thing has a new identity. */
  set(path: string, entry: MemoryEntry | null): void;
  /** Runs before every call; may change the tree, or answer with a fault. */
  before: (operation: Operation, path: string) => FileOutcome<never> | null;
  /** Paths opened so far, in order. */
  readonly opened: readonly string[];
}

interface Node {
  readonly entry: MemoryEntry | { readonly directory: true };
  readonly inode: bigint;
}

const MISSING = { ok: false, fault: 'missing' } as const;
const UNUSABLE = { ok: false, fault: 'unusable' } as const;

/** A tree in memory; directories exist as far as entries lie below them. */
export function memoryFileSystem(entries: Readonly<Record<string, MemoryEntry>>): MemoryFileSystem {
  const nodes = new Map<string, Node>();
  const opened: string[] = [];
  let inodes = 0n;
  const put = (path: string, entry: Node['entry']) => nodes.set(path, { entry, inode: (inodes += 1n) });
  put('/', { directory: true });

  const files: MemoryFileSystem = {
    opened,
    before: () => null,
    set(path, entry) {
      if (entry === null) {
        nodes.delete(path);
        return;
      }
      const segments = path.split('/').slice(1, -1);
      for (const index of segments.keys()) {
        const parent = `/${segments.slice(0, index + 1).join('/')}`;
        if (!nodes.has(parent)) put(parent, { directory: true });
      }
      put(path, entry);
    },
    identify: (path) => answer('identify', path, () => identityOf(nodes.get(path))),
    readLink: (path) =>
      answer('readLink', path, () => {
        const entry = nodes.get(path)?.entry;
        return typeof entry === 'object' && 'link' in entry ? { ok: true, value: entry.link } : UNUSABLE;
      }),
    open: (path) =>
      answer('open', path, () => {
        const node = nodes.get(path);
        if (node === undefined) return MISSING;
        opened.push(path);
        return { ok: true, value: openedFile(path, node) };
      }),
  };

  async function answer<T>(operation: Operation, path: string, compute: () => FileOutcome<T>): Promise<FileOutcome<T>> {
    return files.before(operation, path) ?? compute();
  }

  function openedFile(path: string, node: Node): OpenedFile {
    return {
      identify: () => answer('identifyOpened', path, () => identityOf(node)),
      read: (limit) =>
        answer('read', path, () => {
          const { entry } = node;
          if (typeof entry === 'string') return { ok: true, value: new TextEncoder().encode(entry).subarray(0, limit) };
          return entry instanceof Uint8Array ? { ok: true, value: entry.subarray(0, limit) } : UNUSABLE;
        }),
      close: async () => {},
    };
  }

  for (const [path, entry] of Object.entries(entries)) files.set(path, entry);
  return files;
}

function identityOf(node: Node | undefined): FileOutcome<FileIdentity> {
  if (node === undefined) return MISSING;
  return { ok: true, value: { kind: kindOf(node.entry), device: 1n, inode: node.inode } };
}

function kindOf(entry: Node['entry']): FileIdentity['kind'] {
  if (typeof entry === 'string' || entry instanceof Uint8Array) return 'file';
  if ('directory' in entry) return 'directory';
  return 'link' in entry ? 'link' : 'other';
}
