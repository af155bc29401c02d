import { expect } from 'chai';
import { caseGroups } from './document-case.ts';
import { runResident } from '../cli/resident/resident.ts';
import { executeAll, type Executed } from './executed.ts';
import { EXPLANATION, REMARKS, expectedError, expectedFailureLine } from './expectations.ts';

/** Every fault of documents.md §13 from outside: code, phase, message, source, path, span, subject and status. */
for (const { file, about, cases } of caseGroups()) {
  describe(`${about} (${file})`, () => {
    let executed: readonly Promise<Executed>[] = [];
    before(() => {
      // The first of each group as a process of its own, which shows that it makes no difference.
      const [first, ...others] = cases;
      executed = [...executeAll(first === undefined ? [] : [first]), ...executeAll(others, {}, runResident)];
    });

    for (const [index, one] of cases.entries()) {
      const { name, status, expected } = one;
      it(name, async () => {
        const reported = await executed[index];
        if (reported === undefined) throw new Error('the case was not run');
        const { envelope, stderr } = reported;
        expect({ status: reported.status, error: envelope['error'] ?? null }).to.deep.equal({
          status,
          error: expected === null ? null : expectedError(expected),
        });
        expect(reported.touched, 'a command that fails, and validate, leave everything as it was').to.deep.equal([]);
        if (expected === null) {
          expect(stderr).to.match(REMARKS);
        } else {
          const line = expectedFailureLine(expected, envelope.run_ref, one);
          expect(stderr.slice(0, line.length)).to.equal(line);
          expect(stderr.slice(line.length)).to.match(EXPLANATION);
          expect(reported.leaks, 'text of the author is shown').to.equal(false);
        }
      });
    }
  });
}
