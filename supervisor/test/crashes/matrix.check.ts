/**
 * Holds the tables of matrix.ts against the record of what ran (`make test`): each row against every test that it
 * names, each of which has to have run and passed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { parseExpectedFailures } from '../../../scripts/expected-failures.ts';
import { readTestRecord, type TestedLine } from '../../../scripts/test-record.ts';
import { FAULT_ROWS, LIMIT_ROWS } from './matrix.ts';
import { SUPERVISOR_ROWS } from './supervisor-rows.ts';

const path = process.env['SVC_TEST_RECORD'];
if (path === undefined || path === '') throw new Error('what ran is not on record: this belongs to make test');
const record = Map.groupBy(readTestRecord(path), ({ file }) => file);
const excused = parseExpectedFailures(
  readFileSync(join(import.meta.dirname, '../../../conformance/expected-failures.json'), 'utf8'),
);

/** Whether a title has the words of a row, in order. */
function hasWords(title: string, words: string): boolean {
  let from = 0;
  return words.split('…').every((part) => {
    const at = title.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** A test that is expected to fail holds nothing. */
function holds({ file, title, passed }: TestedLine): boolean {
  return passed && excused[file]?.[title] === undefined;
}

describe('which tests that ran hold which row of the tables of faults and limits', () => {
  for (const [table, rows] of [
    ['runtime.md §14', FAULT_ROWS],
    ['runtime.md §9', LIMIT_ROWS],
    ['gateway.md §20', SUPERVISOR_ROWS],
  ] as const) {
    for (const { row, tests, open } of rows) {
      it(`${table} ${row}${open === undefined ? '' : ` (open: ${open})`}`, () => {
        expect(
          Object.keys(tests).length + (open === undefined ? 0 : 1),
          'a test, or why there is none',
        ).to.be.greaterThan(0);
        for (const [file, titles] of Object.entries(tests)) {
          for (const words of titles) {
            const named = (record.get(file) ?? []).filter(({ title }) => hasWords(title, words));
            expect(named, `${file} ran: ${words}`).to.not.deep.equal([]);
            expect(
              named.filter((test) => !holds(test)),
              `${file} passed: ${words}`,
            ).to.deep.equal([]);
          }
        }
      });
    }
  }

  it('§9 has a row for every limit there is', () => {
    const named = new Set(LIMIT_ROWS.flatMap(({ row }) => row.split(', ')));
    expect(LIMITS.map(({ name }) => name).filter((name) => !named.has(name))).to.deep.equal([]);
  });
});
