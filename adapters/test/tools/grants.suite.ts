import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CERTIFICATES } from '../../../conformance/servers/http/listen.ts';

const CHILD = join(import.meta.dirname, 'grants-child.ts');
const SUNNY = { status: 'ok', value: { text: ['sunny'] } };
const required = {
  code: 'authorization_required',
  phase: 'active_preflight',
  retryable: false,
  operation: 'authorization',
  occurrence: null,
  activity: false,
};
const unavailable = { ...required, code: 'authorization_unavailable', retryable: true };
const refused = (code: string): object => ({ kind: 'refused', code });

/** A scene in a process of its own, which trusts the authority of the tests. */
async function scene(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, name], {
    env: { ...process.env, SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') },
  });
  return JSON.parse(stdout);
}

describe('grants that a calling program keeps (providers.md §9, "Store"; docs/guides/embedding.md)', () => {
  it('serve the runs of the person who granted, and those of another supervisor later, and nobody else', async () => {
    const { before, granted, own, later, strangers, files, isReadable } = await scene('kept');
    expect({ before, granted, own, later }).to.deep.equal({
      before: required,
      granted: { kind: 'granted' },
      own: SUNNY,
      later: SUNNY,
    });
    expect(strangers).to.deep.equal([required, required, required]);
    expect({ files, isReadable }).to.deep.equal({ files: 1, isReadable: false });
  });

  it('are refreshed once for all runs that need it, and kept with what came', async () => {
    const { granted, values, forms } = await scene('refreshed');
    expect({ granted, values, forms }).to.deep.equal({
      granted: { kind: 'granted' },
      values: [SUNNY, SUNNY, SUNNY],
      forms: ['authorization_code', 'refresh_token'],
    });
  });

  it('are of a client with a secret, which is asked for as every credential is', async () => {
    expect(await scene('confidential')).to.deep.equal({
      granted: { kind: 'granted' },
      value: SUNNY,
      asked: ['a key desk', 'a key desk'],
      without: refused('credential_unavailable'),
    });
  });

  it('are not missing but unavailable where the store rejects or never answers, before anybody is asked', async () => {
    expect(await scene('unavailable')).to.deep.equal({
      run: unavailable,
      authorised: refused('authorization_unavailable'),
      silent: unavailable,
      seen: 0,
    });
  });

  it('are unavailable where the store fails while a server is opened or called, or cannot keep what was granted', async () => {
    const opened = { ...unavailable, occurrence: { destination: 'mission', index: 0 }, activity: true };
    const call = {
      status: 'error',
      kind: 'provider_error',
      reason: 'unavailable',
      details: 'mcp_authorization_unavailable',
      'retryable?': true,
    };
    expect(await scene('lost')).to.deep.equal({
      opening: [opened, opened],
      call,
      unwritten: refused('authorization_unavailable'),
    });
  });

  it('are not asked for where nobody could use them, and come back by the registered address alone', async () => {
    const { wrong, answers, withoutStore } = await scene('refused');
    expect(wrong).to.deep.equal([refused('authorization_rejected'), refused('authorization_unavailable')]);
    expect(answers).to.deep.equal(
      ['authorization_target_unknown', 'authorization_unavailable', 'tenant_unknown', 'prepared_stale', 'draining'].map(
        refused,
      ),
    );
    expect(withoutStore).to.equal('TypeError');
  });
});
