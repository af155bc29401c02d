/** The checks of a checkout of the public Clojure test suite that hold in real Clojure, each as a program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { JAVA_ARGUMENTS, type Reference } from '../../../conformance/language/reference.ts';

export interface Check {
  /** `core_test/inc/test-inc/DIGEST`: file, form and a digest of what is checked. */
  readonly id: string;
  /** What is checked, as it prints. */
  readonly check: string;
  /** `true` for a check that demands an exception. */
  readonly raises: 'true' | 'false';
  /** Gives a vector of `:pass`, `:fail` or `:error`, one for each time that the check is reached. */
  readonly program: string;
}

function isCheck(value: unknown): value is Check {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'check' in value &&
    'raises' in value &&
    'program' in value
  );
}

/** Programs in which a check stands alone, or amid the others of its form, which then are evaluated too. */
async function programs(checkout: string, variant: 'alone' | 'amid', wanted: readonly string[]): Promise<Check[]> {
  const child = spawn('java', [...JAVA_ARGUMENTS, join(import.meta.dirname, 'programs.clj'), checkout, variant], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  child.stdin.end(wanted.map((id) => `${id}\n`).join(''));
  const printed = await text(child.stdout);
  await closed;
  if (child.exitCode !== 0) throw new Error(`programs.clj ended with status ${child.exitCode}`);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const check: unknown = JSON.parse(line);
      if (!isCheck(check)) throw new Error('programs.clj printed something else than checks');
      return check;
    });
}

/** Whether a check was reached, and held each time. */
export function holds(value: unknown): boolean {
  return typeof value === 'string' && /^\[:pass(?: :pass)*\]$/.test(value);
}

async function passingChecks(reference: Reference, checks: readonly Check[]): Promise<Check[]> {
  const answers = await reference.ask(checks.map(({ program }) => program));
  return checks.filter((_, index) => {
    const answer = answers[index];
    return typeof answer === 'object' && answer !== null && 'value' in answer && holds(answer.value);
  });
}

/**
 * How many checks a checkout has, and those that hold in the reference: alone or, where they need what is done by the
 * checks before them, amid these. Rejects when the checkout cannot be read.
 */
export async function readChecks(
  checkout: string,
  reference: Reference,
): Promise<{ readonly all: number; readonly holding: readonly Check[] }> {
  const alone = await programs(checkout, 'alone', []);
  const holding = await passingChecks(reference, alone);
  const known = new Set(holding.map(({ id }) => id));
  const others = alone.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const amid = others.length === 0 ? [] : await passingChecks(reference, await programs(checkout, 'amid', others));
  return { all: alone.length, holding: [...holding, ...amid] };
}
