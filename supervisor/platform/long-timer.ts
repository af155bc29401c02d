import { LONGEST_TIMER_MS } from '../../contract/limits/longest-timer.ts';

/** Acts after so many milliseconds, however many; cancelled by what it returns. */
export function setLongTimer(milliseconds: number, act: () => void): () => void {
  const endsAt = performance.now() + milliseconds;
  let timer: NodeJS.Timeout;
  const set = (left: number): void => {
    const isLast = left <= LONGEST_TIMER_MS;
    timer = setTimeout(
      () => (isLast ? act() : set(Math.max(0, endsAt - performance.now()))),
      Math.min(left, LONGEST_TIMER_MS),
    );
  };
  set(Math.max(0, milliseconds));
  return () => clearTimeout(timer);
}
