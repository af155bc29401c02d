import { Socket } from 'node:net';
import { decodeToHost, encodeFromHost } from '../wire/codec.ts';
import { createFrameReader, encodeFrame, MAX_BODY_BYTES_FROM_SUPERVISOR } from '../wire/frames.ts';
import type { FromHost, ToHost } from '../wire/messages.ts';
import { closeHandle } from './bereave.ts';
import { createCapabilityCalls } from './capability-calls.ts';
import { HostServer } from './server.ts';
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
  const send = (message: FromHost): void => void pipe.write(encodeFrame(encodeFromHost(message)));
  const calls = createCapabilityCalls(send);
  const server = new HostServer(images, calls, first);
  /** Questions without an answer. */
  const open = new Set<number>();

  async function answer({ id, ...question }: Exclude<ToHost, { readonly type: 'call_answer' }>): Promise<void> {
    const answered = await server.answer(question);
    open.delete(id);
    send({ ...answered, id });
  }

  function take(message: ToHost | null): boolean {
    if (message === null) return false;
    if (message.type === 'call_answer') return calls.receive(message);
    if (open.has(message.id)) return false;
    open.add(message.id);
    void answer(message);
    return true;
  }

  const reader = createFrameReader(MAX_BODY_BYTES_FROM_SUPERVISOR);
  pipe.on('data', (chunk: Buffer) => {
    const read = reader.push(chunk);
    if (read.status === 'violation' || !read.frames.every((frame) => take(decodeToHost(frame)))) die();
  });
}
