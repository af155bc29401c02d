/** A vendor's limit of requests in each second that slides along, as their documentation words it. */
export interface RateLimit {
  /** Null: the request is taken. Else the milliseconds after which one will be. */
  take(now: number): number | null;
}

const SECOND_MS = 1000;

export function slidingLimit(perSecond: number): RateLimit {
  const taken: number[] = [];
  return {
    take: (now) => {
      while (taken[0] !== undefined && taken[0] + SECOND_MS <= now) taken.shift();
      const [oldest] = taken;
      if (taken.length >= perSecond && oldest !== undefined) return Math.ceil(oldest + SECOND_MS - now);
      taken.push(now);
      return null;
    },
  };
}
