/** How much a session takes from the configurations of clients (code-mode.md §3). */
export interface ImportBounds {
  /** Those of a project count too. */
  readonly servers: number;
  readonly serverTools: number;
  /** Of all imported servers together. */
  readonly tools: number;
  /** Milliseconds until a server has to have started. */
  readonly startMs: number;
}

const RANGES: Readonly<Record<keyof ImportBounds, readonly [least: number, usual: number, most: number]>> = {
  servers: [1, 32, 64],
  serverTools: [1, 512, 2048],
  tools: [1, 2048, 4096],
  startMs: [1000, 30_000, 300_000],
};

/** All bounds, where some are given. A bound out of its range is a `RangeError`. */
export function importBounds(input: Partial<ImportBounds> = {}): ImportBounds {
  const bound = (name: keyof ImportBounds): number => {
    const [least, usual, most] = RANGES[name];
    const value = input[name] ?? usual;
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`${name} is a whole number from ${least} to ${most}`);
    return value;
  };
  return {
    servers: bound('servers'),
    serverTools: bound('serverTools'),
    tools: bound('tools'),
    startMs: bound('startMs'),
  };
}
