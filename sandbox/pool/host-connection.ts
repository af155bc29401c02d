import type { Duplex } from 'node:stream';
import * as comlink from 'comlink';
import { createCalledEndpoint, createCallingEndpoint } from '../wire/endpoint.ts';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES_FROM_HOST } from '../wire/frames.ts';
import { BROKER_METHOD, type BrokerApi, type HostApi, MAX_ARGUMENTS_LENGTH, MAX_NAME_LENGTH } from '../wire/host-api.ts';
import type { CallHeader } from '../wire/messages.ts';

export interface ConnectionEvents {
  /** May this isolate make a capability call now? */
  readonly admitsCall: (isolate: string) => boolean;
  readonly broker: BrokerApi;
  /** The host said what no honest host says. Told once; nothing it says afterwards is read. */
  readonly onViolation: () => void;
}

/**
 * The supervisor's end of a host's pipe. Every message is checked for form, size and expectation before comlink sees
 * it: an answer must answer an open call, a call must be `call` of an isolate that is running.
 */
export function connectHost(pipe: Duplex, events: ConnectionEvents): comlink.Remote<HostApi> {
  const post = (channel: 'host' | 'broker') => (header: string, body: string): void => {
    if (pipe.writable) pipe.write(encodeFrame({ channel, header, body }));
  };
  const hostSide = createCallingEndpoint(post('host'));
  const brokerSide = createCalledEndpoint(post('broker'), (call) => isBrokerCall(call) && events.admitsCall(call.arguments[0]));
  comlink.expose(events.broker, brokerSide.endpoint);

  const reader = createFrameReader(MAX_BODY_BYTES_FROM_HOST);
  const onData = (chunk: Buffer): void => {
    const read = reader.push(chunk);
    const honest =
      read.status === 'frames' &&
      read.frames.every(({ channel, header, body }) => {
        if (channel === 'host') return hostSide.receive(header, body);
        return body.length <= MAX_ARGUMENTS_LENGTH + 1 && brokerSide.receive(header, body);
      });
    if (honest) return;
    pipe.off('data', onData);
    pipe.destroy();
    events.onViolation();
  };
  pipe.on('data', onData);
  return comlink.wrap<HostApi>(hostSide.endpoint);
}

interface BrokerCall extends CallHeader {
  readonly arguments: readonly [isolate: string, name: string];
}

function isBrokerCall(call: CallHeader): call is BrokerCall {
  const [isolate, name, ...further] = call.arguments;
  return (
    call.method === BROKER_METHOD && isolate !== undefined && name !== undefined && further.length === 0 && name.length <= MAX_NAME_LENGTH
  );
}
