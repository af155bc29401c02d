import { type GuestIsolate, openGuestIsolate } from './guest-isolate.ts';
import type { LoadedImage } from './snapshot.ts';

/** An isolate that is made before it is asked for. */
export interface Spare {
  readonly heapWords: number;
  readonly isolate: Promise<GuestIsolate>;
}

export function makeSpare(image: LoadedImage, heapWords: number): Spare {
  const isolate = openGuestIsolate(image, heapWords);
  // The failure is met, and answered, by whoever takes the spare.
  isolate.catch(() => undefined);
  return { heapWords, isolate };
}

/** Ends an isolate that nobody has used. One that could not be made is already gone. */
export async function discard({ isolate }: Spare): Promise<void> {
  const made = await isolate.catch(() => null);
  await made?.dispose();
}
