/** The floor of what isolates cost: those of isolated-vm with nothing in them, in two processes that do nothing else. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROCESSES = 2;

async function elapsedMs(what: 'inTurn' | 'waiting', count: number): Promise<number> {
  const children = Array.from({ length: PROCESSES }, () => fork(join(import.meta.dirname, 'bare-isolates-child.ts')));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const started = performance.now();
    await Promise.all(children.map((child) => {
      child.send({ what, count: count / PROCESSES });
      return once(child, 'message');
    }));
    return performance.now() - started;
  } finally {
    for (const child of children) child.kill();
  }
}

/** Bare isolates per second, made, asked for a value and ended, one after the other in each process. */
export async function bareRate(count: number): Promise<number> {
  return (count * 1000) / (await elapsedMs('inTurn', count));
}

/** Milliseconds until so many bare isolates have each waited a second in a call. */
export async function bareCrowdMs(count: number): Promise<number> {
  return elapsedMs('waiting', count);
}
