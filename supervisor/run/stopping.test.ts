import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import type { FakeAnswers } from './testing/fake-sandbox.ts';
import { useRuns } from './testing/run-harness.ts';

describe('stopping (runtime.md §10)', () => {
  const runs = useRuns();

  for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
    it(`${signal} while the workflow runs: seals and publishes, exit ${status}`, async () => {
      const stop = new AbortController();
      const answers: FakeAnswers = {
        evaluate: () => {
          stop.abort(signal);
          return { status: 'cancelled' };
        },
      };
      const done = await runs.run({ answers, tools: { signal: stop.signal } });
      expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
      expect(done.envelope).to.have.nested.property('execution.state', 'incomplete');
      expect(done.envelope.artifact_class).to.equal('normal');
      expect(done.envelope.artifact_state.trace).to.equal('written');
      expect(done.exit).to.equal(status);
    });
  }

  it('before anything ran: unclassified, nothing reserved', async () => {
    const done = await runs.run({ tools: { signal: AbortSignal.abort('SIGINT') } });
    expect(done.envelope).to.deep.include({ artifact_class: 'unclassified', execution: { state: 'not_started' } });
    expect(done.exit).to.equal(130);
    expect(await readdir(runs.root)).to.deep.equal([]);
  });
});
