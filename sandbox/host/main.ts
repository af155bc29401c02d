/**
 * A sandbox host: a child process that holds isolates and nothing else. Started by the pool with an empty environment
 * and one pipe, file descriptor 3. It lives exactly as long as the pipe.
 */
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { serveHost } from './serve.ts';
import { loadGuestImage, readGuestImage } from './snapshot.ts';

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

async function start(imageFile: string, firstHeapWords: number): Promise<void> {
  setFlagsFromString(V8_FLAGS);
  const pipe = new Socket({ fd: PIPE, readable: true, writable: true });
  pipe.on('close', die).on('error', die).on('end', die);
  const image = loadGuestImage(await readGuestImage(imageFile));
  serveHost({ pipe, image, firstHeapWords, die });
}

const [, , imageFile, firstHeapWords] = process.argv;
if (imageFile === undefined || firstHeapWords === undefined) throw new Error('usage: sandbox-host <guest image> <first heap words>');
void start(imageFile, Number(firstHeapWords));
