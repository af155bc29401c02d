import { makeFairSlots } from '../../platform/fairness/fair-places.ts';
import type { CallAdmission } from '../source/call-admission.ts';

export interface ProviderAdmissionBounds {
  /** `max_active_provider_calls`: from the grant to the proved end. */
  readonly active: number;
  /** `max_waiting_provider_calls`; 0: nobody ever waits. */
  readonly waiting: number;
}

/** What one lane may have of it; by default weight 1 and all. */
export interface LaneShare {
  readonly weight?: number;
  readonly atOnce?: number;
}

/** How full it is: for metrics; health reports only `fenced` (providers.md §14). */
export interface ProviderAdmissionCounts {
  readonly capacity: number;
  readonly active: number;
  readonly waiting: number;
  /** Lanes that are fenced until the process ends. */
  readonly fenced: number;
}

export interface ProviderAdmission extends CallAdmission {
  counts(): ProviderAdmissionCounts;
  /** Turns away who waits and who comes; settles when the last call that can end has ended. */
  drain(): Promise<void>;
}

/**
 * The gate of live provider calls of one process (providers.md §14). Between lanes (a served tool, else the tenant)
 * places go round; a lane that is alone has all of them, and none has more than its share while others wait. Throws
 * TypeError for bounds that let nobody in. `now`: milliseconds of a monotonic clock.
 */
export function providerAdmission(
  bounds: ProviderAdmissionBounds,
  { now, shareOf = () => ({}) }: { readonly now?: () => number; readonly shareOf?: (lane: string) => LaneShare } = {},
): ProviderAdmission {
  const { active, waiting } = bounds;
  if (!isCount(active, 1) || !isCount(waiting, 0))
    throw new TypeError('one provider call or more goes on at once, and none or more wait');
  const places = makeFairSlots({ atOnce: active, waiting }, now);
  const fenced = new Set<string>();
  const lost: (() => void)[] = [];
  let isDraining = false;

  return {
    async enter(lane, signal) {
      if (signal.aborted) return { outcome: 'gone' };
      if (isDraining || fenced.has(lane)) return { outcome: 'admission_unavailable' };
      const { weight = 1, atOnce = active } = shareOf(lane);
      const place = await places.take({ tenant: lane, share: { weight, atOnce, waiting }, signal });
      if (place.outcome === 'gone') return place;
      if (place.outcome === 'refused')
        return { outcome: place.reason === 'draining' ? 'admission_unavailable' : 'capacity_exhausted' };
      // What was fenced or given up while it waited does not begin.
      if (signal.aborted || fenced.has(lane)) {
        place.end();
        return { outcome: signal.aborted ? 'gone' : 'admission_unavailable' };
      }
      let isOver = false;
      const once = (end: () => void) => (): void => {
        if (isOver) return;
        isOver = true;
        end();
      };
      return {
        outcome: 'entered',
        leave: once(place.end),
        lose: once(() => {
          fenced.add(lane);
          // No place is freed by a guess; when nothing begins any more, none is waited for that cannot come.
          if (isDraining) place.end();
          else lost.push(place.end);
        }),
      };
    },
    serves: (lane) => !isDraining && !fenced.has(lane),
    counts: () => {
      const { holding, waiting: queued } = places.counts();
      return { capacity: active, active: holding, waiting: queued, fenced: fenced.size };
    },
    async drain() {
      isDraining = true;
      const drained = places.drain();
      for (const end of lost.splice(0)) end();
      await drained;
    },
  };
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}
