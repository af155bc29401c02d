import { expect } from 'chai';
import { validText } from './valid-text.ts';

describe('the text of svc validate at a terminal (first-day.md §1)', () => {
  it('says valid, and each digest on a line', () => {
    const text = validText(
      {
        application_content_digest: 'sha256:a',
        effective_application_digest: 'sha256:b',
        installation_config_digests: { llm: 'sha256:e' },
        workflow_bundle_hash: 'c',
        mission_bundle_hashes: { reader: 'd', bare: null },
        mission_grants: {},
        provider_activity: false,
      },
      { colour: false, width: 80 },
    );
    expect(text).to.equal(
      [
        'valid',
        '  application            sha256:a',
        '  effective application  sha256:b',
        '  workflow               c',
        '  mission reader         d',
        '  mission bare           no components',
        '  installation llm       sha256:e',
        '',
      ].join('\n'),
    );
  });
});
