import { expect } from 'chai';
import { tenantBundles } from './tenant-bundles.ts';

const NAME = { environment: 'workflow', hash: 'a' } as const;
const BUNDLE = { status: 'compiled', code: 'x', exports: [] } as const;

describe('bundles of tenants', () => {
  it('are found by who kept them, and by nobody else', async () => {
    const bundlesOf = tenantBundles();
    await bundlesOf('a').keep(NAME, BUNDLE);
    expect([await bundlesOf('a').find(NAME), await bundlesOf('b').find(NAME)]).to.deep.equal([BUNDLE, null]);
  });

  it('are kept for so many tenants, those that ask least recently forgotten', async () => {
    const bundlesOf = tenantBundles(undefined, 2);
    for (const tenant of ['a', 'b']) await bundlesOf(tenant).keep(NAME, BUNDLE);
    bundlesOf('a');
    bundlesOf('c');
    expect([await bundlesOf('a').find(NAME), await bundlesOf('b').find(NAME)]).to.deep.equal([BUNDLE, null]);
  });
});
