/**
 * One of the processes of `bare-isolates.ts`: says that it is ready, then does what each message asks and says when it
 * is done.
 */
import ivm from 'isolated-vm';

const WAIT_MS = 1000;

export interface IsolateOrder {
  readonly what: 'inTurn' | 'waiting';
  readonly count: number;
}

interface Bare {
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
}

/** Nothing in it, nothing around it: what no product that gives each run an isolate can undercut. */
function bare(): Bare {
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  return { isolate, context: isolate.createContextSync() };
}

async function inTurn(count: number): Promise<number> {
  for (let index = 0; index < count; index += 1) {
    const { isolate, context } = bare();
    await context.eval('1 + 2');
    isolate.dispose();
  }
  return NaN;
}

/**
 * All made one after the other, each blocked for a second in a call of its program. Resident bytes more when all were
 * made.
 */
async function waiting(count: number): Promise<number> {
  const before = process.memoryUsage.rss();
  const ended: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { isolate, context } = bare();
    const wait = new ivm.Reference(
      () =>
        new Promise((resolve) => {
          setTimeout(resolve, WAIT_MS, 1);
        }),
    );
    ended.push(context.evalClosure('return $0.applySyncPromise(undefined, [])', [wait]).then(() => isolate.dispose()));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const grown = process.memoryUsage.rss() - before;
  await Promise.all(ended);
  return grown;
}

process.on('message', (message: IsolateOrder) => {
  const work = message.what === 'inTurn' ? inTurn : waiting;
  void work(message.count).then((grown) => process.send?.(grown));
});
process.send?.('ready');
