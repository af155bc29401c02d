/**
 * What lock-down takes from the global object and the guest still needs (design.md §1.4), kept from before.
 * The build loads this module while the snapshot is made, whatever else it leaves for later.
 */

/** Milliseconds since 1970 by the wall clock; programs reach it only where a clock is granted. */
export const now: () => number = Date.now;

/** Holds what may be forgotten as soon as memory is needed for something else. */
export const WeakReference = WeakRef;

const FunctionConstructor = Function;

/**
 * Words of stack that must be left for a function to be made. V8's compiler takes 36 KB at once and looks at no limit
 * meanwhile, isolated-vm leaves it 24 KB after the limit, and what comes after them kills the process.
 */
export const WORDS_TO_COMPILE = 8192;
const nothing = (): void => undefined;

/**
 * Makes a function of its parameters' names and a body of code. Throws a RangeError where the stack is too full for it.
 */
export function makeFunction(parameters: string, code: string): unknown {
  Reflect.apply(nothing, undefined, new Array(WORDS_TO_COMPILE));
  return Reflect.construct(FunctionConstructor, [parameters, code]);
}
