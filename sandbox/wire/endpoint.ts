import type { Endpoint } from 'comlink';
import { type CallHeader, parseCallHeader } from './messages.ts';

/**
 * A comlink endpoint over frames. Comlink carries out the calls; what crosses the pipe is only "call this method with
 * these texts" and "the answer is this text" (messages.ts).
 */

/** Sends one message; the last text is the frame's body. */
export type Post = (header: string, body: string) => void;

export interface WireEndpoint {
  readonly endpoint: Endpoint;
  /** Takes one received message; false means that it is not one this side may be sent. */
  receive(header: string, body: string): boolean;
}

type Listener = Parameters<Endpoint['addEventListener']>[1];

interface Listeners {
  readonly all: Set<(event: Event) => void>;
  readonly dispatch: (data: unknown) => void;
}

/** May this call be let in? */
export type Admits = (call: CallHeader) => boolean;

/** The called side: takes in admitted calls, lets out one answer for each. */
export function createCalledEndpoint(post: Post, admits: Admits): WireEndpoint {
  const listeners = createListeners();
  const open = new Set<string>();
  return {
    endpoint: createEndpoint(listeners, (message) => {
      const reply = readOwnReply(message);
      if (open.delete(reply.id)) post(reply.id, reply.value);
    }),
    receive(header, body) {
      const call = parseCallHeader(header);
      if (call === null || open.has(call.id) || !admits(call)) return false;
      open.add(call.id);
      listeners.dispatch({
        id: call.id,
        type: 'APPLY',
        path: [call.method],
        argumentList: [...call.arguments, body].map((value) => ({ type: 'RAW', value })),
      });
      return true;
    },
  };
}

function createListeners(): Listeners {
  const all = new Set<(event: Event) => void>();
  return {
    all,
    dispatch(data) {
      // Not a MessageEvent: node brings that one in with its whole HTTP client, 20 ms of a start.
      const event = Object.assign(new Event('message'), { data });
      for (const listener of all) listener(event);
    },
  };
}

function createEndpoint(listeners: Listeners, postMessage: (message: unknown) => void): Endpoint {
  const wrapped = new Map<Listener, (event: Event) => void>();
  return {
    postMessage,
    addEventListener(_type, listener) {
      const call = typeof listener === 'function' ? listener : (event: Event) => listener.handleEvent(event);
      wrapped.set(listener, call);
      listeners.all.add(call);
    },
    removeEventListener(_type, listener) {
      const call = wrapped.get(listener);
      if (call !== undefined) listeners.all.delete(call);
      wrapped.delete(listener);
    },
  };
}

function readOwnReply(message: unknown): { readonly id: string; readonly value: string } {
  if (!isRecord(message) || typeof message['id'] !== 'string') throw new TypeError('comlink sent no reply');
  return { id: message['id'], value: readText(message) };
}

function readText(value: unknown): string {
  if (isRecord(value) && value['type'] === 'RAW' && typeof value['value'] === 'string') return value['value'];
  throw new TypeError('only texts cross this endpoint');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
