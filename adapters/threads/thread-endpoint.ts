import type { Endpoint } from 'comlink';
import type { Transferable } from 'node:worker_threads';

/** One end of a thread: a Worker in the one, its parent port in the other. */
interface ThreadPort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

type Listener = Parameters<Endpoint['addEventListener']>[1];

/** Comlink over a thread's port, which speaks in listeners of its own kind. */
export function threadEndpoint(port: ThreadPort): Endpoint {
  const forwarded = new Map<Listener, (message: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer),
    addEventListener: (_type, listener) => {
      const forward = (data: unknown): void => {
        const event = Object.assign(new Event('message'), { data, origin: '' });
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      forwarded.set(listener, forward);
      port.on('message', forward);
    },
    removeEventListener: (_type, listener) => {
      const forward = forwarded.get(listener);
      if (forward !== undefined) port.off('message', forward);
      forwarded.delete(listener);
    },
  };
}
