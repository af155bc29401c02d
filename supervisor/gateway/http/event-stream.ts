import type { ServerResponse } from 'node:http';

/** The answer to a call that runs: comments while it is silent, notifications, one last message (gateway.md §5). */
export interface EventStream {
  /** One message; dropped when the reader does not keep up. */
  notify(message: string): void;
  /** The last message; resolves when it has left, or nobody takes it. */
  end(message: string): Promise<void>;
}

/** Commits the answer: 200, and that the call was accepted. `heartbeatMs`: its longest silence. */
export function openEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  heartbeatMs: number,
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  response.write(': accepted\n\n');
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', () => {
    clearInterval(heartbeat);
  });
  return {
    notify(message) {
      if (response.writableNeedDrain || response.destroyed) return;
      heartbeat.refresh();
      response.write(frame(message));
    },
    async end(message) {
      clearInterval(heartbeat);
      await new Promise<void>((resolve) => {
        if (response.destroyed) {
          resolve();
          return;
        }
        response.once('close', () => {
          resolve();
        });
        response.end(frame(message), () => {
          resolve();
        });
      });
    },
  };
}

function frame(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
