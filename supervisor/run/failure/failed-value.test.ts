import { expect } from 'chai';
import type { WorkflowEnd } from '../workflow-end.ts';
import { describeFailedValue } from './failed-value.ts';

const LIMIT = 20;
const failed = (json: string | null) => describeFailedValue({ kind: 'failed', json }, LIMIT);
const branch = (reason: string, failure: unknown): WorkflowEnd => ({
  kind: 'evaluation_error',
  fault: { reason, message: 'm', span: null, details: { failure }, exception_class: null, public_error: null },
});

describe('what a workflow failed with (runtime.md §7, §8)', () => {
  it('is read up to its limit in bytes, and not one further', async () => {
    expect(await failed(`"${'x'.repeat(18)}"`)).to.deep.equal({ state: 'readable', value: 'x'.repeat(18) });
    expect(await failed(`"${'x'.repeat(19)}"`)).to.deep.equal({ state: 'too_large' });
    expect(await failed(`"${'ä'.repeat(9)}"`)).to.deep.equal({ state: 'readable', value: 'ä'.repeat(9) });
    expect(await failed(`"${'ä'.repeat(10)}"`)).to.deep.equal({ state: 'too_large' });
  });

  it('has a form that can be published, or none', async () => {
    for (const json of [null, '', '{"a"', '[1] 2', '"\\ud800"'])
      expect(await failed(json), String(json)).to.deep.equal({ state: 'not_representable' });
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(await describeFailedValue({ kind: 'failed', json: nested(500) }, 2000)).to.include({ state: 'readable' });
    expect(await describeFailedValue({ kind: 'failed', json: nested(501) }, 2000)).to.include({
      state: 'not_representable',
    });
  });

  it('is kept of a parallel branch, and of nothing else', async () => {
    for (const reason of ['pmap_error', 'pcalls_error'])
      expect(await describeFailedValue(branch(reason, '7'), LIMIT)).to.deep.equal({ state: 'readable', value: 7 });
    expect(await describeFailedValue(branch('type_error', '7'), LIMIT)).to.equal(null);
    expect(await describeFailedValue(branch('pmap_error', 7), LIMIT)).to.equal(null);
    expect(await describeFailedValue({ kind: 'value', json: '7' }, LIMIT)).to.equal(null);
  });
});
