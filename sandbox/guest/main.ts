import { createGuest } from './guest.ts';

// The one name the bundle leaves behind; the host calls it after lock-down and removes it (design.md §1.4).
Object.defineProperty(globalThis, '__svc_boot', {
  value: createGuest,
  configurable: true,
  enumerable: false,
  writable: false,
});

export { createGuest };
