/** A vendor's limit of requests in each second that slides along, as their documentation words it. */
export interface RateLimit {
  /** Null: the request is taken. Else the milliseconds after which one will be. */
  take(now: number): number | null;
}

const SECOND_MS = 1000;

export function slidingLimit(perSecond: number): RateLimit {
  const used: number[] = [];
  return {
    take: (now) => {
      while (used[0] !== undefined && used[0] + SECOND_MS <= now) used.shift();
      const [oldest] = used;
      if (used.length >= perSecond && oldest !== undefined) return Math.ceil(oldest + SECOND_MS - now);
      used.push(now);
      return null;
    },
  };
}
