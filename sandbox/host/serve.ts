import { Socket } from 'node:net';
import * as comlink from 'comlink';
import { closeHandle } from './bereave.ts';
import { createCapabilityCalls } from '../wire/capability-channel.ts';
import { createCalledEndpoint } from '../wire/endpoint.ts';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES_FROM_SUPERVISOR } from '../wire/frames.ts';
import { createHostServer } from './server.ts';
import { HOST_METHODS } from '../wire/host-api.ts';
import type { GuestImages } from './snapshot.ts';
import type { Spare } from './spare.ts';

export interface HostService {
  /** File descriptor of the pipe. */
  readonly descriptor: number;
  readonly images: GuestImages;
  /** The isolate that will be asked for first. */
  readonly first: Spare;
  /** Ends the process: the pipe has ended, or brings nonsense. */
  readonly die: () => void;
}

/** Serves the supervisor at the other end of the pipe. */
export function serveHost({ descriptor, images, first, die }: HostService): void {
  const pipe = new Socket({ fd: descriptor, readable: true, writable: true });
  closeHandle(pipe);
  pipe.on('close', die).on('error', die).on('end', die);
  const calls = createCapabilityCalls((header, body) => pipe.write(encodeFrame({ channel: 'broker', header, body })));
  const hostSide = createCalledEndpoint(
    (header, body) => pipe.write(encodeFrame({ channel: 'host', header, body })),
    ({ method }) => HOST_METHODS.includes(method),
  );
  comlink.expose(createHostServer(images, calls, first), hostSide.endpoint);

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
