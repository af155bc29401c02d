import type { Post } from './endpoint.ts';
import { callHeader } from './messages.ts';

/** The calling side of the `host` channel: lets out calls, takes in exactly one answer for each. */
export interface MethodCalls {
  /**
   * Settles with the answer's text; never rejects, and never settles when no answer comes. `body`: the last argument.
   * `onAnswer` is told it before anything that came after it is looked at.
   */
  call(method: string, texts: readonly string[], body: string, onAnswer?: (answer: string) => void): Promise<string>;
  /** Takes one answer; false: no call waits for it. */
  receive(id: string, answer: string): boolean;
}

/** Without comlink, which asks every call that waits about every answer: a process of 128 isolates has as many of them. */
export function createMethodCalls(post: Post): MethodCalls {
  const awaited = new Map<string, (answer: string) => void>();
  let made = 0;
  return {
    call(method, texts, body, onAnswer) {
      return new Promise((resolve) => {
        const id = String(++made);
        awaited.set(id, (answer) => {
          onAnswer?.(answer);
          resolve(answer);
        });
        post(callHeader({ id, method, arguments: texts }), body);
      });
    },
    receive(id, answer) {
      const settle = awaited.get(id);
      if (settle === undefined) return false;
      awaited.delete(id);
      settle(answer);
      return true;
    },
  };
}
