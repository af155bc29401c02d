/**
 * What lock-down takes from the global object and the guest still needs (architecture.md §1.4), kept from before.
 * The build loads this module while the snapshot is made, whatever else it leaves for later.
 */

/** Milliseconds since 1970 by the wall clock; programs reach it only where a clock is granted. */
export const now: () => number = Date.now;

/** Holds what may be forgotten as soon as memory is needed for something else. */
export const WeakReference = WeakRef;

/** Makes a function of its parameters' names and a body of code. */
export const FunctionConstructor = Function;
