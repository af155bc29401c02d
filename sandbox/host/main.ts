/**
 * A sandbox host: a child process that holds isolates and nothing else. Started by the pool with an empty environment
 * and one pipe, file descriptor 3. It lives exactly as long as the pipe.
 */
import { setFlagsFromString } from 'node:v8';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { bereaveProcess } from './bereave.ts';
import { guestImages } from './snapshot.ts';
import { serveHost } from './serve.ts';
import { makeSpare } from './spare.ts';
import { V8_FLAGS } from './v8-flags.ts';
import { watchMemory } from './memory-watch.ts';

const PIPE = 3;
const SIGKILL = 9;

/** The system's own: `process.kill` looks for it on `process` at each call, where `bereaveProcess` leaves none. */
const sendSignal: unknown = Reflect.get(process, '_kill');

/**
 * At once: node's own exit waits for isolates to stop, and one that spins never does, nor one that waits for an answer
 * of this thread.
 */
function die(): void {
  if (typeof sendSignal === 'function') sendSignal(process.pid, SIGKILL);
  process.abort();
}

interface Start {
  readonly imageFile: string;
  readonly environment: EnvironmentKind;
  readonly heapWords: number;
  /** Process id of who started it. */
  readonly parent: number;
  /** Kilobytes at which it ends itself, where the system has no limit for that; null elsewhere. */
  readonly residentKilobytes: number | null;
}

function start({ imageFile, environment, heapWords, parent, residentKilobytes }: Start): void {
  // Who died before the kernel was asked to end this process with it is reported by nothing else.
  if (process.ppid !== parent) die();
  if (residentKilobytes !== null) watchMemory(residentKilobytes * 1024);
  // Not on the command line, where it would make node refuse the compiled form of its own modules, 5 ms of a start.
  setFlagsFromString(V8_FLAGS);
  const images = guestImages(imageFile);
  bereaveProcess();
  const first = makeSpare(images, environment, heapWords);
  serveHost({ descriptor: PIPE, images, first, die });
}

const [, , imageFile, environment, heapWords, parent, residentKilobytes] = process.argv;
if (
  imageFile === undefined ||
  (environment !== 'workflow' && environment !== 'mission') ||
  heapWords === undefined ||
  parent === undefined ||
  residentKilobytes === undefined
) {
  throw new Error(
    'usage: sandbox-host <guest image> <kind of its first isolate> <its heap words> <process id of its parent> <kilobytes to watch, or none>',
  );
}
start({
  imageFile,
  environment,
  heapWords: Number(heapWords),
  parent: Number(parent),
  residentKilobytes: residentKilobytes === 'none' ? null : Number(residentKilobytes),
});
