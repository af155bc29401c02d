import { expect } from 'chai';
import type { Secret, SecretProvider } from './interface.ts';
import { createMemorySecrets, resolveSecret } from './secrets.ts';

const QUERY = { tenant: 'acme', binding: 'key', installation: 'model', purpose: 'api_key' };
const answering = (answer: unknown): SecretProvider => ({
  resolve: async (): Promise<Secret> => JSON.parse(JSON.stringify(answer)),
});

describe('credentials of tenants', () => {
  it('gives those of the tenant that asks, and of no other', async () => {
    const provider = createMemorySecrets(
      new Map([
        ['acme', { key: 'one' }],
        ['other', { token: 'two' }],
      ]),
    );
    expect(await resolveSecret(provider, QUERY)).to.deep.equal({ value: 'one', version: '1' });
    expect(await resolveSecret(provider, { ...QUERY, tenant: 'other' })).to.equal(null);
    expect(await resolveSecret(provider, { ...QUERY, tenant: 'nobody' })).to.equal(null);
    expect(await resolveSecret(provider, { ...QUERY, binding: 'constructor' })).to.equal(null);
  });

  it('holds none past its end', async () => {
    const provider = answering({ value: 'v', version: '1', expiresAt: 1000 });
    expect(await resolveSecret(provider, QUERY, { now: () => 999 })).to.include({ value: 'v' });
    expect(await resolveSecret(provider, QUERY, { now: () => 1000 })).to.equal(null);
  });

  for (const answer of [
    null,
    'v',
    {},
    { value: '', version: '1' },
    { value: 1, version: '1' },
    { value: 'v' },
    { value: 'v', version: '1', expiresAt: 'soon' },
    { value: 'v'.repeat(65_537), version: '1' },
  ]) {
    it(`takes ${JSON.stringify(answer).slice(0, 40)} for none`, async () => {
      expect(await resolveSecret(answering(answer), QUERY)).to.equal(null);
    });
  }

  it('takes one who throws, rejects or never answers for one who has none', async () => {
    const throwing: SecretProvider = {
      resolve: () => {
        throw new Error('planted');
      },
    };
    expect(await resolveSecret(throwing, QUERY)).to.equal(null);
    expect(await resolveSecret({ resolve: () => Promise.reject(new Error('planted')) }, QUERY)).to.equal(null);
    expect(await resolveSecret({ resolve: () => new Promise(() => undefined) }, QUERY, { answerMs: 1 })).to.equal(null);
  });
});
