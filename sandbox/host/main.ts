/**
 * A sandbox host: a child process that holds isolates and nothing else. Started by the pool with an empty environment
 * and one pipe, file descriptor 3. It lives exactly as long as the pipe.
 */
import { setFlagsFromString } from 'node:v8';
import { loadGuestImage, readGuestImage } from './snapshot.ts';
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

async function start(imageFile: string, firstHeapWords: number): Promise<void> {
  setFlagsFromString(V8_FLAGS);
  const image = loadGuestImage(await readGuestImage(imageFile));
  const first = makeSpare(image, firstHeapWords);
  // Read while that isolate's thread makes its context: 3 ms of a start.
  const { serveHost } = await import('./serve.ts');
  serveHost({ descriptor: PIPE, image, first, die });
}

const [, , imageFile, firstHeapWords] = process.argv;
if (imageFile === undefined || firstHeapWords === undefined) throw new Error('usage: sandbox-host <guest image> <first heap words>');
void start(imageFile, Number(firstHeapWords));
