/** Why a reservation was refused (runtime.md §5 step 10). */
export type ReservationRefusal =
  | { readonly reason: 'run_closed' | 'stale_evaluation' | 'reservation_held' | 'output_unauthorised' }
  | { readonly reason: 'live_provider_tasks'; readonly value: number }
  | { readonly reason: 'capability_quota'; readonly limit: string; readonly name: string; readonly value: number }
  | { readonly reason: 'alias_quota'; readonly alias: string; readonly value: number }
  | {
      readonly reason: 'llm_total_tokens' | 'llm_cost_microusd';
      readonly value: number;
      readonly requested: number;
      readonly remaining: number;
    };
