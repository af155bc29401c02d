import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { deliver, fail, pour } from '../http/deliver.ts';
import { listen, type Listening, type ListenOptions } from '../http/listen.ts';
import { loggedRequest, type LoggedRequest } from '../http/log.ts';
import { headerFault } from './header-rules.ts';
import { isObject } from '../is-object.ts';
import { type HttpAction, type HttpMatch, type HttpStep } from './script.ts';

/** `url` ends in the path that tools are asked at. */
export interface ToolServer extends Listening {
  /** Every request so far, in the order in which they were read. */
  readonly requests: readonly LoggedRequest[];
}

export interface ToolServerOptions extends ListenOptions {
  readonly script: readonly HttpStep[];
  /** What a GET of a path is answered with, metadata say. */
  readonly pages?: Readonly<Record<string, HttpAction>>;
  /** It speaks an earlier revision, whose requests do not have the headers that later ones must have. */
  readonly isOlder?: boolean;
  /** Called with each request when it was read. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

const PATH = '/mcp';

/** A request of JSON-RPC, as far as a script looks at it. */
interface RpcRequest {
  readonly id: unknown;
  readonly method: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Starts a server of tools on loopback that speaks the Model Context Protocol (2026-07-28) over HTTP and does what its
 * script says. A request that breaks a rule of the headers is refused whatever the script says.
 */
export async function startToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const uses = options.script.map(({ times }) => times ?? Number.POSITIVE_INFINITY);
  const requests: LoggedRequest[] = [];
  const listening = await listen(options, async ({ request, response, body, connection }) => {
    const rpcRequest = readRpcRequest(body);
    const { headers } = request;
    const index = options.script.findIndex(
      (step, at) => (uses[at] ?? 0) > 0 && fits(step.match ?? {}, rpcRequest, headers.authorization),
    );
    if (index >= 0) uses[index] = (uses[index] ?? 0) - 1;
    const logged = {
      ...loggedRequest({ request, body, connection, number: requests.length + 1 }),
      step: index < 0 ? null : index,
    };
    requests.push(logged);
    options.onRequest?.(logged);
    const page = request.method === 'GET' ? options.pages?.[request.url ?? ''] : undefined;
    if (page !== undefined) return act(response, page, rpcRequest, logged);
    const fault =
      request.method !== 'POST' || request.url !== PATH
        ? { status: 405, code: -32_600, message: `tools are asked by POST at ${PATH}` }
        : options.isOlder === true
          ? null
          : headerFault(headers, rpcRequest);
    if (fault !== null)
      return deliver(
        response,
        fault.status,
        {},
        messageOf(rpcRequest.id, { error: { code: fault.code, message: fault.message } }),
      );
    const step = options.script[index];
    if (step === undefined)
      return deliver(
        response,
        200,
        {},
        messageOf(rpcRequest.id, { error: { code: -32_603, message: 'no step of the script fits' } }),
      );
    if (step.action.becomes !== undefined) await listening.become(step.action.becomes);
    return act(response, step.action, rpcRequest, logged);
  });
  return { ...listening, url: listening.url + PATH, requests };
}

function readRpcRequest(body: string): RpcRequest {
  try {
    const message: unknown = JSON.parse(body);
    if (isObject(message))
      return {
        id: message['id'] ?? null,
        method: message['method'],
        params: isObject(message['params']) ? message['params'] : {},
      };
  } catch {
    // Told by the rules of the headers, which need a method.
  }
  return { id: null, method: null, params: {} };
}

function fits(match: HttpMatch, { method, params }: RpcRequest, authorization: string | undefined): boolean {
  return (
    (match.method === undefined || match.method === method) &&
    (match.name === undefined || match.name === params['name']) &&
    (match.cursor === undefined || match.cursor === (params['cursor'] ?? null)) &&
    (match.hasToken === undefined || match.hasToken === (authorization !== undefined)) &&
    (match.authorization === undefined ||
      match.authorization ===
        `sha256:${createHash('sha256')
          .update(authorization ?? '')
          .digest('hex')}`)
  );
}

function messageOf(id: unknown, members: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...members });
}

async function act(
  response: ServerResponse,
  action: HttpAction,
  { id, params }: RpcRequest,
  { headers }: LoggedRequest,
): Promise<void> {
  const { status = 200, as = 'json', before = [], delivery } = action;
  const filled = (text: string): string => text.replaceAll('{{id}}', String(id));
  const dumped = {
    result: {
      resultType: 'complete',
      content: [{ type: 'text', text: JSON.stringify({ headers, arguments: params['arguments'] }) }],
    },
  };
  const { result, error } = action;
  const message =
    action.dump === true
      ? messageOf(id, dumped)
      : result === undefined && error === undefined
        ? null
        : messageOf(id, { result, error });
  if (action.fault !== undefined) return failAs(response, action.fault, message ?? messageOf(id, { result: {} }));
  if (as === 'sse') {
    const events = [...before.map(filled), ...(action.body !== undefined ? [] : message === null ? [] : [message])]
      .map((data) => `data: ${data}\n\n`)
      .join('');
    return deliver(
      response,
      status,
      { 'content-type': 'text/event-stream', ...action.headers },
      events + filled(action.body ?? ''),
      delivery,
    );
  }
  return deliver(response, status, action.headers ?? {}, filled(action.body ?? message ?? ''), delivery);
}

const NOTIFICATION =
  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still here"}}\n\n';

async function failAs(response: ServerResponse, fault: NonNullable<HttpAction['fault']>, whole: string): Promise<void> {
  const stream = async (piece: string): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return pour(() => response.write(piece.repeat(100)), response);
  };
  switch (fault) {
    case 'endless_notifications':
      return stream(NOTIFICATION);
    case 'endless_comments':
      return stream(': still here\n');
    case 'endless_event':
      return stream('data: "still here"\n');
    case 'endless_401':
      response.socket?.write('HTTP/1.1 401 Unauthorized\r\n');
      return pour(
        () => response.socket?.write('x-small: 1\r\n') ?? true,
        response,
        () => pause(5),
      );
    default:
      return fail(response, fault, whole);
  }
}
