/** The longest that a timer of the process can be set to, in milliseconds: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
