import { deliver } from '../../http/deliver.ts';
import { listen, type Listening, type ListenOptions } from '../../http/listen.ts';
import { loggedRequest, type LoggedRequest } from '../../http/log.ts';
import { refusedAccess, type Access } from './accounts.ts';
import { isObject } from '../../is-object.ts';
import {
  limitToOneCall,
  type AnsweredTurn,
  type Refusal,
  type VendorFake,
  type VendorRequest,
  type VendorTurn,
} from './vendor.ts';

/** A request, and what the vendor had against it. */
export interface VendorExchange extends LoggedRequest {
  readonly refusal: Refusal | null;
  /** The body of the answer as it left. */
  readonly answered: string;
}

export interface VendorServer extends Listening {
  readonly exchanges: readonly VendorExchange[];
  /** JSON texts that each turn gave to carry, in their order. */
  readonly answered: readonly AnsweredTurn[];
}

/** Turns in their order, or one for each number of turns that were given. */
export type VendorTurns = readonly VendorTurn[] | ((input: number) => VendorTurn);

export interface VendorOptions extends ListenOptions {
  /** Absent: whoever asks, for whatever model. */
  readonly access?: Access;
  /** Called with each request that was answered. */
  readonly onExchange?: (exchange: VendorExchange) => void;
}

/**
 * A vendor on loopback that says one turn after the other, and refuses, as the vendor would, a request that breaks its
 * rules: such a request takes no turn.
 */
export async function startVendor(
  fake: VendorFake,
  turns: VendorTurns,
  options: VendorOptions = {},
): Promise<VendorServer> {
  const exchanges: VendorExchange[] = [];
  const answeredTurns: AnsweredTurn[] = [];
  const listening = await listen(options, async ({ request, response, body, connection }) => {
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    const number = exchanges.length + 1;
    const vendorRequest: VendorRequest = {
      path,
      query: Object.fromEntries(new URL(request.url ?? '/', 'http://a').searchParams),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: objectOf(body),
      text: body,
      answered: answeredTurns,
    };
    const scripted = typeof turns === 'function' ? turns(answeredTurns.length) : turns[answeredTurns.length];
    const turn = scripted === undefined ? undefined : limitToOneCall(scripted, vendorRequest.body);
    const refusal = refusalOf(fake, options.access ?? null, vendorRequest, turn);
    const answer = refusal === null && turn !== undefined ? fake.answer(turn, vendorRequest, number) : null;
    if (answer !== null && turn !== undefined)
      answeredTurns.push({
        calls: (turn.calls ?? []).map(({ id }) => id),
        pieces: answer.carried.map((piece) => JSON.stringify(piece)),
      });
    const text = JSON.stringify(answer === null ? refusal?.body : answer.body);
    const exchange = { ...loggedRequest({ request, body, connection, number }), refusal, answered: text };
    exchanges.push(exchange);
    options.onExchange?.(exchange);
    await deliver(response, refusal?.status ?? 200, {}, text);
  });
  return { ...listening, exchanges, answered: answeredTurns };
}

/** Answers a request after the last scripted turn, so that a faulty script shows at once. */
const NO_TURN_STATUS = 418;

function refusalOf(
  fake: VendorFake,
  access: Access | null,
  request: VendorRequest,
  turn: VendorTurn | undefined,
): Refusal | null {
  if (!fake.serves(request.path))
    return (
      access?.account.refusePath(request.path) ?? {
        status: 404,
        body: { error: { message: `no such path: ${request.path}` } },
      }
    );
  const refusal = (access === null ? null : refusedAccess(access, request)) ?? fake.refuse(request);
  if (refusal !== null || turn !== undefined) return refusal;
  return { status: NO_TURN_STATUS, body: { error: { message: 'the script has no further turn' } } };
}

function objectOf(text: string): Record<string, unknown> {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return isObject(value) ? value : {};
}
