import { type CallCapability, closedGuest, type GuestHandler } from './bridge.ts';
import { prepareIntrinsics } from './lockdown.ts';

/**
 * Last script of the snapshot, after the guest bundle. Leaves one global, `__svc_enter`, which the host calls once in
 * each fresh context and which is gone, with the guest's own, before any program text runs.
 */

function isGuestFactory(value: unknown): value is (call: CallCapability) => GuestHandler {
  return typeof value === 'function';
}

/** A guest that is whole has no use for a cold text. */
function isColdTextTaker(value: unknown): value is (text: string) => void {
  return typeof value === 'function';
}

const createGuest: unknown = Reflect.get(globalThis, '__svc_boot');
if (!isGuestFactory(createGuest)) throw new Error('the guest bundle does not define __svc_boot');
const takeColdText: unknown = Reflect.get(globalThis, '__svc_cold');
Reflect.set(
  globalThis,
  '__svc_enter',
  closedGuest(createGuest, isColdTextTaker(takeColdText) ? takeColdText : () => undefined),
);
prepareIntrinsics();
