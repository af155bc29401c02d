import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** A worker of a pool (worker-thread.ts): does the tasks that it is sent, one after the other, with the default export of its file. */

/** What became of one task; answers come in the order of the tasks. */
export type TaskAnswer<Answer> = { readonly value: Answer } | { readonly error: unknown };

if (parentPort === null) throw new Error('this is a thread');
const port = parentPort;
const work: unknown = Reflect.get(Object(createRequire(import.meta.filename)(String(workerData))), 'default');
if (typeof work !== 'function') throw new TypeError('the file of a worker exports what does its tasks');
let last = Promise.resolve();
port.on('message', (task: unknown) => {
  last = last.then(async () => port.postMessage(await answerOf(task)));
});

async function answerOf(task: unknown): Promise<TaskAnswer<unknown>> {
  try {
    return { value: await Reflect.apply(Object(work), undefined, [task]) };
  } catch (error) {
    return { error: error instanceof Error ? new Error(error.message) : String(error) };
  }
}
