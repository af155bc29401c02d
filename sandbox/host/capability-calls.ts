import type { CapabilityAnswer, CapabilityCall } from '../wire/messages.ts';

/** Capability calls on their way: an isolate has one open at most, so that its name is all that an answer needs. */
export interface CapabilityCalls {
  /** Settles with the answer; never rejects. */
  call(call: Omit<CapabilityCall, 'type'>): Promise<string>;
  /** Takes one answer; false: nobody waits for it. */
  receive(answer: CapabilityAnswer): boolean;
}

export function createCapabilityCalls(send: (call: CapabilityCall) => void): CapabilityCalls {
  const awaited = new Map<string, (answer: string) => void>();
  return {
    call(call) {
      return new Promise((resolve) => {
        awaited.set(call.isolate, resolve);
        send({ type: 'call', ...call });
      });
    },
    receive({ isolate, answer }) {
      const settle = awaited.get(isolate);
      if (settle === undefined) return false;
      awaited.delete(isolate);
      settle(answer);
      return true;
    },
  };
}
