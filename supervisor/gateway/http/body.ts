import type { IncomingMessage } from 'node:http';

/** Bytes of a body (gateway.md §2). */
export const BODY_BYTES = 2_097_152;

/** How long a body is waited for, in milliseconds. */
export interface BodyTimes {
  /** Between two bytes. */
  readonly bodyPauseMs: number;
  /** In all. */
  readonly bodyTotalMs: number;
}

/** A whole body, why it is none, or that nobody waits for an answer any more. */
export type Body =
  | { readonly state: 'whole'; readonly bytes: Uint8Array }
  | { readonly state: 'too_large' | 'late' | 'gone' };

/** Reads a body within its bounds; `begin` is called when the request may be heard further (`100 Continue`). */
export async function readBody(
  request: IncomingMessage,
  begin: () => void,
  { bodyPauseMs, bodyTotalMs }: BodyTimes,
): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES) return { state: 'too_large' };
  begin();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Body): void => {
      clearTimeout(total);
      clearTimeout(pause);
      request.off('data', take).off('end', whole).off('close', onClosed).off('error', onClosed);
      request.on('error', () => undefined);
      if (body.state !== 'whole') request.pause();
      resolve(body);
    };
    const late = (): void => {
      end({ state: 'late' });
    };
    const total = setTimeout(late, bodyTotalMs);
    const pause = setTimeout(late, bodyPauseMs);
    const take = (chunk: Buffer): void => {
      pause.refresh();
      size += chunk.length;
      if (size > BODY_BYTES) end({ state: 'too_large' });
      else chunks.push(chunk);
    };
    const whole = (): void => {
      end({ state: 'whole', bytes: Buffer.concat(chunks) });
    };
    const onClosed = (): void => {
      end({ state: 'gone' });
    };
    request.on('data', take).on('end', whole).on('close', onClosed).on('error', onClosed);
  });
}
