import { lockDown } from './lockdown.ts';

/**
 * The only way out of an isolate. The host hands in one reference; it stays in this closure, and only texts go
 * through it (design.md §1.4).
 */

/** The part of an isolated-vm reference that is used: blocks this isolate's thread until the host has answered. */
export interface HostReference {
  applySyncPromise(receiver: undefined, texts: [name: string, argumentsText: string]): unknown;
}

/**
 * Takes the JSON text of a `CapabilityCall` and returns the JSON text of its result. Throws a TypeError for any other
 * text, and an Error when the host refuses to carry the call.
 */
export type CallCapability = (callText: string) => string;

export interface GuestHandler {
  handle(text: string): string;
}

/** First character of the host's answer to a carried call (sandbox/wire/messages.ts); any other answer is a refusal. */
const CARRIED = '+';

const parseText: (text: string) => unknown = JSON.parse;

/**
 * Makes the guest, without a way out yet, and returns what opens it: given the host's reference and the guest's cold
 * text (scripts/guest-bundle.ts), that locks the context down and returns the guest's only entrance. Making the guest
 * belongs into the snapshot, where it is done once for all isolates; opening is done once in each. Opening throws when
 * the context cannot be locked down; no program text has run by then.
 */
export function closedGuest(
  createGuest: (call: CallCapability) => GuestHandler,
  takeColdText: (text: string) => void,
): (reference: HostReference, coldText: string) => (text: string) => string {
  let host: HostReference | null = null;
  const guest = createGuest((callText) => {
    const [name, argumentsText] = readCall(callText);
    const answer = host === null ? null : askHost(host, name, argumentsText);
    if (answer === null) throw new Error('the capability call was refused');
    return answer;
  });
  return (reference, coldText) => {
    takeColdText(coldText);
    lockDown();
    host = reference;
    return (text) => {
      const reply: unknown = guest.handle(text);
      if (typeof reply !== 'string') throw new TypeError('the guest did not answer with text');
      return reply;
    };
  };
}

function readCall(callText: unknown): [name: string, argumentsText: string] {
  const call = typeof callText === 'string' ? parseText(callText) : null;
  if (typeof call === 'object' && call !== null && 'name' in call && 'arguments' in call) {
    const { name, arguments: argumentsText } = call;
    if (typeof name === 'string' && typeof argumentsText === 'string') return [name, argumentsText];
  }
  throw new TypeError('not a capability call');
}

/** Null for a refusal. Whatever isolated-vm throws carries host stack frames, so it goes no further. */
function askHost(reference: HostReference, name: string, argumentsText: string): string | null {
  let answer: unknown;
  try {
    answer = reference.applySyncPromise(undefined, [name, argumentsText]);
  } catch {
    return null;
  }
  return typeof answer === 'string' && answer.startsWith(CARRIED) ? answer.slice(1) : null;
}
