import { programState } from './fresh.ts';
import type { Var } from './values/var.ts';

/** A variable under a `binding`: it holds the new value as long as that lasts. */
interface BindingFrame {
  readonly variable: Var;
  /** What the variable held before; of the outermost one of a variable, its root value. */
  shadowed: unknown;
  /** The parallel branch that bound it; -1 for one that began with it. */
  readonly branch: number;
}

/**
 * What is bound now, the innermost last. An isolate runs one thing at a time, and a parallel branch begins with the
 * values of its caller, so a variable can hold what it is bound to: nothing is paid where it is read.
 */
export const bindings = programState<{ frames: BindingFrame[] }>(() => ({ frames: [] }));

/** Where the root value of a variable is while it is bound; null when it is in the variable itself. */
export function rootFrame(variable: Var): BindingFrame | null {
  return bindings.frames.find((frame) => frame.variable === variable) ?? null;
}
