/**
 * Tests of conformance that a program is known to fail, each with its reason: `conformance/expected-failures.json`, or
 * the file that `SVC_EXPECTED_FAILURES` names for another program. A test on the list is right when it fails. The list
 * itself fails when it is stale: when a test on it passes, or is not there. `conformance/.mocharc.json` requires this
 * file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { RootHookObject } from 'mocha';

/** By file, from the root of the project, and within it by full title: why the test fails. */
export type ExpectedFailures = Readonly<Record<string, Readonly<Record<string, string>>>>;

function isOfTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string' && text.trim() !== '')
  );
}

/** Throws unless every file has titles, and every title a reason. */
export function parseExpectedFailures(text: string): ExpectedFailures {
  const value: unknown = JSON.parse(text);
  const isList = (list: unknown): list is ExpectedFailures =>
    typeof list === 'object' && list !== null && !Array.isArray(list) && Object.values(list).every(isOfTexts);
  if (!isList(value)) throw new Error('expected failures: not an object of files, titles and reasons');
  return value;
}

function testsOf(suite: Mocha.Suite): readonly Mocha.Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

/** Listed tests that do not exist, or not once; of files that this command did not load, those that are not there. */
function missing(root: string, listed: ExpectedFailures, tests: readonly Mocha.Test[]): readonly string[] {
  const loaded = Map.groupBy(tests, ({ file = '' }) => relative(root, file));
  return Object.entries(listed).flatMap(([file, titles]) => {
    const there = loaded.get(file);
    if (there === undefined) return existsSync(join(root, file)) ? [] : [`${file} is not there`];
    return Object.keys(titles).flatMap((title) => {
      const count = there.filter((test) => test.fullTitle() === title).length;
      return count === 1 ? [] : [`${file} has ${count} tests of this title: ${title}`];
    });
  });
}

/**
 * Root hooks that turn the end of listed tests round. A test that does not end in its time is a failure all the same.
 */
export function expecting(root: string, listed: ExpectedFailures): RootHookObject {
  return {
    beforeAll(this: Mocha.Context) {
      let suite = this.test?.parent;
      while (suite?.parent !== undefined) suite = suite.parent;
      const complaints = missing(root, listed, suite === undefined ? [] : testsOf(suite));
      if (complaints.length > 0) throw new Error(`the expected failures are stale:\n${complaints.join('\n')}`);
    },
    beforeEach(this: Mocha.Context) {
      const test = this.currentTest;
      const reason = listed[relative(root, test?.file ?? '')]?.[test?.fullTitle() ?? ''];
      const run = test?.fn;
      if (test === undefined || reason === undefined || run === undefined) return;
      test.fn = async function expectFailure(this: Mocha.Context): Promise<void> {
        const failed = await Promise.resolve()
          .then(() => Reflect.apply(run, this, []))
          .then(
            () => false,
            () => true,
          );
        if (!failed) throw new Error(`passes, and is on the list of expected failures: ${reason}`);
        process.stdout.write(`    expected to fail: ${reason}\n`);
      };
    },
  };
}

const project = join(import.meta.dirname, '..');
const named = process.env['SVC_EXPECTED_FAILURES'];
const file = named === undefined || named === '' ? join(project, 'conformance/expected-failures.json') : resolve(named);

export const mochaHooks: RootHookObject = expecting(project, parseExpectedFailures(readFileSync(file, 'utf8')));
