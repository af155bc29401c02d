import { posix } from 'node:path';
import type { DocumentReader } from '../document-reader.ts';
import { LOGICAL, matches } from '../fields/patterns.ts';
import type { ReadFault } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';

/**
 * An input that the command names instead of the declared one (documents.md §3, "Input choice"): a file, or a stream.
 */
export type AlternateInput = ({ readonly path: string } | { readonly stream: InputStream }) & {
  readonly dataClass: 'normal' | 'private';
};

/** Text that comes from elsewhere than a file. */
export interface InputStream {
  /** Logical name, for people (documents.md §3). */
  readonly name: string;
  /** At most `limit` bytes from its start; asked again, the same. */
  read(limit: number): Promise<StreamRead>;
}

/** An input that was read from a stream, or why it was not. */
export type StreamRead =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: 'unreadable' | 'interrupted' };

export type AlternateRead =
  /** `path`: absolute, free of links; null for a stream. */
  | { readonly ok: true; readonly bytes: Uint8Array; readonly path: string | null }
  | { readonly ok: false; readonly fault: ReadFault | 'unreadable' | 'interrupted' };

export interface AlternatePlace {
  readonly reader: DocumentReader;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Canonical directory of the manifest. */
  readonly directory: string;
}

/** At most one byte more than an input may have. */
export async function readAlternate(place: AlternatePlace, input: AlternateInput): Promise<AlternateRead> {
  if ('stream' in input) {
    const read = await input.stream.read(MAX_BYTES.input + 1);
    return read.ok ? { ok: true, bytes: read.bytes, path: null } : read;
  }
  const read = await readPath(place, input.path);
  return read.ok ? { ok: true, bytes: read.file.bytes, path: read.file.path } : read;
}

/** A name below the manifest's directory first, then a path; one that is below it is read as a reference. */
async function readPath(
  { reader, directory, workingDirectory }: AlternatePlace,
  path: string,
): ReturnType<DocumentReader['readNamed']> {
  if (matches(LOGICAL, path)) {
    const read = await reader.readReference(directory, path, MAX_BYTES.input);
    if (read.ok || read.fault !== 'missing') return read;
  }
  if (path === '' || path.includes('\0')) return { ok: false, fault: 'unusable' };
  const absolute = path.startsWith('/') ? path : `${workingDirectory}/${path}`;
  const below = directory === '/' ? '/' : `${directory}/`;
  const plain = posix.normalize(absolute);
  if (!plain.startsWith(below)) return reader.readNamed(absolute, MAX_BYTES.input);
  if (!absolute.split('/').includes('..'))
    return reader.readReference(directory, plain.slice(below.length), MAX_BYTES.input);
  // What is before a `..` may be a link, and the way up then begins where it leads.
  const read = await reader.readNamed(absolute, MAX_BYTES.input);
  return read.ok && !read.file.path.startsWith(below) ? { ok: false, fault: 'escape' } : read;
}
