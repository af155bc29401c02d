import {
  fileFailure,
  fileSuccess,
  type FileResult,
  type FileStatus,
  type OpenDirectory,
  type OpenFile,
  type PublicationFileSystem,
} from '../file-system.ts';

interface Inode {
  readonly id: number;
  readonly mode: number;
  links: number;
  bytes: Uint8Array;
  /** Null for a file. */
  readonly children: Map<string, Inode> | null;
  modifiedAt: number;
}

/** A tree of files that several parties see, each through a file system of its own. */
export interface MemoryDisk {
  readonly root: Inode;
  issued: number;
}

const USER = 1000;

export function newMemoryDisk(): MemoryDisk {
  const disk: MemoryDisk = { root: inode(0, 0o755, true), issued: 0 };
  return disk;
}

/** Makes a directory of this user alone in the root. */
export function makeDiskDirectory(disk: MemoryDisk, name: string): void {
  disk.root.children?.set(name, inode((disk.issued += 1), 0o700, true));
}

function inode(id: number, mode: number, isDirectory: boolean): Inode {
  return { id, mode, links: 1, bytes: new Uint8Array(), children: isDirectory ? new Map() : null, modifiedAt: 0 };
}

/** A disk as one party sees it. `step` comes before each call: what it gives, if anything, is the call's errno. */
export function memoryFileSystem(disk: MemoryDisk, step: () => Promise<string | null>): PublicationFileSystem {
  const nodes = new WeakMap<OpenDirectory, Inode>();
  const through = async <T>(act: () => FileResult<T>): Promise<FileResult<T>> => {
    const errno = await step();
    return errno === null ? act() : fileFailure(errno);
  };
  const found = (path: string): Inode | null => {
    let node: Inode | undefined = disk.root;
    for (const name of path.split('/').filter((part) => part !== '')) node = node?.children?.get(name);
    return node ?? null;
  };
  const statusOf = (node: Inode | null | undefined): FileResult<FileStatus> =>
    node === null || node === undefined
      ? fileFailure('ENOENT')
      : fileSuccess({
          kind: node.children === null ? 'file' : 'directory',
          identity: String(node.id),
          owner: USER,
          group: USER,
          mode: node.mode,
          size: node.bytes.length,
          links: node.links,
          modifiedAt: node.modifiedAt,
        });

  function file(node: Inode): OpenFile {
    return {
      status: () => through(() => statusOf(node)),
      write: (bytes) =>
        through(() => {
          node.bytes = Buffer.concat([node.bytes, bytes]);
          return fileSuccess(null);
        }),
      overwrite: (position, bytes) =>
        through(() => {
          node.bytes = Buffer.concat([
            node.bytes.subarray(0, position),
            bytes,
            node.bytes.subarray(position + bytes.length),
          ]);
          return fileSuccess(null);
        }),
      read: (position, length) => through(() => fileSuccess(node.bytes.subarray(position, position + length))),
      sync: () => through(() => fileSuccess(null)),
      close: async () => undefined,
    };
  }

  function directory(node: Inode): OpenDirectory {
    const children = node.children ?? new Map<string, Inode>();
    const add = (name: string, child: Inode): FileResult<null> => {
      if (children.has(name)) return fileFailure('EEXIST');
      children.set(name, child);
      node.modifiedAt += 1;
      return fileSuccess(null);
    };
    const take = (name: string, isDirectory: boolean): FileResult<null> => {
      const child = children.get(name);
      if (child === undefined) return fileFailure('ENOENT');
      if ((child.children !== null) !== isDirectory) return fileFailure('EISDIR');
      if (child.children !== null && child.children.size > 0) return fileFailure('ENOTEMPTY');
      children.delete(name);
      child.links -= 1;
      node.modifiedAt += 1;
      return fileSuccess(null);
    };
    const contentOf = (name: string, limit: number): FileResult<Uint8Array> => {
      const child = children.get(name);
      if (child === undefined) return fileFailure('ENOENT');
      return child.bytes.length > limit ? fileFailure('EFBIG') : fileSuccess(child.bytes);
    };
    const opened: OpenDirectory = {
      reference: () => String(node.id),
      status: () => through(() => statusOf(node)),
      isWritable: () => through(() => fileSuccess(true)),
      entry: (name) => through(() => statusOf(children.get(name))),
      names: (limit) => through(() => fileSuccess([...children.keys()].slice(0, limit))),
      openDirectory: (name) =>
        through(() => {
          const child = children.get(name);
          return child === undefined ? fileFailure('ENOENT') : fileSuccess(directory(child));
        }),
      makeDirectory: (name, mode) => through(() => add(name, inode((disk.issued += 1), mode, true))),
      createFile: (name, mode) =>
        through(() => {
          const child = inode((disk.issued += 1), mode, false);
          const added = add(name, child);
          return added.ok ? fileSuccess(file(child)) : added;
        }),
      readFile: (name, limit) => through(() => contentOf(name, limit)),
      digestFile: () => through(() => fileFailure('ENOSYS')),
      link: (from, fromName, name) =>
        through(() => {
          const child = nodes.get(from)?.children?.get(fromName);
          if (child === undefined) return fileFailure('ENOENT');
          const added = add(name, child);
          if (added.ok) child.links += 1;
          return added;
        }),
      rename: () => through(() => fileFailure('ENOSYS')),
      removeFile: (name) => through(() => take(name, false)),
      removeDirectory: (name) => through(() => take(name, true)),
      sync: () => through(() => fileSuccess(null)),
      close: async () => undefined,
    };
    nodes.set(opened, node);
    return opened;
  }

  return {
    userId: USER,
    accounts: { isPrivateGroup: () => true, userName: String, groupName: String },
    status: (path) => through(() => statusOf(found(path))),
    readLink: () => through(() => fileFailure('EINVAL')),
    openDirectory: (path) =>
      through(() => {
        const node = found(path);
        return node === null ? fileFailure('ENOENT') : fileSuccess(directory(node));
      }),
  };
}
