/** What a face shows of a run while it goes on (evidence.md §10). */
export { guardedObserver } from '../live/observer.ts';
export type { LiveLimits, RunObserver } from '../live/observer.ts';
export { EMPTY_VIEW, withEvent } from '../live/run-view.ts';
export type { AgentView, RunView } from '../live/run-view.ts';
