import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { type GuestIsolate, openGuestIsolate } from './guest-isolate.ts';
import type { GuestImages } from './snapshot.ts';

/** An isolate that is made before it is asked for. */
export interface Spare {
  readonly environment: EnvironmentKind;
  readonly heapWords: number;
  readonly isolate: Promise<GuestIsolate>;
}

export function makeSpare(images: GuestImages, environment: EnvironmentKind, heapWords: number): Spare {
  const isolate = images(environment).then((image) => openGuestIsolate(image, heapWords));
  // The failure is met, and answered, by anyone who takes the spare.
  isolate.catch(() => undefined);
  return { environment, heapWords, isolate };
}

/** Ends an isolate that nobody has used. One that could not be made is already gone. */
export async function discard({ isolate }: Spare): Promise<void> {
  const made = await isolate.catch(() => null);
  await made?.dispose();
}
