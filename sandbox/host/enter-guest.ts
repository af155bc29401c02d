import type ivm from 'isolated-vm';

/** The guest's only entrance, seen from the host: text in, text out. */
export type GuestEntrance = ivm.Reference<(text: string) => string>;

/** Strict, so that nothing called from it can reach it; returns the entrance and keeps nothing. */
const ENTER = `'use strict'; return __svc_enter($0);`;

/** Makes the context of a fresh isolate, locks it down and starts the guest. Rejects with what isolated-vm throws. */
export async function enterGuest(isolate: ivm.Isolate, callHost: ivm.Reference): Promise<GuestEntrance> {
  const context = await isolate.createContext();
  return context.evalClosure(ENTER, [callHost], { result: { reference: true } });
}
