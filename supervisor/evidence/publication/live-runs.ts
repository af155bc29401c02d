/** Runs of this process that go on, whichever part of it they belong to. */
const live = new Map<string, number>();

/** Of tenants, who choose the names of their runs, two may have one of the same name. */
function count(run: string, change: 1 | -1): void {
  const runs = (live.get(run) ?? 0) + change;
  if (runs > 0) live.set(run, runs);
  else live.delete(run);
}

/**
 * Notes a run until the returned function is called; what it leaves behind then is nobody's, though its process lives.
 */
export function noteLiveRun(run: string): () => void {
  count(run, 1);
  return () => {
    count(run, -1);
  };
}

export function isLiveRun(run: string): boolean {
  return live.has(run);
}
