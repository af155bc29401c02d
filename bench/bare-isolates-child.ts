/** One of the processes of `bare-isolates.ts`: says that it is ready, then does what each message asks and says how long it took. */
import ivm from 'isolated-vm';

const WAIT_MS = 1000;

interface Bare {
  readonly isolate: ivm.Isolate;
  readonly context: ivm.Context;
}

/** Nothing in it, nothing around it: what no product that gives each run an isolate can undercut. */
function bare(): Bare {
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  return { isolate, context: isolate.createContextSync() };
}

async function inTurn(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { isolate, context } = bare();
    await context.eval('1 + 2');
    isolate.dispose();
  }
}

/** All made one after the other, each blocked for a second in a call of its program. */
async function waiting(count: number): Promise<void> {
  const ended: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { isolate, context } = bare();
    const wait = new ivm.Reference(() => new Promise((resolve) => { setTimeout(resolve, WAIT_MS, 1); }));
    ended.push(context.evalClosure('return $0.applySyncPromise(undefined, [])', [wait]).then(() => isolate.dispose()));
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  await Promise.all(ended);
}

process.on('message', (message: { readonly what: 'inTurn' | 'waiting'; readonly count: number }) => {
  const work = message.what === 'inTurn' ? inTurn : waiting;
  void work(message.count).then(() => process.send?.('done'));
});
process.send?.('ready');
