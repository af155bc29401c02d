import { threadId } from 'node:worker_threads';

/** A worker's task, by what it shows of a pool. */
export type TestTask = 'thread' | 'endless' | 'memory' | 'wrong';

/** The thread that a task ran in. */
export default function work(task: TestTask): number {
  switch (task) {
    case 'thread':
      return threadId;
    case 'endless':
      for (;;);
    case 'memory':
      return eaten();
    case 'wrong':
      throw new RangeError('wrong');
  }
}

function eaten(): number {
  const acquired: unknown[] = [];
  for (;;) acquired.push({ held: [acquired.length] });
}
