/** Real Clojure as a process: programs in, what they gave out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The form that `oracle.clj` reads: one ASCII line. */
function inputLine(source: string): string {
  const text = JSON.stringify(source).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `{"source":${text}}\n`;
}

/**
 * Real Clojure where Debian's package puts it. Without the first flag the JVM drops messages of exceptions that come
 * often; the next two suit programs that run once.
 */
export const JAVA_ARGUMENTS = [
  '-XX:-OmitStackTraceInFastThrow',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-cp',
  '/usr/share/java/clojure.jar',
  'clojure.main',
] as const;

export interface Reference {
  /**
   * Answers in the order of the sources; may be asked again before it answered. Rejects when the reference ends early.
   */
  ask(sources: readonly string[]): Promise<unknown[]>;
  close(): Promise<void>;
}

/** One process that answers many times. */
export function startReference(): Reference {
  const child = spawn('java', [...JAVA_ARGUMENTS, join(import.meta.dirname, 'oracle.clj')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (count: number): Promise<unknown[]> => {
    const answers: unknown[] = [];
    while (answers.length < count) {
      const line = await lines.next();
      if (line.done === true) throw new Error(`the reference answered ${answers.length} of ${count} programs`);
      answers.push(JSON.parse(line.value));
    }
    return answers;
  };
  let before: Promise<unknown> = Promise.resolve();
  return {
    ask(sources) {
      child.stdin.write(sources.map(inputLine).join(''));
      const answers = before.then(() => read(sources.length));
      before = answers;
      return answers;
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
