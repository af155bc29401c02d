import { expect } from 'chai';
import type { CompiledReply } from '../preflight/bundle-store.ts';
import { TenantBundles } from './tenant-bundles.ts';

const bundle = (code: string): CompiledReply => ({ status: 'compiled', code, exports: [] });
const name = (hash: string) => ({ environment: 'workflow', hash }) as const;

describe('bundles of tenants', () => {
  it('are found by other applications of the same tenant alone', async () => {
    const bundles = new TenantBundles();
    await bundles.storeFor('one').keep(name('a'), bundle('x'));
    expect(await bundles.storeFor('one').find(name('a'))).to.deep.equal(bundle('x'));
    expect(await bundles.storeFor('other').find(name('a'))).to.equal(null);
  });

  it('stay with the application that compiled or found them when the tenant has no room for them', async () => {
    const bundles = new TenantBundles();
    const [compiled, found, late] = [bundles.storeFor('one'), bundles.storeFor('one'), bundles.storeFor('one')];
    await compiled.keep(name('a'), bundle('x'));
    await found.find(name('a'));
    await bundles.storeFor('one').keep(name('b'), bundle('y'.repeat(4_000_000)));
    expect([await compiled.find(name('a')), await found.find(name('a'))]).to.deep.equal([bundle('x'), bundle('x')]);
    expect(await late.find(name('a'))).to.equal(null);
  });

  it('are those of sixteen tenants; who prepared nothing for the longest time is forgotten', async () => {
    const bundles = new TenantBundles();
    await bundles.storeFor('first').keep(name('a'), bundle('x'));
    await bundles.storeFor('second').keep(name('a'), bundle('x'));
    for (let other = 0; other < 14; other += 1) bundles.storeFor(`other ${other}`);
    expect(await bundles.storeFor('first').find(name('a')), 'sixteen').to.deep.equal(bundle('x'));
    bundles.storeFor('one more');
    expect(await bundles.storeFor('first').find(name('a'))).to.deep.equal(bundle('x'));
    expect(await bundles.storeFor('second').find(name('a')), 'the one longest unused').to.equal(null);
  });

  it('are compiled once for one application that asks twice at the same time, and for each that does', async () => {
    const bundles = new TenantBundles();
    const [one, other] = [bundles.storeFor('tenant'), bundles.storeFor('tenant')];
    let compiled = 0;
    const compile = async () => {
      compiled += 1;
      await Promise.resolve();
      return { status: 'replied', reply: bundle('x') } as const;
    };
    await Promise.all([one, one, other].map(async (store) => store.compiling?.(name('a'), undefined, compile)));
    expect(compiled).to.equal(2);
  });
});
