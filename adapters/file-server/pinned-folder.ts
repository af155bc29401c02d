import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';

/** Where Linux keeps a process's descriptors; a folder's leads to that folder, whatever became of its path. */
const DESCRIPTORS = '/proc/self/fd';
/** Linux: a descriptor of a folder that may be entered but not listed. Node has no name for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
/** macOS: no part of the path may be a link, not only the last. Node has no name for it. */
const O_NOFOLLOW_ANY = process.platform === 'darwin' ? 0x20000000 : 0;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH | O_NOFOLLOW_ANY;
const FILE_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK | O_NOFOLLOW_ANY;

/** What is under a name, and whose it is. */
export interface FolderEntry {
  readonly isFile: boolean;
  /** The rights alone. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * A folder that is held by its descriptor: its names are looked up in that very folder, one name at a time, and no link
 * is followed. Node has no `openat`; on Linux `/proc/self/fd/N/NAME` is the same. Elsewhere (macOS) a name is addressed
 * by path, which is compared with the descriptor before each step and of which no part may be a link: a folder that is
 * swapped between those two system calls can lead a rename astray, but never an open. Every method throws what the
 * system reports.
 */
export class PinnedFolder {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #identity: BigIntStats;
  readonly #descriptors: string | null;

  /** `path` is absolute, or a name below the descriptor of another folder. */
  constructor(path: string, descriptors: string | null = folderOfDescriptors()) {
    this.#path = path;
    this.#descriptors = descriptors;
    this.#descriptor = openSync(path, FOLDER_FLAGS);
    this.#identity = fstatSync(this.#descriptor, { bigint: true });
  }

  /** The folder of that name; the caller closes it. */
  enter(name: string): PinnedFolder {
    return new PinnedFolder(this.#at(name), this.#descriptors);
  }

  /** What is under that name; null for nothing. */
  entry(name: string): FolderEntry | null {
    const found = lstatSync(this.#at(name), { throwIfNoEntry: false });
    return found === undefined
      ? null
      : { isFile: found.isFile(), mode: found.mode & 0o777, uid: found.uid, gid: found.gid };
  }

  /** A descriptor, which the caller closes. A pipe is not waited for. */
  open(name: string, flags: number, mode: number): number {
    return openSync(this.#at(name), flags | FILE_FLAGS, mode);
  }

  rename(from: string, to: string): void {
    renameSync(this.#at(from), this.#at(to));
  }

  remove(name: string): void {
    unlinkSync(this.#at(name));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #at(name: string): string {
    if (this.#descriptors !== null) return `${this.#descriptors}/${String(this.#descriptor)}/${name}`;
    const now = lstatSync(this.#path, { bigint: true });
    if (now.dev === this.#identity.dev && now.ino === this.#identity.ino) return `${this.#path}/${name}`;
    throw Object.assign(new Error('a path leads elsewhere than before'), { code: 'ESTALE' });
  }
}

function folderOfDescriptors(): string | null {
  return process.platform === 'linux' && existsSync(DESCRIPTORS) ? DESCRIPTORS : null;
}
