import type { ReservationRefusal } from './refusal.ts';

export type EnvironmentName = 'workflow' | 'mission';

/** Calls of an environment, and of any one name in it. */
export type CallLimits = Readonly<Record<EnvironmentName, { readonly total: number; readonly perName: number }>>;

/** What a call counts for. */
export interface CountedCall {
  readonly environment: EnvironmentName;
  readonly name: string;
  /** Of a model call, which counts for its alias too. */
  readonly alias: { readonly name: string; readonly maxCalls: number } | null;
}

/** How often each name was granted, and who has had as many as it may (runtime.md §9). */
export class CallQuotas {
  readonly #limits: CallLimits;
  readonly #calls = new Map<string, number>();
  readonly #totals: Record<EnvironmentName, number> = { workflow: 0, mission: 0 };
  readonly #aliasCalls = new Map<string, number>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** The first quota that is used up: of the name, of its environment, of its alias. */
  refusal({ environment, name, alias }: CountedCall): ReservationRefusal | null {
    const { total, perName } = this.#limits[environment];
    if ((this.#calls.get(`${environment}/${name}`) ?? 0) >= perName)
      return { reason: 'capability_quota', limit: `${environment}_capability_calls_per_name`, name, value: perName };
    if (this.#totals[environment] >= total)
      return { reason: 'capability_quota', limit: `${environment}_capability_calls`, name, value: total };
    if (alias !== null && alias.maxCalls < perName && (this.#aliasCalls.get(alias.name) ?? 0) >= alias.maxCalls)
      return { reason: 'alias_quota', alias: alias.name, value: alias.maxCalls };
    return null;
  }

  count({ environment, name, alias }: CountedCall): void {
    increment(this.#calls, `${environment}/${name}`);
    this.#totals[environment] += 1;
    if (alias !== null) increment(this.#aliasCalls, alias.name);
  }

  /** `workflow/<name>` or `mission/<name>` to how often it was granted. */
  calls(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#calls);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
