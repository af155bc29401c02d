import type ivm from 'isolated-vm';

/** The guest's only entrance, seen from the host: text in, text out. */
export type GuestEntrance = ivm.Reference<(text: string) => string>;

/** Strict, so that nothing called from it can reach it; returns the entrance and keeps nothing. */
const ENTER = `'use strict'; return __svc_enter($0, $1);`;

/**
 * Makes the context of a fresh isolate, locks it down and starts the guest. The isolate reads the cold text where it
 * lies, beyond its heap. Throws what isolated-vm throws.
 *
 * In the calling thread: nothing of a program runs here, and two threads less to wake are a tenth of what an isolate
 * costs (bench/README.md).
 */
export function enterGuest(
  isolate: ivm.Isolate,
  callHost: ivm.Reference,
  coldText: ivm.ExternalCopy<string>,
): GuestEntrance {
  const context = isolate.createContextSync();
  return context.evalClosureSync(ENTER, [callHost, coldText.copyInto()], { result: { reference: true } });
}
