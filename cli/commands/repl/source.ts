import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { readUpTo } from '../../process/read-stream.ts';

/** A script as text, or why there is none (cli.md §11, codes). */
export type SourceReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'source_unavailable' | 'source_limit_exceeded' | 'malformed_source' };

/** Reads a file, a pipe or a device to its end. */
export async function readSourceFile(path: string, maximumBytes: number, signal: AbortSignal): Promise<SourceReading> {
  return readSource(createReadStream(path, { signal }), maximumBytes, signal);
}

/** Reads a stream to its end, but no further than the bound; it must be UTF-8. */
export async function readSource(stream: Readable, maximumBytes: number, signal: AbortSignal): Promise<SourceReading> {
  const read = await readUpTo(stream, maximumBytes + 1, signal);
  if (!read.ok) return { ok: false, code: 'source_unavailable' };
  if (read.bytes.length > maximumBytes) return { ok: false, code: 'source_limit_exceeded' };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) };
  } catch {
    return { ok: false, code: 'malformed_source' };
  }
}
