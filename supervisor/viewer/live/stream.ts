import type { ServerResponse } from 'node:http';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { LiveStore } from './store.ts';

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing is dropped before it holds more than this. */
const WAITING_BYTES = 1_000_000;

/** Sends what is known, then every frame as it comes, until the reader goes away (evidence.md §11, stream). */
export function streamFrames(
  response: ServerResponse,
  store: LiveStore,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  const send = (text: string): void => {
    if (response.writableLength > WAITING_BYTES) response.destroy();
    else response.write(text);
  };
  const sendFrame = (frame: JsonObject): void => {
    send(`data: ${canonicalJson(frame)}\n\n`);
  };
  for (const frame of store.frames().toReversed()) sendFrame(frame);
  const unfollow = store.follow(sendFrame);
  const heartbeat = setInterval(() => {
    send(': heartbeat\n\n');
  }, HEARTBEAT_MS);
  send(': open\n\n');
  response.on('close', () => {
    clearInterval(heartbeat);
    unfollow();
  });
}
