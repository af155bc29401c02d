/** Milliseconds of a whole capture, and of listing its directory (evidence.md §5, §8). */
const CAPTURE_MS = 15_000;
const LISTING_MS = 5000;

/** How long a capture may still take. */
export interface CaptureTime {
  isListingOver(): boolean;
  isOver(): boolean;
}

/** Begins with this call. `now`: milliseconds of a clock that only goes on. */
export function captureTime(now: () => number = () => performance.now()): CaptureTime {
  const startedAt = now();
  return {
    isListingOver: () => now() - startedAt > LISTING_MS,
    isOver: () => now() - startedAt > CAPTURE_MS,
  };
}
