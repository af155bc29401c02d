import { expect } from 'chai';
import { digestOf } from './fingerprint.ts';
import { refusalKey, rejectionFacts } from './rejection.ts';

describe('reasons in a trace (evidence.md §4)', () => {
  const unknown = digestOf('capability-reason:made_up');

  it('listed words are clear, others fingerprinted, what is no word is left out', () => {
    expect(rejectionFacts('provider_error', 'rate_limited')).to.deep.equal({
      kind: 'provider_error',
      reason: 'rate_limited',
    });
    expect(rejectionFacts('protocol_error', 'invalid_kernel_eval_request')).to.deep.equal({
      kind: 'protocol_error',
      reason: 'invalid_kernel_eval_request',
    });
    expect(rejectionFacts('provider_error', 'made_up')).to.deep.equal({
      kind: 'provider_error',
      reason_fingerprint: unknown,
    });
    expect(rejectionFacts('my kind', 'Secret text')).to.deep.equal({});
  });

  it('keys of refusals are made of the same', () => {
    expect(refusalKey('mission', 'limit_exceeded', 'capability_quota')).to.equal(
      'mission/limit_exceeded/capability_quota',
    );
    expect(refusalKey('workflow', 'provider_error', 'made_up')).to.equal(`workflow/provider_error/${unknown}`);
    expect(refusalKey('workflow', '', 'x y')).to.equal('workflow/unknown/unknown');
  });
});
