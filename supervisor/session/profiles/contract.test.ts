import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { PROFILE_LIMITS, PROFILES, describeProfile, profileDigest, profileNamed } from './contract.ts';

describe('the static contracts of the analysis profiles (cli.md §11, evidence.md §8)', () => {
  it('are four, each with a digest of its own that is in its description', () => {
    const digests = PROFILES.map(profileDigest);
    expect(new Set(digests).size).to.equal(4);
    for (const [index, profile] of PROFILES.entries())
      expect(describeProfile(profile).get('profile_digest')).to.equal(digests[index]);
  });

  it('have the fixed limits, which are within those that are installed', () => {
    expect(PROFILE_LIMITS).to.deep.equal({
      run_duration_ms: 1_800_000,
      evaluation_timeout_ms: 10_000,
      subordinate_evaluations: 64,
      subordinate_source_checks: 64,
      mission_capability_calls: 512,
      mission_capability_calls_per_name: 256,
      subordinate_source_bytes: 65_536,
      protocol_errors: 32,
      normal_event_count: 1408,
    });
    expect(effectiveLimits(PROFILE_LIMITS, {})).to.include({ ok: true });
  });

  it('differ in what may be read and asked', () => {
    const rows = PROFILES.map(({ id, resources, queries, components, mostRuns }) => [
      id,
      resources.map(({ name, accepts }) => `${name} ${accepts}`).join(', '),
      queries.join(' '),
      components.join(' '),
      mostRuns,
    ]);
    const whole = 'traces normal_and_private, inspection inspection';
    expect(rows).to.deep.equal([
      ['run-analysis-v1', 'traces normal', 'runs open read counters', 'cap analysis', null],
      ['private-run-analysis-v1', whole, 'runs open read', 'cap analysis', 16],
      ['private-run-analysis-v2', whole, 'runs open read counters', 'cap analysis prompt.audit', 16],
      ['private-run-catalog-v1', whole, 'catalog', 'cap analysis.catalog', null],
    ]);
  });

  it('hold no path', () => {
    for (const profile of PROFILES) expect(canonicalJson(describeProfile(profile))).to.not.match(/"\/|"\.\//);
    expect(profileNamed('run-analysis-v1').isPrivate).to.equal(false);
    expect(() => profileNamed('other')).to.throw('checked before');
  });
});
