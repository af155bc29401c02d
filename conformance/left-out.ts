/**
 * Tests that this machine cannot run. They are left out, and reported with the reason: on stderr, or at the end of
 * `make test`, where `SVC_TEST_LEFT_OUT` names the file that collects them. Where `SVC_TEST_EVERYTHING` is 1, each of
 * them fails instead.
 */
import { appendFileSync } from 'node:fs';

/** Something that tests need and a machine may lack. */
export interface Need {
  readonly isMet: boolean;
  /** What is missing, and what would bring it: `zsh (Debian package zsh)`. */
  readonly what: string;
  /** Whether it cannot be installed everywhere, so that a machine that tests everything may lack it, too. */
  readonly isOptional?: true;
}

/** Records tests that cannot run here; for those whose need is a value that they take. */
export function leaveOut(title: string, { what, isOptional }: Pick<Need, 'what' | 'isOptional'>): void {
  if (process.env['SVC_TEST_EVERYTHING'] === '1' && isOptional !== true) {
    it(title, () => {
      throw new Error(`this machine lacks ${what}, and may not leave the test out`);
    });
    return;
  }
  const path = process.env['SVC_TEST_LEFT_OUT'];
  const line = `${title}: this machine lacks ${what}\n`;
  if (path === undefined || path === '') process.stderr.write(`left out: ${line}`);
  else appendFileSync(path, line);
}

/** A test that runs where its need is met. */
export function itWhere(need: Need, title: string, work: Mocha.Func | Mocha.AsyncFunc): void {
  if (need.isMet) it(title, work);
  else leaveOut(title, need);
}

/** A block of tests that run where their need is met. */
export function describeWhere(need: Need, title: string, work: () => void): void {
  if (need.isMet) describe(title, work);
  else leaveOut(title, need);
}
