import { dirname } from 'node:path';
import type { FileIdentity, FileOutcome, FileSystem, OpenedFile } from '../../supervisor/documents/file-system.ts';

/** Device of files that are on no disk. */
const NO_DEVICE = -1n;

/**
 * The files of this machine with the texts of an editor in their places: what is typed counts, not what is saved.
 * Paths are absolute and free of links. Keeps in mind what was read, and what was sought in vain.
 */
export class OverlayFiles implements FileSystem {
  /** Contents by path, as they were read. */
  readonly read = new Map<string, Uint8Array>();
  /** Paths that were asked for. */
  readonly requested = new Set<string>();
  readonly #inner: FileSystem;
  readonly #texts: ReadonlyMap<string, string>;

  constructor(inner: FileSystem, texts: ReadonlyMap<string, string>) {
    this.#inner = inner;
    this.#texts = texts;
  }

  async identify(path: string): Promise<FileOutcome<FileIdentity>> {
    this.requested.add(path);
    const found = await this.#inner.identify(path);
    if (found.ok || !this.#texts.has(path)) return found;
    const folder = await this.#inner.identify(dirname(path));
    return folder.ok ? { ok: true, value: this.#unsaved(path) } : found;
  }

  async readLink(path: string): Promise<FileOutcome<string>> {
    return this.#inner.readLink(path);
  }

  async open(path: string): Promise<FileOutcome<OpenedFile>> {
    const text = this.#texts.get(path);
    if (text !== undefined) {
      const bytes = Buffer.from(text);
      this.read.set(path, bytes);
      return {
        ok: true,
        value: {
          identify: async () => this.identify(path),
          read: async (limit) => Promise.resolve({ ok: true, value: bytes.subarray(0, limit) }),
          close: async () => Promise.resolve(),
        },
      };
    }
    const opened = await this.#inner.open(path);
    if (!opened.ok) return opened;
    const { value } = opened;
    return {
      ok: true,
      value: {
        identify: async () => value.identify(),
        read: async (limit) => {
          const outcome = await value.read(limit);
          if (outcome.ok) this.read.set(path, outcome.value);
          return outcome;
        },
        close: async () => value.close(),
      },
    };
  }

  /** The identity of a file that was never saved: the same each time, and no other's. */
  #unsaved(path: string): FileIdentity {
    return { kind: 'file', device: NO_DEVICE, inode: BigInt([...this.#texts.keys()].indexOf(path)) };
  }
}
