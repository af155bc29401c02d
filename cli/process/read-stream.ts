import type { Readable } from 'node:stream';

export type StreamBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: 'unreadable' | 'interrupted' };

/**
 * Reads a file, a pipe, a socket or a terminal from its start to its end, or to `limit` bytes, and closes it. Never
 * throws.
 */
export async function readUpTo(stream: Readable, limit: number, signal: AbortSignal): Promise<StreamBytes> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = (): void => {
    stream.destroy();
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      chunks.push(bytes);
      if (length >= limit) break;
    }
  } catch {
    return { ok: false, fault: signal.aborted ? 'interrupted' : 'unreadable' };
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  }
  return { ok: true, bytes: Buffer.concat(chunks).subarray(0, limit) };
}
