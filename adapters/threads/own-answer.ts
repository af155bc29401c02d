import type { TaskEnd } from './task-pool.ts';

/** What a task came to; `own` gives null for an answer to another kind of task, which is a bug of the worker. */
export function ownAnswer<Answer, T>(
  end: TaskEnd<Answer>,
  own: (answer: Answer) => { readonly value: T } | null,
): TaskEnd<T> {
  if (end.kind !== 'done') return end;
  const found = own(end.value);
  return found === null
    ? { kind: 'threw', error: new TypeError('a worker answers what it was asked') }
    : { kind: 'done', value: found.value };
}
