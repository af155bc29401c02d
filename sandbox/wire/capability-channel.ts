import { MAX_NAME_LENGTH } from './host-api.ts';
import type { Post } from './endpoint.ts';

/**
 * The `broker` channel: capability calls from host to supervisor, and their answers. Comlink has no part in it. A call
 * is the commonest of all messages, and an isolate, whose thread stands still meanwhile, has at most one open, so that
 * its name is all that an answer needs: 40 µs less for each round trip (bench/README.md).
 *
 * Header of a call: `<isolate> <capability>`, its body the argument text. Header of an answer: `<isolate>`, its body
 * `CARRIED` and JSON text, or `REFUSED`.
 */
export interface CapabilityCalls {
  /** Settles with the answer's body; never rejects. */
  call(isolate: string, name: string, argumentsText: string): Promise<string>;
  /** Takes one answer; false: nobody waits for it. */
  receive(isolate: string, answer: string): boolean;
}

/** The host's side. */
export function createCapabilityCalls(post: Post): CapabilityCalls {
  const awaited = new Map<string, (answer: string) => void>();
  return {
    call(isolate, name, argumentsText) {
      return new Promise((resolve) => {
        awaited.set(isolate, resolve);
        post(`${isolate} ${name}`, argumentsText);
      });
    },
    receive(isolate, answer) {
      const settle = awaited.get(isolate);
      if (settle === undefined) return false;
      awaited.delete(isolate);
      settle(answer);
      return true;
    },
  };
}

export interface CapabilityCallHeader {
  readonly isolate: string;
  readonly name: string;
}

/** The call that a header states, for the supervisor's side; null for anything else. */
export function parseCapabilityCall(header: string): CapabilityCallHeader | null {
  const space = header.indexOf(' ');
  if (space < 1 || header.length - space - 1 > MAX_NAME_LENGTH) return null;
  return { isolate: header.slice(0, space), name: header.slice(space + 1) };
}
