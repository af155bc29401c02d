import type { Cost, TraceEvent } from '../data.ts';

/** What one model call used, as its stop reports; what nobody reported is absent. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_creation?: number;
  readonly total_cost?: Cost;
}

export function usageOf(data: TraceEvent['data'] | null): Usage {
  const usage = data?.['usage'];
  return typeof usage === 'object' && usage !== null ? usage : {};
}
