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
  const timer = setTimeout(
    () => void release(),
    Math.min(LONGEST_TIMER_MS, Math.max(0, run.runDeadline.at - run.clock.monotonic())),
  );
  timer.unref();
  return {
    ...session,
    close: async () => {
      clearTimeout(timer);
      return session.close();
    },
  };
}
