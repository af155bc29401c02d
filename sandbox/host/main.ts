/**
 * A sandbox host: a child process that holds isolates and nothing else. Started by the pool with an empty environment
 * and one pipe, file descriptor 3. It lives exactly as long as the pipe.
 */
import { setFlagsFromString } from 'node:v8';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { guestImages } from './snapshot.ts';
import { serveHost } from './serve.ts';
import { makeSpare } from './spare.ts';

const PIPE = 3;

/**
 * Without V8's baseline compiler a program's first evaluation takes two thirds of the processor time and no longer one
 * takes more: what is hot goes to the optimising compilers all the same (bench/README.md). Not on the command line,
 * where it would make node refuse the compiled form of its own modules, 5 ms of a start.
 */
const V8_FLAGS = '--no-sparkplug';

/** At once: node's own exit waits for isolates to stop, and one that spins never does. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function start(imageFile: string, environment: EnvironmentKind, heapWords: number): void {
  setFlagsFromString(V8_FLAGS);
  const images = guestImages(imageFile);
  const first = makeSpare(images, environment, heapWords);
  serveHost({ descriptor: PIPE, images, first, die });
}

const [, , imageFile, environment, heapWords] = process.argv;
if (imageFile === undefined || (environment !== 'workflow' && environment !== 'mission') || heapWords === undefined) {
  throw new Error('usage: sandbox-host <guest image> <kind of its first isolate> <its heap words>');
}
start(imageFile, environment, Number(heapWords));
