/** What a call may do to the world (language.md §13): change nothing, change something, or nobody can say. */
export const EFFECTS = ['read', 'unknown', 'write'] as const;
/** What a capability does to the world (runtime.md §5). */
export type Effect = (typeof EFFECTS)[number];

/** What a run has charged or put aside of its budgets, this call included; null of one that it has not. */
export interface CommittedSpending {
  readonly tokens: number | null;
  readonly microusd: number | null;
}

/** Whether a call that may have an effect may leave now (gateway.md §19). */
export type EffectGate = (effect: Effect, committed: CommittedSpending) => Promise<boolean>;

/** The worst of several, write before unknown before read; null of none. */
export function worstEffect(effects: Iterable<Effect>): Effect | null {
  const found = new Set(effects);
  return found.has('write') ? 'write' : found.has('unknown') ? 'unknown' : found.has('read') ? 'read' : null;
}
