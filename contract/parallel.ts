/**
 * Bounds of one operation of parallel branches (`pmap`, `pcalls`), for the guest that asks and the pool that answers.
 */

/** The capability name by which a guest asks for branches. No program can name it (runtime.md §5). */
export const PARALLEL = '#parallel';

/**
 * Calls of one operation that isolates are asked for; more run one after the other in the isolate of their caller,
 * which is the faster way for as many: a branch of its own takes half a millisecond before it computes anything.
 */
export const MOST_BRANCHES = 4096;

/** Units of what all branches of one operation answer, together; a workflow's heap holds 64 MB. */
export const MOST_ANSWERED = 16_000_000;
