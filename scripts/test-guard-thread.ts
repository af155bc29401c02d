/** The thread of `test-guard.ts`: ends the process once the tests' thread has not been free for too long. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { GuardMemory } from './test-guard.ts';

const { beats, title, blockedMs }: GuardMemory = workerData;
let seen = -1;

setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now === seen) {
    const name = new TextDecoder().decode(title.slice()).replace(/\0+$/, '');
    writeSync(2, `\na test never gave the thread back, and the tests are stopped: ${name}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
  seen = now;
}, blockedMs);
