import type { IncomingMessage } from 'node:http';

/** The whole body of a request; null for one that is larger. */
export async function readRequestBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > most) return null;
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
