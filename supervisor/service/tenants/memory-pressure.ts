import type { FairSlots } from '../../platform/fairness/fair-places.ts';

/** Beyond that nothing begins (gateway.md §18). */
const PRESSED = 0.85;
/** Of those that wait, at each look. */
const SHED_PART = 0.25;
const LOOK_MS = 1000;

export interface PressureOptions {
  /** Of this process and its hosts. */
  readonly usedBytes: () => number;
  /** What there is for them. */
  readonly limitBytes: number;
  readonly places: Pick<FairSlots, 'pause' | 'resume' | 'shed' | 'counts'>;
  /** Ends the host that holds the most. */
  readonly endLargest: () => void;
}

/**
 * Keeps a process within its memory: it takes nothing on, sheds who waits, newest first, and then ends the largest host
 * (gateway.md §18).
 */
export interface MemoryPressure {
  /** Whether there was no memory for another run at the last look. */
  readonly isPressed: () => boolean;
  /** Looks, and does what is next. */
  look(): void;
  stop(): void;
}

/** Looks by itself every second until it is stopped. */
export function watchMemoryPressure({ usedBytes, limitBytes, places, endLargest }: PressureOptions): MemoryPressure {
  let isPressed = false;

  function look(): void {
    const wasPressed = isPressed;
    isPressed = usedBytes() > limitBytes * PRESSED;
    if (!isPressed) {
      if (wasPressed) places.resume();
      return;
    }
    places.pause();
    const { waiting } = places.counts();
    if (waiting > 0) places.shed(Math.ceil(waiting * SHED_PART));
    // What is shed now is free at the next look.
    else if (wasPressed) endLargest();
  }

  const timer = setInterval(look, LOOK_MS).unref();
  return { isPressed: () => isPressed, look, stop: () => clearInterval(timer) };
}
