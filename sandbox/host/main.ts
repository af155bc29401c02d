/**
 * A sandbox host: a child process that holds isolates and nothing else. Started by the pool with an empty environment
 * and one pipe, file descriptor 3. It lives exactly as long as the pipe.
 */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { serveHost } from './serve.ts';
import { decodeGuestImage, loadGuestImage } from './snapshot.ts';

const PIPE = 3;

/** At once: node's own exit waits for isolates to stop, and one that spins never does. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

async function start(imageFile: string, firstHeapWords: number): Promise<void> {
  const pipe = new Socket({ fd: PIPE, readable: true, writable: true });
  pipe.on('close', die).on('error', die).on('end', die);
  const image = loadGuestImage(await decodeGuestImage(readFileSync(imageFile)));
  serveHost({ pipe, image, firstHeapWords, die });
}

const [, , imageFile, firstHeapWords] = process.argv;
if (imageFile === undefined || firstHeapWords === undefined) throw new Error('usage: sandbox-host <guest image> <first heap words>');
void start(imageFile, Number(firstHeapWords));
