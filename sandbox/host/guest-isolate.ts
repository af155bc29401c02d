import ivm from 'isolated-vm';
import type { HeapFigure, LoadReply } from '../../contract/sandbox-protocol.ts';
import {
  type Ended,
  ENDINGS,
  type Ending,
  MAX_ARGUMENTS_LENGTH,
  MAX_NAME_LENGTH,
  type MakeRequest,
  type NotLoaded,
  REFUSED,
  type Replied,
} from '../wire/messages.ts';
import { type GuestEntrance, enterGuest } from './enter-guest.ts';
import type { LoadedImage } from './snapshot.ts';

/** Carries one capability call to the supervisor and brings the answer. */
export type CarryCall = (name: string, argumentsText: string) => Promise<string>;

/** One isolate with the guest in it. */
export interface GuestIsolate {
  /** Null: it may be used. Set once, when the isolate ends by itself or is ended. */
  readonly ending: () => Ending | null;
  /** At most one at a time. `carry` is used only while it runs. */
  request(request: Omit<MakeRequest, 'type' | 'isolate'>, carry: CarryCall): Promise<Replied | NotLoaded | Ended>;
  /** Percent of its heap limit that it uses, garbage included; the whole of one that runs or has ended. */
  heapUse(): Promise<number>;
  /** Ends it; settles when a running request has been stopped, which for some built-ins is never. */
  dispose(): Promise<void>;
}

interface Running {
  readonly carry: CarryCall;
  readonly wall: Wall;
  /** Settles when the isolate's thread has come back. */
  readonly returned: Promise<unknown>;
}

const REFUSAL = Promise.resolve(REFUSED);
/** What a guest answers when a bundle is attached. */
const LOADED = JSON.stringify({ status: 'loaded' } satisfies LoadReply);
const NOTHING_TO_LOAD: Replied = { type: 'replied', text: LOADED, heap: null };
const BYTES_PER_WORD = 8;
/** In percent. */
export const WHOLE_HEAP = 100;
const MEGABYTE = 1024 * 1024;
/** For a look at the heap of an isolate that runs nothing; one that does not answer by then runs something. */
const LONGEST_LOOK_MS = 1000;
/** isolated-vm refuses less. */
const LEAST_MEGABYTES = 8;

/**
 * Makes an isolate that may use `heapWords` beyond the idle baseline (language.md §20) and starts the guest in it. V8
 * counts its young generation as well: a program gets up to 3 MiB more before it is stopped, never less. Throws what
 * isolated-vm throws when the isolate cannot be made.
 */
export function openGuestIsolate(
  image: LoadedImage,
  heapWords: number,
  now: () => number = () => performance.now(),
): GuestIsolate {
  let running: Running | null = null;
  let ending: Ending | null = null;
  const catastrophe = Promise.withResolvers<Ended>();

  const isolate = new ivm.Isolate({
    memoryLimit: Math.max(LEAST_MEGABYTES, Math.ceil((image.baselineBytes + heapWords * BYTES_PER_WORD) / MEGABYTE)),
    snapshot: image.snapshot,
    onCatastrophicError(message) {
      // The other catastrophe is a script that does not stop.
      ending = message.includes('out-of-memory') ? ENDINGS.memoryFatal : ENDINGS.stuck;
      catastrophe.resolve({ type: 'ended', ending });
    },
  });
  const figureOf = ({ used_heap_size }: ivm.HeapStatistics): HeapFigure => ({
    observedWords: Math.ceil(used_heap_size / BYTES_PER_WORD),
    baselineWords: Math.ceil(image.baselineBytes / BYTES_PER_WORD),
  });
  const stop = (as: Ending): void => {
    ending ??= as;
    if (!isolate.isDisposed) isolate.dispose();
  };
  /**
   * On the isolate's own thread, once it has come back: looked at from this one, V8 would run here what the guest has
   * put off, without a deadline. Null: the isolate ended meanwhile.
   */
  const lookAtHeap = async (): Promise<HeapFigure | null> => {
    try {
      const looked = await Promise.race([isolate.getHeapStatistics(), catastrophe.promise]);
      return 'used_heap_size' in looked ? figureOf(looked) : null;
    } catch (error) {
      stop(endingOf(error));
      return null;
    }
  };
  /** The answer, or how the isolate ended instead; one that gave none is stopped. */
  const concluded = (answer: Replied | Ended): Replied | Ended => {
    if (answer.type === 'replied' && ending === null) return answer;
    const how = ending ?? (answer.type === 'ended' ? answer.ending : ENDINGS.disposed);
    if (how !== ENDINGS.memoryFatal && how !== ENDINGS.stuck) stop(how);
    return { type: 'ended', ending: how };
  };
  const callHost = new ivm.Reference((name: unknown, argumentsText: unknown): Promise<string> => {
    const current = running;
    if (current === null || ending !== null || current.wall.isOver()) return REFUSAL;
    if (typeof name !== 'string' || typeof argumentsText !== 'string' || name.length > MAX_NAME_LENGTH) return REFUSAL;
    current.wall.hold();
    return current.carry(name, argumentsText.slice(0, MAX_ARGUMENTS_LENGTH + 1)).finally(() => current.wall.goOn());
  });
  const entrance = enterGuest(isolate, callHost, image.coldText);

  return {
    ending: () => ending,

    async request({ load, text, timeoutMs, wantsHeap }, carry) {
      if (ending !== null) return { type: 'ended', ending };
      // Both at once, so that the isolate's thread need not be woken twice. A guest that attached nothing runs nothing.
      const loaded = load === '' ? NOTHING_TO_LOAD : ask(entrance, load, timeoutMs);
      const answered = ask(entrance, text, timeoutMs);
      const returned = Promise.all([loaded, answered]);
      // As the isolate's own timeout this one pauses while the program waits for an answer: how long it may do that is
      // the supervisor's to say, whose time may stop (approvals.md §9).
      const wall = openWall(timeoutMs, () => stop(ENDINGS.timeout), now);
      running = { carry, wall, returned };
      const attached = await Promise.race([loaded, catastrophe.promise]);
      const answer = await Promise.race([answered, catastrophe.promise]);
      const isAttached = attached.type === 'replied' && attached.text === LOADED;
      const came = isAttached ? concluded(answer) : concluded(attached);
      const heap = wantsHeap && isAttached && came.type === 'replied' ? await lookAtHeap() : null;
      wall.end();
      running = null;
      if (!isAttached) return { type: 'not_loaded', load: came };
      return came.type === 'replied' ? { ...came, heap } : came;
    },

    async heapUse() {
      if (running !== null || ending !== null) return WHOLE_HEAP;
      const wall = setTimeout(() => stop(ENDINGS.timeout), LONGEST_LOOK_MS);
      const heap = await lookAtHeap();
      clearTimeout(wall);
      if (heap === null) return WHOLE_HEAP;
      return Math.round((WHOLE_HEAP * Math.max(0, heap.observedWords - heap.baselineWords)) / heapWords);
    },

    async dispose() {
      const last = running;
      stop(ENDINGS.disposed);
      await last?.returned;
    },
  };
}

/** The time that a request may compute. */
interface Wall {
  isOver(): boolean;
  /** It waits for an answer. */
  hold(): void;
  goOn(): void;
  end(): void;
}

function openWall(milliseconds: number, stop: () => void, now: () => number): Wall {
  let left = milliseconds;
  let since = now();
  let isHeld = false;
  let timer: NodeJS.Timeout | undefined = setTimeout(stop, left);
  return {
    isOver: () => !isHeld && now() - since >= left,
    hold: () => {
      clearTimeout(timer);
      left -= now() - since;
      isHeld = true;
    },
    goOn: () => {
      // An isolate that was ended over a call comes back to nothing.
      if (timer === undefined) return;
      since = now();
      isHeld = false;
      timer = setTimeout(stop, Math.max(1, left));
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Never rejects: an exception is an `Ending`. */
async function ask(entrance: GuestEntrance, text: string, timeoutMs: number): Promise<Replied | Ended> {
  try {
    const reply: unknown = await entrance.apply(undefined, [text], { timeout: timeoutMs });
    return typeof reply === 'string'
      ? { type: 'replied', text: reply, heap: null }
      : { type: 'ended', ending: ENDINGS.broken };
  } catch (error) {
    return { type: 'ended', ending: endingOf(error) };
  }
}

/** isolated-vm reports its reasons only in words. A program cannot forge them: what it throws ends it all the same. */
function endingOf(error: unknown): Ending {
  const message = error instanceof Error ? error.message : '';
  if (message.endsWith('due to memory limit')) return ENDINGS.memory;
  if (message === 'Script execution timed out.') return ENDINGS.timeout;
  if (message === 'Isolate was disposed during execution' || message === 'Isolate is disposed') return ENDINGS.disposed;
  return ENDINGS.broken;
}
