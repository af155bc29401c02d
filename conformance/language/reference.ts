/** Real Clojure as a process: programs in, what they gave out. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The form that `oracle.clj` reads: one ASCII line. */
export function inputLine(source: string): string {
  const text = JSON.stringify(source).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `{"source":${text}}\n`;
}

/** Where Debian's package puts it. Without the flag the JVM drops messages of exceptions that come often. */
const COMMAND = ['-XX:-OmitStackTraceInFastThrow', '-cp', '/usr/share/java/clojure.jar', 'clojure.main'];

/** Answers in the order of the sources. Throws when the reference ends early. */
export async function askReference(sources: readonly string[]): Promise<unknown[]> {
  const child = spawn('java', [...COMMAND, join(import.meta.dirname, 'oracle.clj')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(sources.map(inputLine).join(''));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
  if (answers.length !== sources.length) throw new Error(`the reference answered ${answers.length} of ${sources.length} programs`);
  return answers;
}
