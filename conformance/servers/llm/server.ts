import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliver, fail } from '../http/deliver.ts';
import { listen, type Listening, type ListenOptions } from '../http/listen.ts';
import { loggedRequest, type LoggedRequest } from '../http/log.ts';
import { slidingLimit } from './rate-limit.ts';
import type { RequestMatch, ModelStep, WireName } from './script.ts';
import { ANTHROPIC } from './wires/anthropic.ts';
import { BEDROCK } from './wires/bedrock.ts';
import { GOOGLE } from './wires/google.ts';
import { OPENAI } from './wires/openai.ts';
import type { ModelRequest, Wire } from './wires/wire.ts';

const WIRES: readonly Wire[] = [OPENAI, ANTHROPIC, GOOGLE, BEDROCK];

/** One request as it came, its secrets as hashes, and the wire that it spoke. */
export interface LoggedModelRequest extends LoggedRequest {
  readonly wire: WireName | null;
}

/** `url` is plain http, or https with the certificate that was asked for. */
export interface ModelServer extends Listening {
  /** Every request so far, in the order in which they were read. */
  readonly requests: readonly LoggedModelRequest[];
  /** Steps of the script that have uses left. */
  unused(): readonly ModelStep[];
}

export interface ModelServerOptions extends ListenOptions {
  readonly script: readonly ModelStep[];
  /** Requests in a second; more are answered with 429 and `retry-after-ms`, before the script is asked. */
  readonly requestsPerSecond?: number;
  /** Called with each request when it was read. */
  readonly onRequest?: (request: LoggedModelRequest) => void;
}

/**
 * Starts a server on loopback that speaks the forms of OpenAI, Anthropic, Google and Bedrock and does what its script
 * says.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const uses = options.script.map((step) => (step.times === 'any' ? Number.POSITIVE_INFINITY : (step.times ?? 1)));
  const requests: LoggedModelRequest[] = [];
  const limit = options.requestsPerSecond === undefined ? null : slidingLimit(options.requestsPerSecond);
  const listening = await listen(options, async ({ request, response, body, connection }) => {
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    const wire = WIRES.find((one) => one.serves(path)) ?? null;
    const modelRequest = wire === null ? null : wire.readRequest(path, parsed(body));
    const waitMs = limit?.take(performance.now()) ?? null;
    const step =
      waitMs !== null
        ? -1
        : options.script.findIndex((one, at) => (uses[at] ?? 0) > 0 && fits(one.match ?? {}, path, wire, modelRequest));
    if (step >= 0) uses[step] = (uses[step] ?? 0) - 1;
    const number = requests.length + 1;
    const logged: LoggedModelRequest = {
      ...loggedRequest({ request, body, connection, number }),
      wire: wire?.name ?? null,
      step: step < 0 ? null : step,
    };
    requests.push(logged);
    options.onRequest?.(logged);
    if (waitMs !== null) {
      const words = `the limit is ${options.requestsPerSecond} requests in a second`;
      await deliver(response, 429, { 'retry-after-ms': String(waitMs) }, JSON.stringify(OPENAI.failure(429, words)));
      return;
    }
    await answer(response, {
      step: options.script[step],
      wire,
      request: modelRequest,
      number,
      credential: credentialOf(request, wire),
    });
  });
  return {
    ...listening,
    requests,
    unused: () => options.script.filter((step, at) => step.times !== 'any' && (uses[at] ?? 0) > 0),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function credentialOf(request: IncomingMessage, wire: Wire | null): string {
  const header = wire === null ? undefined : request.headers[wire.credentialHeader];
  return String(header ?? '').replace(/^Bearer /, '');
}

function fits(match: RequestMatch, path: string, wire: Wire | null, modelRequest: ModelRequest | null): boolean {
  if (match.path !== undefined && match.path !== path) return false;
  if (wire === null || modelRequest === null) return match.path !== undefined;
  return (
    (match.wire === undefined || match.wire === wire.name) &&
    (match.model === undefined || match.model === modelRequest.model) &&
    (match.hasTools === undefined || match.hasTools === modelRequest.hasTools) &&
    (match.hasSchema === undefined || match.hasSchema === modelRequest.hasSchema) &&
    (match.contains === undefined || modelRequest.texts.some((text) => text.includes(match.contains ?? ''))) &&
    (match.lastContains === undefined || (modelRequest.texts.at(-1) ?? '').includes(match.lastContains))
  );
}

interface Answering {
  readonly step: ModelStep | undefined;
  readonly wire: Wire | null;
  readonly request: ModelRequest | null;
  readonly number: number;
  readonly credential: string;
}

/** What is told of a request that no step of the script fits, so that the fault of a script is seen at once. */
const NO_STEP_STATUS = 418;

async function answer(response: ServerResponse, { step, wire, request, number, credential }: Answering): Promise<void> {
  const form = wire ?? OPENAI;
  const whom = request ?? { model: null, texts: [], hasTools: false, hasSchema: false };
  if (step === undefined)
    return deliver(
      response,
      NO_STEP_STATUS,
      {},
      JSON.stringify(form.failure(NO_STEP_STATUS, 'no step of the script fits this request')),
    );
  const { action } = step;
  if ('fault' in action) return fail(response, action.fault, JSON.stringify(form.answer({ text: 'ok' }, whom, number)));
  if ('answer' in action)
    return deliver(response, 200, {}, JSON.stringify(form.answer(action.answer, whom, number)), action.delivery);
  const { status, headers = {}, body = form.failure(status, `status ${status} of the script`), delivery } = action;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return deliver(response, status, headers, text.replaceAll('{{credential}}', credential), delivery);
}
