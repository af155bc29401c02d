import type { TraceEvent } from '../../evidence/event.ts';
import { routeNamed } from '../../../contract/routes.ts';

/** What a run waited for: `llm-request (alias small)`, or `programs of mission room`. Times in milliseconds. */
export interface TimeShare {
  readonly what: string;
  readonly count: number;
  /** While at least one of them was under way. */
  readonly ms: number;
}

interface Group {
  count: number;
  underWay: number;
  since: number;
  ms: number;
}

/** Adds up, from the events of a run, what its time went to. */
export class TimeSpent {
  readonly #groups = new Map<string, Group>();
  readonly #open = new Map<string, string>();

  /** `at`: when it happened, on the caller's clock. */
  note({ type, data }: TraceEvent, at: number): void {
    const [, step] = /^(?:capability|evaluation)-(started|stopped)$/.exec(type) ?? [];
    const id = data.get('capability_id') ?? data.get('evaluation_id');
    if (step === undefined || typeof id !== 'string') return;
    if (step === 'started') this.#start(id, subjectOf(data), at);
    else this.#stop(id, at);
  }

  /** The shares until now, the largest first. */
  shares(now: number): readonly TimeShare[] {
    return [...this.#groups]
      .map(([what, { count, underWay, since, ms }]) => ({ what, count, ms: ms + (underWay > 0 ? now - since : 0) }))
      .toSorted((left, right) => right.ms - left.ms);
  }

  #start(id: string, what: string | null, at: number): void {
    if (what === null) return;
    this.#open.set(id, what);
    const group = this.#groups.get(what) ?? { count: 0, underWay: 0, since: at, ms: 0 };
    this.#groups.set(what, group);
    if (group.underWay === 0) group.since = at;
    group.underWay += 1;
    group.count += 1;
  }

  #stop(id: string, at: number): void {
    const group = this.#groups.get(this.#open.get(id) ?? '');
    this.#open.delete(id);
    if (group === undefined) return;
    group.underWay -= 1;
    if (group.underWay === 0) group.ms += at - group.since;
  }
}

/** Null for what takes no time of its own: the workflow, and routes that wait for other events of the run. */
function subjectOf(data: TraceEvent['data']): string | null {
  const [name, mission, alias] = ['name', 'mission_name', 'alias'].map((member) => data.get(member));
  if (data.get('capability_id') === undefined)
    return typeof mission === 'string' ? `programs of mission ${mission}` : null;
  if (typeof name !== 'string' || routeNamed(name) !== undefined) return null;
  return typeof alias === 'string' ? `${name} (alias ${alias})` : name;
}
