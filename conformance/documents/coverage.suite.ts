import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { casesByCode, CODES_BEFORE_EXECUTION, COVERAGE_FILE, coverageText, REASONS } from './coverage.ts';

describe('codes before execution', () => {
  it('each has a case or a reason, and no reason outlives its case', () => {
    const counts = casesByCode();
    for (const code of CODES_BEFORE_EXECUTION) {
      expect(counts.has(code) !== Object.hasOwn(REASONS, code), code).to.equal(true);
    }
  });

  it('the checked-in report is fresh (node conformance/documents/coverage.ts writes it)', () => {
    expect(readFileSync(COVERAGE_FILE, 'utf8')).to.equal(coverageText());
  });
});
