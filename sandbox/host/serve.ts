import type { Socket } from 'node:net';
import * as comlink from 'comlink';
import { createCapabilityCalls } from '../wire/capability-channel.ts';
import { createCalledEndpoint } from '../wire/endpoint.ts';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES_FROM_SUPERVISOR } from '../wire/frames.ts';
import { createHostServer } from './server.ts';
import { HOST_METHODS } from '../wire/host-api.ts';
import type { LoadedImage } from './snapshot.ts';

export interface HostService {
  readonly pipe: Socket;
  readonly image: LoadedImage;
  /** Heap of the isolate that will be asked for first, in 8-byte words. */
  readonly firstHeapWords: number;
  /** Ends the process, when the pipe brings nonsense. */
  readonly die: () => void;
}

/** Serves the supervisor at the other end of the pipe. */
export function serveHost({ pipe, image, firstHeapWords, die }: HostService): void {
  const calls = createCapabilityCalls((header, body) => pipe.write(encodeFrame({ channel: 'broker', header, body })));
  const hostSide = createCalledEndpoint(
    (header, body) => pipe.write(encodeFrame({ channel: 'host', header, body })),
    ({ method }) => HOST_METHODS.includes(method),
  );
  comlink.expose(createHostServer(image, calls, firstHeapWords), hostSide.endpoint);

  const reader = createFrameReader(MAX_BODY_BYTES_FROM_SUPERVISOR);
  pipe.on('data', (chunk: Buffer) => {
    const read = reader.push(chunk);
    if (read.status === 'violation') return die();
    for (const { channel, header, body } of read.frames) {
      const side = channel === 'host' ? hostSide : calls;
      if (!side.receive(header, body)) return die();
    }
  });
}
