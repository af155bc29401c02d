/** What runs spend at models, of each kind that a tenant may have a bound of. */
export interface Spending {
  readonly tokens: number;
  readonly microusd: number;
}

/** Null: no bound. */
export type DayBounds = { readonly [Kind in keyof Spending]: number | null };

/** What was put aside for one run. */
export interface DayReservation {
  /** What the run has spent; null: nobody knows, and it is taken to be all of it. Does nothing a second time. */
  settle(spent: Spending | null): void;
}

/** What tenants may spend on one day of UTC: the worst case of a run is put aside before it begins (gateway.md §18). */
export interface DayBudgets {
  /**
   * `worst`: what the run can spend at most; null of a kind whose bound nobody knows, which puts all aside that is
   * left. Null is answered where that is not there; the budget is whole again in `untilTomorrowMs`.
   */
  reserve(tenant: string, bounds: DayBounds, worst: DayBounds): DayReservation | null;
  readonly untilTomorrowMs: () => number;
}

interface Account {
  day: number;
  readonly spent: Record<keyof Spending, number>;
  readonly reserved: Record<keyof Spending, number>;
}

const DAY_MS = 86_400_000;
const KINDS = ['tokens', 'microusd'] as const satisfies readonly (keyof Spending)[];

/** `wall`: milliseconds since 1970. A clock that jumps back spends the day on which it was. */
export function dayBudgets(wall: () => number): DayBudgets {
  const accounts = new Map<string, Account>();

  function accountOf(tenant: string): Account {
    const day = Math.floor(wall() / DAY_MS);
    const account = accounts.get(tenant) ?? {
      day,
      spent: { tokens: 0, microusd: 0 },
      reserved: { tokens: 0, microusd: 0 },
    };
    if (day > account.day) {
      account.day = day;
      for (const kind of KINDS) account.spent[kind] = 0;
    }
    accounts.set(tenant, account);
    return account;
  }

  return {
    reserve(tenant, bounds, worst) {
      const account = accountOf(tenant);
      const set = { tokens: 0, microusd: 0 };
      for (const kind of KINDS) {
        const bound = bounds[kind];
        if (bound === null || worst[kind] === 0) continue;
        const left = bound - account.spent[kind] - account.reserved[kind];
        set[kind] = worst[kind] ?? left;
        if (left <= 0 || set[kind] > left) return null;
      }
      for (const kind of KINDS) account.reserved[kind] += set[kind];
      let isSettled = false;
      return {
        settle(spent) {
          if (isSettled) return;
          isSettled = true;
          const own = accountOf(tenant);
          for (const kind of KINDS) {
            own.reserved[kind] -= set[kind];
            own.spent[kind] += spent === null ? set[kind] : spent[kind];
          }
        },
      };
    },
    untilTomorrowMs: () => DAY_MS - (wall() % DAY_MS),
  };
}
