import { CALL_PLACE, placeQuestion, readCallPlaces, type CallPlaces } from '../../../contract/call-place.ts';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';
import { errorAnswer, type CallAnswer } from './envelope.ts';

/** A call that is not answered before it was said where it is. */
interface UnlocatedCall {
  readonly resolve: (places: CallPlaces | null) => void;
  readonly answering: Promise<CallAnswer>;
}

/** What is answered at once: the call, or a question back. */
export type FirstAnswer = { readonly answer: CallAnswer } | { readonly question: string };

/**
 * Asks callers where in their program they call (contract/call-place.ts). Each has one call at a time, by its name in
 * the ledger.
 */
export class CallLocations {
  readonly #unlocated = new Map<string, UnlocatedCall>();

  /**
   * Answers a call with `answer`, which may ask where the call is. `program`: the source that the question carries.
   * `ended`: aborted when nobody waits for an answer.
   */
  async answer(
    key: string,
    call: CapabilityCall,
    { program, ended }: { readonly program: string | null; readonly ended: AbortSignal },
    answer: (locate: () => Promise<CallPlaces | null>) => Promise<CallAnswer>,
  ): Promise<FirstAnswer> {
    if (call.name === CALL_PLACE) return { answer: await this.#located(key, call.arguments) };
    if (call.saysPlace !== true) return { answer: await answer(async () => null) };
    const requested = Promise.withResolvers<FirstAnswer>();
    const found = Promise.withResolvers<CallPlaces | null>();
    const leave = (): void => found.resolve(null);
    const answering = answer(() => {
      ended.addEventListener('abort', leave);
      if (ended.aborted) leave();
      requested.resolve({ question: placeQuestion(program) });
      return found.promise;
    }).finally(() => ended.removeEventListener('abort', leave));
    const first = await Promise.race([answering.then((answered) => ({ answer: answered })), requested.promise]);
    if ('question' in first) {
      this.#unlocated.get(key)?.resolve(null);
      this.#unlocated.set(key, { resolve: found.resolve, answering });
    }
    return first;
  }

  async #located(key: string, message: string): Promise<CallAnswer> {
    const call = this.#unlocated.get(key);
    // Nobody asked: no program has a capability of this name.
    if (call === undefined) return errorAnswer('capability_denied', 'capability_absent');
    this.#unlocated.delete(key);
    call.resolve(readCallPlaces(message));
    return call.answering;
  }
}
