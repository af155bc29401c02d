import { LONGEST_TIMER_MS } from '../../contract/limits/longest-timer.ts';
import { closeServices } from '../run/environments.ts';
import type { Run } from '../run/run.ts';
import type { Session } from './session.ts';

/** When its time is over a session holds no provider any longer, though nobody types (cli.md §11). */
export function closingAtDeadline(session: Session, run: Run): Session {
  const release = async (): Promise<void> => {
    await closeServices(run.environments);
    await run.environments.close();
  };
  const left = (): number => Math.max(0, run.runDeadline.at - run.clock.monotonic());
  let timer: NodeJS.Timeout | undefined;
  /** The clock of the run may have stood still since the timer was set (approvals.md §9). */
  const set = (): void => {
    timer = setTimeout(() => (left() > 0 ? set() : void release()), Math.min(LONGEST_TIMER_MS, Math.ceil(left())));
    timer.unref();
  };
  set();
  return {
    ...session,
    close: async () => {
      clearTimeout(timer);
      return session.close();
    },
  };
}
