/** What puts each state back that was made so far. */
const returns: (() => void)[] = [];

/**
 * State of the program that runs, to be kept in the record that this gives: what begins is put into it again before the
 * next program of this isolate. `begin` makes all members again each time. What is kept elsewhere at a module's top
 * must answer the same no matter who filled it: tables by content (keywords, classes, characters).
 */
export function programState<T extends object>(begin: () => T): T {
  const state = begin();
  returns.push(() => {
    Object.assign(state, begin());
  });
  return state;
}

/**
 * Makes this runtime what it was in its fresh isolate, for another session; values of the one before are of no further
 * use.
 */
export function becomeFresh(): void {
  for (const putBack of returns) putBack();
}
