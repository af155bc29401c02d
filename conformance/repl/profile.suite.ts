import { expect } from 'chai';
import { repl } from './repl-program.ts';

const PROFILES = ['run-analysis-v1', 'private-run-analysis-v1', 'private-run-analysis-v2', 'private-run-catalog-v1'];

describe('repl --describe-profile (cli.md §11)', () => {
  for (const profile of PROFILES) {
    it(`tells the static contract of ${profile}, as one JSON line or for people`, async () => {
      const { status, stdout, stderr } = await repl({ argv: ['--describe-profile', profile, '--format', 'jsonl'] });
      expect([status, stderr, stdout.split('\n').length]).to.deep.equal([0, '', 2]);
      const line: unknown = JSON.parse(stdout);
      expect(line).to.include({ type: 'profile', schema_version: 1, profile_id: profile });
      expect(line)
        .to.have.property('profile_digest')
        .that.matches(/^sha256:[0-9a-f]{64}$/);
      const ended = await repl({ argv: ['--describe-profile', profile] });
      expect([ended.status, ended.stderr]).to.deep.equal([0, '']);
      expect(ended.stdout).to.include(`:profile_id "${profile}"`);
    });
  }

  it('refuses other ids without repeating them', async () => {
    const { status, stdout, stderr } = await repl({ argv: ['--describe-profile', 'run-analysis-v9'] });
    expect([status, stdout]).to.deep.equal([2, '']);
    expect(stderr)
      .to.match(/^error: arguments\/invalid_arguments: /)
      .and.not.include('v9');
  });
});
