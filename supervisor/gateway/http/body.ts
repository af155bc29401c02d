import type { IncomingMessage } from 'node:http';

/** Bounds of a body (gateway.md §2): bytes, milliseconds between two bytes, milliseconds in all. */
export const BODY_LIMITS = { bytes: 2_097_152, pauseMs: 2000, totalMs: 15_000 } as const;

/** A whole body, why it is none, or that nobody waits for an answer any more. */
export type Body =
  | { readonly state: 'whole'; readonly bytes: Uint8Array }
  | { readonly state: 'too_large' | 'late' | 'gone' };

/** Reads a body within its bounds; `begin` is called when the request may be heard further (`100 Continue`). */
export async function readBody(request: IncomingMessage, begin: () => void, limits: { readonly bytes: number; readonly pauseMs: number; readonly totalMs: number } = BODY_LIMITS): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes) return { state: 'too_large' };
  begin();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Body): void => {
      clearTimeout(total);
      clearTimeout(pause);
      request.off('data', take).off('end', whole).off('close', gone).off('error', gone);
      request.on('error', () => undefined);
      if (body.state !== 'whole') request.pause();
      resolve(body);
    };
    const late = (): void => { end({ state: 'late' }); };
    const total = setTimeout(late, limits.totalMs);
    const pause = setTimeout(late, limits.pauseMs);
    const take = (chunk: Buffer): void => {
      pause.refresh();
      size += chunk.length;
      if (size > limits.bytes) end({ state: 'too_large' });
      else chunks.push(chunk);
    };
    const whole = (): void => { end({ state: 'whole', bytes: Buffer.concat(chunks) }); };
    const gone = (): void => { end({ state: 'gone' }); };
    request.on('data', take).on('end', whole).on('close', gone).on('error', gone);
  });
}
