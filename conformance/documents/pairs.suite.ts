import { expect } from 'chai';
import { runResident } from '../cli/resident/resident.ts';
import { executeAll, type Executed } from './executed.ts';
import { expectedError } from './expectations.ts';
import { pairs } from './pairs.ts';

/** Of two faults the one is told that documents.md §12 checks first, exactly as if it stood alone. */
describe('two faults at once', () => {
  const cases = pairs();
  let executed: readonly Promise<Executed>[] = [];
  before(() => {
    executed = executeAll(cases, {}, runResident);
  });

  for (const [index, { name, status, expected }] of cases.entries()) {
    it(name, async () => {
      const reported = await executed[index];
      if (reported === undefined || expected === null) throw new Error('the pair was not run');
      expect({ status: reported.status, error: reported.envelope['error'] }).to.deep.equal({
        status,
        error: expectedError(expected),
      });
      expect(reported.leaks, 'text of the author is shown').to.equal(false);
    });
  }
});
