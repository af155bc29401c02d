/**
 * Puts on record what became of each test, where `SVC_TEST_RECORD` names a file: one JSON line for each, added at its
 * end, so that several commands share a record. The mocharc files require this file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RootHookObject } from 'mocha';

const root = join(import.meta.dirname, '..');

export interface TestedLine {
  /** From the root of the project. */
  readonly file: string;
  /** Titles of its blocks and its own, with a space between them, as mocha tells it. */
  readonly title: string;
  readonly passed: boolean;
}

function isTestedLine(value: unknown): value is TestedLine {
  return typeof value === 'object' && value !== null && 'file' in value && 'title' in value && 'passed' in value;
}

/**
 * The lines of a record; of a test that ran again, the last. Throws for a file that is not there or that holds anything
 * else.
 */
export function readTestRecord(path: string): readonly TestedLine[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isTestedLine(value)) throw new Error(`not a line of a test record: ${line}`);
      return value;
    });
  return [...new Map(lines.map((line) => [`${line.file}\n${line.title}`, line])).values()];
}

export function recording(path: string): RootHookObject {
  return {
    afterEach(this: Mocha.Context) {
      const test = this.currentTest;
      if (test?.file === undefined) return;
      const line: TestedLine = {
        file: relative(root, test.file),
        title: test.fullTitle(),
        passed: test.state === 'passed',
      };
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
  };
}

const path = process.env['SVC_TEST_RECORD'];
export const mochaHooks: RootHookObject = path === undefined || path === '' ? {} : recording(path);
