/**
 * Gives each caller a turn of the event loop of its own, in the order of the calls. The first stretch of a run, its
 * documents, takes most of a millisecond and waits for nothing: of a thousand that are asked for at once, the rest of
 * the program would otherwise see the loop again only after the last.
 */
export function loopTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const beginNext = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(beginNext);
  };
  return () => new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(beginNext);
  });
}
