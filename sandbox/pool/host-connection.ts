import type { Duplex } from 'node:stream';
import * as comlink from 'comlink';
import { parseCapabilityCall } from '../wire/capability-channel.ts';
import { createCallingEndpoint } from '../wire/endpoint.ts';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES_FROM_HOST } from '../wire/frames.ts';
import { type HostApi, MAX_ARGUMENTS_LENGTH } from '../wire/host-api.ts';

export interface ConnectionEvents {
  /** What the host says of an isolate that it was asked for; told before what it says next is read. */
  readonly onOpened: (isolate: string, answer: string) => void;
  /** May this isolate make a capability call now? */
  readonly admitsCall: (isolate: string) => boolean;
  /** Carries out an admitted call; never rejects. */
  readonly answerCall: (isolate: string, name: string, argumentsText: string) => Promise<string>;
  /** The host said what no honest host says. Told once; nothing it says afterwards is read. */
  readonly onViolation: () => void;
}

/**
 * The supervisor's end of a host's pipe. Every message is checked for form, size and expectation before comlink sees
 * it: an answer must answer an open call, a capability call must be of an isolate that is running. What is asked of a
 * host whose pipe has closed is never answered.
 */
export function connectHost(pipe: Duplex, events: ConnectionEvents): HostApi {
  const post =
    (channel: 'host' | 'broker') =>
    (header: string, body: string): void => {
      if (pipe.writable) pipe.write(encodeFrame({ channel, header, body }));
    };
  const hostSide = createCallingEndpoint(post('host'), ({ method, arguments: [isolate] }, answer) => {
    if (method === 'open' && isolate !== undefined) events.onOpened(isolate, answer);
  });
  const answer = post('broker');

  function receiveCall(header: string, argumentsText: string): boolean {
    const call = parseCapabilityCall(header);
    if (call === null || argumentsText.length > MAX_ARGUMENTS_LENGTH + 1 || !events.admitsCall(call.isolate))
      return false;
    void events.answerCall(call.isolate, call.name, argumentsText).then((text) => answer(call.isolate, text));
    return true;
  }

  const reader = createFrameReader(MAX_BODY_BYTES_FROM_HOST);
  const onData = (chunk: Buffer): void => {
    const read = reader.push(chunk);
    const honest =
      read.status === 'frames' &&
      read.frames.every(({ channel, header, body }) =>
        channel === 'host' ? hostSide.receive(header, body) : receiveCall(header, body),
      );
    if (honest) return;
    pipe.off('data', onData);
    pipe.destroy();
    events.onViolation();
  };
  pipe.on('data', onData);
  return untilClosed(pipe, comlink.wrap<HostApi>(hostSide.endpoint));
}

/**
 * Comlink keeps an endpoint for as long as its proxy is used. Ours leads back to the proxy, so that both would stay for
 * ever with all of a dead host.
 */
function untilClosed(pipe: Duplex, remote: comlink.Remote<HostApi>): HostApi {
  let live: comlink.Remote<HostApi> | null = remote;
  pipe.once('close', () => {
    live = null;
    remote[comlink.releaseProxy]();
  });
  const unanswered = async (): Promise<string> => new Promise(() => undefined);
  return {
    open: async (...asked) => live?.open(...asked) ?? unanswered(),
    request: async (...asked) => live?.request(...asked) ?? unanswered(),
    heapUse: async (...asked) => live?.heapUse(...asked) ?? unanswered(),
    dispose: async (...asked) => live?.dispose(...asked) ?? unanswered(),
  };
}
