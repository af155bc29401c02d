import type { Endpoint } from 'comlink';
import { type CallHeader, callHeader, parseCallHeader } from './messages.ts';

/**
 * Comlink endpoints over frames. Comlink makes the calls and carries them out; what crosses the pipe is only "call this
 * method with these texts" and "the answer is this text" (messages.ts).
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

/** A call of a method, its last argument apart. */
export interface OwnCall {
  readonly method: string;
  readonly arguments: readonly string[];
  readonly body: string;
}

/** Is told each answer before anything that came after it is looked at; comlink tells it a little later. */
export type OnAnswer = (call: OwnCall, answer: string) => void;

/** The calling side: lets out calls, takes in exactly one answer for each. */
export function createCallingEndpoint(post: Post, onAnswer: OnAnswer): WireEndpoint {
  const listeners = createListeners();
  /** By number, with comlink's own id. */
  const awaited = new Map<string, OwnCall & { readonly id: string }>();
  let made = 0;
  return {
    endpoint: createEndpoint(listeners, (message) => {
      const call = readOwnCall(message);
      if (call === null) return;
      const id = String(++made);
      awaited.set(id, call);
      post(callHeader({ id, method: call.method, arguments: call.arguments }), call.body);
    }),
    receive(id, answer) {
      const call = awaited.get(id);
      if (call === undefined) return false;
      awaited.delete(id);
      onAnswer(call, answer);
      listeners.dispatch({ id: call.id, type: 'RAW', value: answer });
      return true;
    },
  };
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

/**
 * Reads a message that our own comlink made. Null for the release notice that comlink sends when a proxy is collected:
 * the pipe's end already says so. Anything else but a call of one method with texts is a mistake of this program.
 */
function readOwnCall(message: unknown): (OwnCall & { readonly id: string }) | null {
  if (!isRecord(message)) throw new TypeError('comlink sent no record');
  const { id, type, path, argumentList } = message;
  if (type === 'RELEASE') return null;
  if (type !== 'APPLY' || typeof id !== 'string' || !Array.isArray(path) || !Array.isArray(argumentList)) {
    throw new TypeError('only methods can be called over this endpoint');
  }
  const [method, ...further] = path;
  if (typeof method !== 'string' || further.length > 0) throw new TypeError('only own methods can be called');
  const texts = argumentList.map(readText);
  const body = texts.pop() ?? '';
  return { id, method, arguments: texts, body };
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
