import { parentPort, type MessagePort } from 'node:worker_threads';
import * as Comlink from 'comlink';
import type { CallAnswer, CallRequest, CallSide } from '../../../contract/provider-protocol/call.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { threadEndpoint } from '../../../adapters/threads/thread-endpoint.ts';

/** The worker's half of a provider that serves its calls in another thread; what a call does is in its arguments. */
export interface ServedJob {
  readonly request: CallRequest;
  readonly port: MessagePort;
}

/** What the worker offers over the port of a call. */
export interface CallControl {
  answer(): Promise<CallAnswer>;
  cancel(): void;
}

const FAILED = {
  kind: 'error',
  reason: 'unavailable',
  details: null,
  retryable: false,
  isProtocolFault: false,
  usage: null,
  replayMiss: null,
} as const;

function serve({ request, port }: ServedJob): void {
  const endpoint = threadEndpoint(port);
  const side = Comlink.wrap<CallSide>(endpoint);
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<'cancelled'>((resolve) => {
    cancel = () => resolve('cancelled');
  });
  const answered = outcomeOf(request, () => side.openGate(), cancelled);
  const control: CallControl = {
    answer: async () => ({ outcome: await answered, exchanges: request.keepsExchanges ? [exchangeOf(request)] : [] }),
    cancel: () => cancel(),
  };
  Comlink.expose(control, endpoint);
}

async function outcomeOf(
  request: CallRequest,
  openGate: () => Promise<boolean>,
  cancelled: Promise<'cancelled'>,
): Promise<ProviderOutcome<string>> {
  const [behaviour] = Object.values(Object(JSON.parse(request.arguments)));
  if (behaviour === 'end before the gate') process.exit(1);
  if (behaviour === 'wait before the gate') await cancelled;
  if (!(await openGate())) return { ...FAILED, proof: 'not_dispatched' };
  if (behaviour === 'end behind the gate') process.exit(1);
  if (behaviour === 'throw') throw new RangeError('a bug');
  if (behaviour === 'heed') return { ...FAILED, reason: 'timeout', proof: await cancelled.then(() => null) };
  if (behaviour === 'never end') for (;;);
  return {
    kind: 'value',
    value: behaviour === 'no JSON' ? '{' : `[${request.arguments},1.0]`,
    usage: null,
    finish: null,
  };
}

function exchangeOf({ arguments: input }: CallRequest): CallAnswer['exchanges'][number] {
  return {
    transport: 'stdio',
    requestId: 1,
    request: input,
    response: 'no JSON',
    stderr: { text: 'warning', isTruncated: false },
  };
}

parentPort?.on('message', serve);
