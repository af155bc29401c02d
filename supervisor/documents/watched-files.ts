import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { FileSystem } from './file-system.ts';

/** What runs leave beside documents is no change of them. */
const LEFT_BY_RUNS = /^\.svc/;
/**
 * Milliseconds between two looks. Asking the file system again sees what notices of it miss: files that editors
 * replace, folders that come later, mounts of containers.
 */
const LOOK_MS = 200;
/** Looks in a row that have to be alike, so that many saves at once are one change. */
const ALIKE = 2;

/** The files that an application names, found by reading it (first-day.md §1, watch). */
export class WatchedFiles {
  readonly #inner: FileSystem;
  /** What was there just before it was first read, by path. */
  #seen = new Map<string, string>();

  constructor(inner: FileSystem) {
    this.#inner = inner;
  }

  /** Files and the folders that hold them, of which something was read since the last `unwatch`. */
  get size(): number {
    return this.#seen.size;
  }

  /** Reads as the given file system does, and keeps in mind what was read, or sought in vain. */
  get documents(): FileSystem {
    return {
      identify: async (path) => this.#inner.identify(this.#note(path)),
      readLink: async (path) => this.#inner.readLink(this.#note(path)),
      open: async (path) => this.#inner.open(this.#note(path)),
    };
  }

  /** Before everything is read again. */
  unwatch(): void {
    this.#seen = new Map();
  }

  /** Waits until something is other than it was read, and then until it stays as it is. False: aborted. */
  async changed(signal: AbortSignal): Promise<boolean> {
    let last = this.#look();
    let alike = 0;
    while (!signal.aborted) {
      const hasChanged = [...this.#seen].some(([path, before]) => last.get(path) !== before);
      if (hasChanged && alike >= ALIKE) return true;
      await after(LOOK_MS, null, { signal }).catch(() => null);
      const now = this.#look();
      alike = [...now].every(([path, state]) => last.get(path) === state) ? alike + 1 : 0;
      last = now;
    }
    return false;
  }

  #look(): ReadonlyMap<string, string> {
    return new Map([...this.#seen.keys()].map((path) => [path, stateOf(path)]));
  }

  #note(path: string): string {
    for (const noted of [path, dirname(path)]) if (!this.#seen.has(noted)) this.#seen.set(noted, stateOf(noted));
    return path;
  }
}

/** Equal as long as nothing was written, replaced, removed or, in a folder, added. */
function stateOf(path: string): string {
  try {
    const status = statSync(path, { bigint: true });
    if (!status.isDirectory()) return `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
    const hash = createHash('sha256');
    for (const name of readdirSync(path).toSorted()) if (!LEFT_BY_RUNS.test(name)) hash.update(`${name}\0`);
    return hash.digest('hex');
  } catch {
    // What is not there, or not to be looked at, may be so later.
    return 'none';
  }
}
