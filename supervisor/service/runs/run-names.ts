/** Names of ended runs that are remembered. */
const REMEMBERED = 10_000;

/** Which names of runs one supervisor has given or taken: a name is of one run. */
export interface RunNames {
  /** False where a run of this name goes on, or has gone on. */
  take(runRef: string): boolean;
  /** The run has ended. `isForgotten`: nothing ran, so the name is free. */
  end(runRef: string, isDropped: boolean): void;
}

/** `remembered`: names of ended runs; those that ended first are forgotten first. */
export function runNames(remembered: number = REMEMBERED): RunNames {
  const used = new Set<string>();
  const ended: string[] = [];
  return {
    take(runRef) {
      if (used.has(runRef)) return false;
      used.add(runRef);
      return true;
    },
    end(runRef, isDropped) {
      if (isDropped) used.delete(runRef);
      else ended.push(runRef);
      const oldest = ended.length > remembered ? ended.shift() : undefined;
      if (oldest !== undefined) used.delete(oldest);
    },
  };
}
