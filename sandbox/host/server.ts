import type { CapabilityCalls } from '../wire/capability-channel.ts';
import { ENDINGS, type HostApi, OPENED } from '../wire/host-api.ts';
import { type GuestIsolate, openGuestIsolate } from './guest-isolate.ts';
import type { LoadedImage } from './snapshot.ts';

/** No request for this long: time to make a spare. The requests of one run follow each other within a millisecond. */
const QUIET_MS = 3;

/**
 * The host's side of the conversation: isolates by name, and one spare made while nothing else is to do, so that the
 * next isolate of the same size is there at once. The first spare, of `firstHeapWords`, is made before it is asked for.
 */
export function createHostServer(image: LoadedImage, calls: CapabilityCalls, firstHeapWords: number): HostApi {
  const isolates = new Map<string, GuestIsolate>();
  let spare: { readonly heapWords: number; readonly isolate: Promise<GuestIsolate> } | null = null;
  let quiet: NodeJS.Timeout | undefined;

  /** The spare if it has the size, otherwise a new one. A spare that could not be made is made anew. */
  async function takeIsolate(heapWords: number): Promise<GuestIsolate> {
    const taken = spare;
    spare = null;
    if (taken === null) return openGuestIsolate(image, heapWords);
    if (taken.heapWords === heapWords) return taken.isolate;
    const [isolate] = await Promise.all([openGuestIsolate(image, heapWords), discard(taken.isolate)]);
    return isolate;
  }

  function prepareSpare(heapWords: number): void {
    if (spare !== null) return;
    const isolate = openGuestIsolate(image, heapWords);
    // The failure is met, and answered, by whoever takes the spare.
    isolate.catch(() => undefined);
    spare = { heapWords, isolate };
  }

  prepareSpare(firstHeapWords);
  return {
    async open(name, heapWords) {
      clearTimeout(quiet);
      try {
        isolates.set(name, await takeIsolate(Number(heapWords)));
        return OPENED;
      } catch {
        return ENDINGS.memoryFatal;
      }
    },

    async request(name, timeoutMs, text) {
      clearTimeout(quiet);
      const isolate = isolates.get(name);
      if (isolate === undefined) return ENDINGS.disposed;
      const answer = await isolate.request(text, Number(timeoutMs), (tool, argumentsText) => calls.call(name, tool, argumentsText));
      if (isolate.ending() === null) quiet = setTimeout(prepareSpare, QUIET_MS, isolate.heapWords);
      else isolates.delete(name);
      return answer;
    },

    async dispose(name) {
      const isolate = isolates.get(name);
      isolates.delete(name);
      await isolate?.dispose();
      return '';
    },
  };
}

/** Ends an isolate that nobody has used. One that could not be made is already gone. */
async function discard(making: Promise<GuestIsolate>): Promise<void> {
  const isolate = await making.catch(() => null);
  await isolate?.dispose();
}
