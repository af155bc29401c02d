/** What one consumer has not taken yet. */
interface QueuedEvent<Event> {
  readonly event: Event;
  readonly bytes: number;
  readonly isProgress: boolean;
}

/**
 * Events on their way to one consumer, so many at most: anyone who is slow loses progress and holds nobody up
 * (gateway.md §16).
 */
export interface BoundedEvents<Event> extends AsyncIterable<Event> {
  /** `isProgress`: may be dropped for a later one. */
  push(event: Event, bytes: number, isProgress: boolean): void;
  /** No more come; what is held is still given. */
  end(): void;
  /** Progress that was dropped so far. */
  readonly dropped: () => number;
}

/** Of one run and one consumer. */
export const EVENT_BOUNDS = { events: 256, bytes: 1_048_576 } as const;

/** Nothing is copied: the consumer is given each event once, whatever number of iterators it makes. */
export function boundedEvents<Event>(
  bounds: { readonly events: number; readonly bytes: number } = EVENT_BOUNDS,
): BoundedEvents<Event> {
  const queuedEvents: QueuedEvent<Event>[] = [];
  let bytes = 0;
  let dropped = 0;
  let isEnded = false;
  let wake: (() => void) | null = null;

  function dropOldest(): boolean {
    const index = queuedEvents.findIndex(({ isProgress }) => isProgress);
    if (index < 0) return false;
    const [oldest] = queuedEvents.splice(index, 1);
    bytes -= oldest?.bytes ?? 0;
    dropped += 1;
    return true;
  }

  function woken(): void {
    wake?.();
    wake = null;
  }

  return {
    push(event, size, isProgress) {
      if (isEnded) return;
      queuedEvents.push({ event, bytes: size, isProgress });
      bytes += size;
      while ((queuedEvents.length > bounds.events || bytes > bounds.bytes) && dropOldest());
      woken();
    },
    end() {
      isEnded = true;
      woken();
    },
    dropped: () => dropped,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = queuedEvents.shift();
        if (next !== undefined) {
          bytes -= next.bytes;
          yield next.event;
        } else if (isEnded) {
          return;
        } else {
          // Several iterators may wait: each looks again.
          const before = wake;
          await new Promise<void>((resolve) => {
            wake = () => {
              before?.();
              resolve();
            };
          });
        }
      }
    },
  };
}
