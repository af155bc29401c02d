import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../contract/limits/catalogue.ts';
import { FAULT_ROWS, LIMIT_ROWS } from './matrix.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('which test holds which row of runtime.md', () => {
  for (const [table, rows] of [['§14', FAULT_ROWS], ['§9', LIMIT_ROWS]] as const) {
    for (const { row, tests, open } of rows) {
      it(`${table} ${row}${open === undefined ? '' : ` (open: ${open})`}`, () => {
        expect(Object.keys(tests).length + (open === undefined ? 0 : 1), 'a test, or why there is none').to.be.greaterThan(0);
        for (const [file, titles] of Object.entries(tests)) {
          const text = readFileSync(join(ROOT, file), 'utf8');
          for (const title of titles) expect(text.includes(title), `${file} has: ${title}`).to.equal(true);
        }
      });
    }
  }

  it('§9 has a row for every limit there is', () => {
    const named = new Set(LIMIT_ROWS.flatMap(({ row }) => row.split(', ')));
    expect(LIMITS.map(({ name }) => name).filter((name) => !named.has(name))).to.deep.equal([]);
  });
});
