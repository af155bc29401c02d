import { plainJson } from '../http/answers.ts';
import type { EventData, RunEventName } from '../../run-events/run-events.ts';

/** What a client names its call by. */
export type ProgressToken = string | number;

const AT_ONCE = 3;
const MOST = 100;
const EVERY_MS = 1000;

/** Makes notifications of a run's events (gateway.md §5): three at once, then one a second, a hundred in all; words and counts only. */
export function progressOf(token: ProgressToken, notify: (message: string) => void, now: () => number): (event: RunEventName, data: EventData) => void {
  let told = 0;
  let last = 0;
  return (event, data) => {
    if (told >= MOST || (told >= AT_ONCE && now() - last < EVERY_MS)) return;
    told += 1;
    last = now();
    const stage = data['stage'];
    const message = event === 'phase' && typeof stage === 'string' ? stage : event;
    notify(plainJson({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: told, message } }));
  };
}
