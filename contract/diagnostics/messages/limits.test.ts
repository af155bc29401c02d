import { expect } from 'chai';
import { effectiveLimits, type DecidedLimits, type WrittenLimits } from '../../limits/effective.ts';
import { limitRemedy, limitText } from './limits.ts';

function decided(manifest: WrittenLimits, host: WrittenLimits = {}): DecidedLimits {
  const limits = effectiveLimits(manifest, host);
  if (!limits.ok) throw new Error('within their ceilings');
  return limits;
}

describe('words about a limit', () => {
  it('say its value and who set it', () => {
    expect(limitText('run_duration_ms', decided({}))).to.equal('run_duration_ms is 30000 ms, the default');
    expect(limitText('run_duration_ms', decided({}, { run_duration_ms: 5 }))).to.equal(
      'run_duration_ms is 5 ms, set by the host document',
    );
    expect(limitText('workflow_capability_calls', decided({ workflow_capability_calls: 7 }))).to.equal(
      'workflow_capability_calls is 7, set by the manifest',
    );
    expect(limitText('llm_total_tokens', decided({}))).to.equal('llm_total_tokens is off, the default');
  });

  it('say where more of it is asked for', () => {
    expect(limitRemedy(['run_duration_ms'], decided({}), 'do less')).to.equal(
      'do less, or raise limits.run_duration_ms (at most 1800000) in the manifest',
    );
    expect(limitRemedy(['workflow_heap_words'], decided({}))).to.equal(
      'keep less in memory at once, or raise limits.workflow_heap_words in the host document, then in the manifest',
    );
    expect(limitRemedy(['run_duration_ms'], decided({}, { run_duration_ms: 9 }), 'do less')).to.equal(
      'do less, or raise limits.run_duration_ms in the host document',
    );
  });

  it('name all that are in the way', () => {
    expect(
      limitRemedy(['run_duration_ms', 'workflow_timeout_ms'], decided({}, { workflow_timeout_ms: 9 }), 'do less'),
    ).to.equal(
      'do less, or raise limits.run_duration_ms (at most 1800000) in the manifest; raise limits.workflow_timeout_ms in the host document',
    );
  });
});
