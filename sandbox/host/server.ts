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

/** What isolates of one kind have in common. */
type Size = Pick<OpenIsolate, 'environment' | 'heapWords'>;

interface Opened extends Size {
  /** Settles when it is made; a request may be there before. */
  readonly isolate: Promise<GuestIsolate>;
}

/** A request that takes longer leaves this thread idle meanwhile, and may ask for parallel branches. */
const LONG_MS = 3;
/** No request for this long: time to make a spare. The requests of one run follow each other within a millisecond. */
const QUIET_MS = 3;

/**
 * The host's side of the conversation: isolates by name, and one spare made while nothing else is to do, so that the
 * next isolate of the same size is there at once.
 */
export class HostServer {
  readonly #images: GuestImages;
  readonly #calls: CapabilityCalls;
  readonly #isolates = new Map<string, Opened>();
  #spare: Spare | null;
  #quiet: NodeJS.Timeout | undefined;
  /** Whether the last isolate asked for was the one that was ready: another like it is likely to follow. */
  #isForeseen = true;
  /** Settles when this thread may make the next isolate. */
  #turn: Promise<void> = Promise.resolve();

  constructor(images: GuestImages, calls: CapabilityCalls, first: Spare) {
    this.#images = images;
    this.#calls = calls;
    this.#spare = first;
  }

  /** Never rejects: what goes wrong in an isolate is an answer. */
  answer(question: Question): Promise<Answer> {
    switch (question.type) {
      case 'open':
        return this.#open(question);
      case 'request':
        return this.#request(question);
      case 'heap_use':
        return this.#heapUse(question.isolate);
      case 'dispose':
        return this.#dispose(question.isolate);
    }
  }

  async #open({ isolate: name, ...wanted }: OpenIsolate): Promise<Answer> {
    clearTimeout(this.#quiet);
    const isolate = this.#takeIsolate(wanted);
    this.#isolates.set(name, { ...wanted, isolate });
    try {
      await isolate;
      return { type: 'opened' };
    } catch {
      return this.#whyNotMade(wanted.environment);
    }
  }

  async #request({ isolate: name, ...made }: MakeRequest): Promise<Answer> {
    clearTimeout(this.#quiet);
    const opened = this.#isolates.get(name);
    const isolate = await opened?.isolate.catch(() => undefined);
    if (opened === undefined) return { type: 'ended', ending: ENDINGS.disposed };
    if (isolate === undefined) return this.#whyNotMade(opened.environment);
    this.#prepareIn(LONG_MS, opened);
    const answer = await isolate.request(made, (tool, argumentsText) =>
      this.#calls.call({ isolate: name, name: tool, argumentsText }),
    );
    clearTimeout(this.#quiet);
    if (isolate.ending() === null) this.#prepareIn(QUIET_MS, opened);
    else this.#isolates.delete(name);
    return answer;
  }

  async #heapUse(name: string): Promise<Answer> {
    const isolate = await this.#isolates.get(name)?.isolate.catch(() => undefined);
    return { type: 'heap_use', percent: (await isolate?.heapUse()) ?? WHOLE_HEAP };
  }

  async #dispose(name: string): Promise<Answer> {
    const opened = this.#isolates.get(name);
    this.#isolates.delete(name);
    const isolate = await opened?.isolate.catch(() => undefined);
    await isolate?.dispose();
    // What ends is often followed by its like at once; this thread has nothing to do until then.
    if (this.#isForeseen && this.#isolates.size === 0 && opened !== undefined)
      setImmediate(() => this.#prepareSpare(opened));
    return { type: 'disposed' };
  }

  /** The spare if it is of that kind and size, otherwise a new one. A spare that could not be made is made again. */
  async #takeIsolate(wanted: Size): Promise<GuestIsolate> {
    const used = this.#spare;
    this.#spare = null;
    if (used === null) return this.#openInTurn(wanted);
    this.#isForeseen = used.environment === wanted.environment && used.heapWords === wanted.heapWords;
    if (this.#isForeseen) return used.isolate;
    const [isolate] = await Promise.all([this.#openInTurn(wanted), discard(used)]);
    return isolate;
  }

  /**
   * To make one takes 2 ms of this thread, which all isolates' calls and answers pass through: of many that are asked
   * for at once, each waits until what came meanwhile was carried.
   */
  #openInTurn({ environment, heapWords }: Size): Promise<GuestIsolate> {
    const made = this.#turn.then(() => this.#images(environment)).then((image) => openGuestIsolate(image, heapWords));
    this.#turn = this.#turn.then(
      () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
    );
    return made;
  }

  async #whyNotMade(environment: EnvironmentKind): Promise<Ended> {
    const isThere = (await this.#images(environment).catch(() => null)) !== null;
    return { type: 'ended', ending: isThere ? ENDINGS.memoryFatal : ENDINGS.noImage };
  }

  #prepareIn(milliseconds: number, size: Size): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#prepareSpare(size), milliseconds);
  }

  #prepareSpare({ environment, heapWords }: Size): void {
    this.#spare ??= makeSpare(this.#images, environment, heapWords);
  }
}
