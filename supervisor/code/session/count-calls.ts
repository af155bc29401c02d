import type { RunObserver } from '../../evidence/live/observer.ts';
import type { ToolCalls } from './program-end.ts';

/** Calls of tools, as the events of a run report them. */
export interface CallCounts {
  readonly observer: RunObserver;
  /** In the order of their first call. */
  counts(): readonly ToolCalls[];
}

/** `onCall`: called with each call that begins, with how many began by then. */
export function countCalls(onCall: (calls: number) => void = () => undefined): CallCounts {
  const counts = new Map<string, ToolCalls>();
  let started = 0;
  return {
    observer: {
      started: () => undefined,
      event: ({ type, data }) => {
        const name = data.get('name');
        if (typeof name !== 'string') return;
        const { n, errors } = counts.get(name) ?? { n: 0, errors: 0 };
        if (type === 'capability-started') {
          counts.set(name, { name, n: n + 1, errors });
          started += 1;
          onCall(started);
        } else if (type === 'capability-stopped' && data.get('status') === 'error') {
          counts.set(name, { name, n, errors: errors + 1 });
        }
      },
    },
    counts: () => [...counts.values()],
  };
}
