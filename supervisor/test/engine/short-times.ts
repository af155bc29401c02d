/** Those of gateway.md §19 in their proportions, a tenth as long. */
export const SHORT_TIMES = { extendMs: 500, leaseMs: 3000, selfKillMs: 2000, reapMs: 1000, pollMs: 100 } as const;
