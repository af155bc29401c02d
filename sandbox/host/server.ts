import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import {
  type Answer,
  type Ended,
  ENDINGS,
  type MakeRequest,
  type OpenIsolate,
  type Question,
} from '../wire/messages.ts';
import type { CapabilityCalls } from './capability-calls.ts';
import { type GuestIsolate, openGuestIsolate, WHOLE_HEAP } from './guest-isolate.ts';
import type { GuestImages } from './snapshot.ts';
import { discard, makeSpare, type Spare } from './spare.ts';

interface Opened {
  readonly environment: EnvironmentKind;
  /** Settles when it is made; a request may be there before. */
  readonly isolate: Promise<GuestIsolate>;
  readonly heapWords: number;
}

/** A request that takes longer leaves this thread idle meanwhile, and may ask for parallel branches. */
const LONG_MS = 3;
/** No request for this long: time to make a spare. The requests of one run follow each other within a millisecond. */
const QUIET_MS = 3;

/** Answers what the supervisor asks. Never rejects: what goes wrong in an isolate is an answer. */
export interface HostServer {
  answer(question: Question): Promise<Answer>;
}

/**
 * The host's side of the conversation: isolates by name, and one spare made while nothing else is to do, so that the
 * next isolate of the same size is there at once.
 */
export function createHostServer(images: GuestImages, calls: CapabilityCalls, first: Spare): HostServer {
  const isolates = new Map<string, Opened>();
  let spare: Spare | null = first;
  let quiet: NodeJS.Timeout | undefined;
  /**
   * Whether the last isolate asked for was the one that was ready: another of its kind and size is likely to follow.
   */
  let isForeseen = true;
  /** Settles when this thread may make the next isolate. */
  let turn: Promise<void> = Promise.resolve();

  /** The spare if it is of that kind and size, otherwise a new one. A spare that could not be made is made anew. */
  async function takeIsolate(environment: EnvironmentKind, heapWords: number): Promise<GuestIsolate> {
    const taken = spare;
    spare = null;
    if (taken === null) return openInTurn(environment, heapWords);
    isForeseen = taken.environment === environment && taken.heapWords === heapWords;
    if (isForeseen) return taken.isolate;
    const [isolate] = await Promise.all([openInTurn(environment, heapWords), discard(taken)]);
    return isolate;
  }

  /**
   * To make one takes 2 ms of this thread, which all isolates' calls and answers pass through: of many that are asked
   * for at once, each waits until what came meanwhile was carried.
   */
  function openInTurn(environment: EnvironmentKind, heapWords: number): Promise<GuestIsolate> {
    const made = turn.then(() => images(environment)).then((image) => openGuestIsolate(image, heapWords));
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
    );
    return made;
  }

  async function whyNotMade(environment: EnvironmentKind): Promise<Ended> {
    const isThere = (await images(environment).catch(() => null)) !== null;
    return { type: 'ended', ending: isThere ? ENDINGS.memoryFatal : ENDINGS.noImage };
  }

  function prepareSpare(environment: EnvironmentKind, heapWords: number): void {
    spare ??= makeSpare(images, environment, heapWords);
  }

  async function open({ isolate: name, environment, heapWords }: OpenIsolate): Promise<Answer> {
    clearTimeout(quiet);
    const isolate = takeIsolate(environment, heapWords);
    isolates.set(name, { environment, isolate, heapWords });
    try {
      await isolate;
      return { type: 'opened' };
    } catch {
      return whyNotMade(environment);
    }
  }

  async function request({ isolate: name, ...made }: MakeRequest): Promise<Answer> {
    clearTimeout(quiet);
    const opened = isolates.get(name);
    const isolate = await opened?.isolate.catch(() => undefined);
    if (opened === undefined) return { type: 'ended', ending: ENDINGS.disposed };
    if (isolate === undefined) return whyNotMade(opened.environment);
    const { environment, heapWords } = opened;
    clearTimeout(quiet);
    quiet = setTimeout(prepareSpare, LONG_MS, environment, heapWords);
    const answer = await isolate.request(made, (tool, argumentsText, heap) =>
      calls.call({ isolate: name, name: tool, heap, argumentsText }),
    );
    clearTimeout(quiet);
    if (isolate.ending() === null) quiet = setTimeout(prepareSpare, QUIET_MS, environment, heapWords);
    else isolates.delete(name);
    return answer;
  }

  async function heapUse(name: string): Promise<Answer> {
    const isolate = await isolates.get(name)?.isolate;
    return { type: 'heap_use', percent: isolate?.heapUse() ?? WHOLE_HEAP };
  }

  async function dispose(name: string): Promise<Answer> {
    const opened = isolates.get(name);
    isolates.delete(name);
    const isolate = await opened?.isolate.catch(() => undefined);
    await isolate?.dispose();
    // What ends is often followed by its like at once; this thread has nothing to do until then.
    if (isForeseen && isolates.size === 0 && opened !== undefined)
      setImmediate(prepareSpare, opened.environment, opened.heapWords);
    return { type: 'disposed' };
  }

  return {
    answer(question) {
      switch (question.type) {
        case 'open':
          return open(question);
        case 'request':
          return request(question);
        case 'heap_use':
          return heapUse(question.isolate);
        case 'dispose':
          return dispose(question.isolate);
      }
    },
  };
}
