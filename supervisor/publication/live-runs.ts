/** Runs of this process that go on, whichever part of it they belong to. */
const live = new Set<string>();

/** Notes a run until the returned function is called; what it leaves behind then is nobody's, though its process lives. */
export function beginRun(run: string): () => void {
  live.add(run);
  return () => { live.delete(run); };
}

export function isLiveRun(run: string): boolean {
  return live.has(run);
}
