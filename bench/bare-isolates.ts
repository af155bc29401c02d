/**
 * The floor of what isolates cost: those of isolated-vm with nothing in them, in two processes that do nothing else.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { IsolateOrder } from './bare-isolates-child.ts';

const PROCESSES = 2;

export interface BareIsolates {
  /** Until the last has ended. */
  readonly wallMs: number;
  /** 99th percentile of how late the event loop of this process was meanwhile, which had nothing to do. */
  readonly lateMs: number;
  /** Resident memory of each, while all waited; NaN of those that did not. */
  readonly bytesEach: number;
}

async function measured(what: IsolateOrder['what'], count: number): Promise<BareIsolates> {
  const children = Array.from({ length: PROCESSES }, () => fork(join(import.meta.dirname, 'bare-isolates-child.ts')));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    delay.enable();
    const started = performance.now();
    const bytes = await Promise.all(
      children.map(async (child): Promise<number> => {
        child.send({ what, count: count / PROCESSES } satisfies IsolateOrder);
        const [grown]: number[] = await once(child, 'message');
        return grown ?? NaN;
      }),
    );
    return {
      wallMs: performance.now() - started,
      lateMs: delay.percentile(99) / 1e6,
      bytesEach: bytes.reduce((sum, grown) => sum + grown, 0) / count,
    };
  } finally {
    delay.disable();
    for (const child of children) child.kill();
  }
}

/** Made, asked for a value and ended, one after the other in each process. */
export async function bareInTurn(count: number): Promise<BareIsolates> {
  return measured('inTurn', count);
}

/** All at once, each waiting a second in a call. */
export async function bareCrowd(count: number): Promise<BareIsolates> {
  return measured('waiting', count);
}
