import { expect } from 'chai';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { FakeAnswers } from './testing/fake-sandbox.ts';
import { plainApplication } from './testing/run-fixture.ts';
import { faulted, useRuns } from './testing/run-harness.ts';

describe('private runs (runtime.md §12)', () => {
  const runs = useRuns();

  const secret = plainApplication({ artifactClass: 'private' });

  it('withhold the value, and write it for the owner only', async () => {
    const done = await runs.run({ application: secret });
    expect(done.envelope).to.deep.include({ result: { result_class: 'private' }, artifact_class: 'private' });
    expect(done.valueText).to.equal(null);
    const file = `${runs.root}/.svc/results/${done.runRef}.private.json`;
    expect(await readFile(file, 'utf8')).to.equal('{"greeting":"hello world"}');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await runs.traceOf(done, '.private.jsonl')).length).to.equal(4);
    expect(await runs.leftovers()).to.deep.equal([]);
  });

  it('say no more than the code of a failure', async () => {
    const done = await runs.run({
      application: secret,
      answers: faulted('arithmetic_error', { public_error: { kind: 'arithmetic_error', message: 'division by zero' } }),
    });
    expect(done.envelope).to.have.nested.property('error.code', 'workflow_failed');
    expect(done.envelope).to.have.nested.property('error.message', 'the workflow failed');
    expect(done.exit).to.equal(5);
    expect(done.envelope).to.have.nested.property('execution.last_evaluation_error', null);
    expect(await runs.leftovers()).to.deep.equal([]);
  });

  it('fail when an event is lost', async () => {
    const done = await runs.run({
      application: plainApplication({ artifactClass: 'private' }, { normal_event_count: 3 }),
    });
    expect(done.envelope).to.have.nested.property('error.code', 'event_capture_limit_exceeded');
    expect(done.envelope.artifact_state).to.deep.equal({
      trace: 'not_written',
      inspection: 'not_requested',
      result: 'not_written',
    });
    expect(done.exit).to.equal(7);
    expect(await runs.leftovers()).to.deep.equal([]);
  });

  it('keep the value in recovery when the target is taken meanwhile', async () => {
    const target = `${runs.root}/value.json`;
    const answers: FakeAnswers = {
      evaluate: async () => {
        await writeFile(target, 'foreign');
        return { status: 'replied', reply: { outcome: 'continued', value: '1', projection_fault: null, prints: [] } };
      },
    };
    const done = await runs.run({
      application: secret,
      answers,
      request: () => ({
        project: null,
        explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: target },
      }),
    });
    expect(done.envelope).to.have.nested.property('error.code', 'destination_collision');
    expect(done.envelope.artifact_state.result).to.equal('recovery_written');
    expect(await readFile(target, 'utf8')).to.equal('foreign');
    expect(await readFile(`${runs.root}/.svc-private-result-${done.runRef}.json`, 'utf8')).to.equal('1');
  });
});
