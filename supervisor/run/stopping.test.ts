import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import type { FakeAnswers } from './testing/fake-sandbox.ts';
import { manualClock, plainApplication } from './testing/run-fixture.ts';
import { useRuns } from './testing/run-harness.ts';

describe('stopping (runtime.md §10)', () => {
  const runs = useRuns();

  const reasons = [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
    ['the user closed the window', 130],
    [undefined, 130],
    [new Error('no longer wanted'), 130],
  ] as const;
  for (const [signal, status] of reasons) {
    it(`${signal} while the workflow runs: seals and publishes, exit ${status}`, async () => {
      const stop = new AbortController();
      const answers: FakeAnswers = {
        evaluate: () => {
          stop.abort(signal);
          return { status: 'cancelled' };
        },
      };
      const done = await runs.run({ answers, tools: { signal: stop.signal } });
      expect(done.envelope)
        .to.have.property('error')
        .that.includes({ code: 'internal_error', message: 'the command was interrupted' });
      expect(done.envelope).to.have.nested.property('execution.state', 'incomplete');
      expect(done.envelope.artifact_class).to.equal('normal');
      expect(done.envelope.artifact_state.trace).to.equal('written');
      expect(done.exit).to.equal(status);
    });
  }

  for (const [afterMs, code] of [
    [999, 'runtime_limit_exceeded'],
    [1000, 'run_timeout'],
  ] as const) {
    it(`an evaluation that a call ended ${afterMs} of 1000 ms into the run is ${code}`, async () => {
      const clock = manualClock();
      const fault = {
        reason: 'runtime_limit_exceeded',
        message: 'm',
        span: null,
        details: {},
        exception_class: null,
        public_error: null,
      };
      const answers: FakeAnswers = {
        evaluate: () => {
          clock.advance(afterMs);
          return { status: 'replied', reply: { outcome: 'evaluation_error', fault, prints: [] } };
        },
      };
      const done = await runs.run({
        answers,
        tools: { clock },
        application: plainApplication({}, { run_duration_ms: 1000 }),
      });
      expect(done.envelope).to.have.nested.property('error.code', code);
    });
  }

  it('before anything ran: unclassified, nothing reserved', async () => {
    const done = await runs.run({ tools: { signal: AbortSignal.abort('SIGINT') } });
    expect(done.envelope).to.deep.include({ artifact_class: 'unclassified', execution: { state: 'not_started' } });
    expect(done.envelope).to.have.nested.property('error.message', 'the command was interrupted');
    expect(done.exit).to.equal(130);
    expect(await readdir(runs.root)).to.deep.equal([]);
  });
});
