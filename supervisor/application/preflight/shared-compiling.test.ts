import { expect } from 'chai';
import type { CompileReply, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import type { BundleName, CompileBundle } from './bundle-store.ts';
import { sharedCompiling } from './shared-compiling.ts';

type Outcome = GuestOutcome<CompileReply>;

const NAME: BundleName = { environment: 'workflow', hash: 'a'.repeat(64) };
const COMPILED: Outcome = { status: 'replied', reply: { status: 'compiled', code: '1', exports: [] } };

/** Compilers in the order in which they were begun, each ended by hand. */
function compilers(): { readonly started: ((outcome: Outcome) => void)[]; readonly compile: CompileBundle } {
  const started: ((outcome: Outcome) => void)[] = [];
  return {
    started,
    compile: () =>
      new Promise((resolve) => {
        started.push(resolve);
      }),
  };
}

describe('compiling one bundle for many', () => {
  for (const outcome of [COMPILED, { status: 'timeout' }, { status: 'memory_exceeded' }] as const) {
    it(`is done once, and all get what came of it: ${outcome.status}`, async () => {
      const compiling = sharedCompiling();
      const { started, compile } = compilers();
      const all = [
        compiling(NAME, undefined, compile),
        compiling(NAME, undefined, compile),
        compiling(NAME, undefined, compile),
      ];
      expect(started).to.have.length(1);
      started[0]?.(outcome);
      expect(await Promise.all(all)).to.deep.equal([outcome, outcome, outcome]);
    });
  }

  it('is done for each name, and again once it has ended', async () => {
    const compiling = sharedCompiling();
    const { started, compile } = compilers();
    const first = compiling(NAME, undefined, compile);
    const mission = compiling({ ...NAME, environment: 'mission' }, undefined, compile);
    const other = compiling({ ...NAME, hash: 'b'.repeat(64) }, undefined, compile);
    expect(started).to.have.length(3);
    started.forEach((end) => end(COMPILED));
    await Promise.all([first, mission, other]);
    const again = compiling(NAME, undefined, compile);
    expect(started).to.have.length(4);
    started[3]?.(COMPILED);
    expect(await again).to.equal(COMPILED);
  });

  it('goes on with the next one when the first was cancelled', async () => {
    const compiling = sharedCompiling();
    const { started, compile } = compilers();
    const [first, second, third] = [
      compiling(NAME, undefined, compile),
      compiling(NAME, undefined, compile),
      compiling(NAME, undefined, compile),
    ];
    started[0]?.({ status: 'cancelled' });
    expect(await first).to.deep.equal({ status: 'cancelled' });
    await new Promise(setImmediate);
    expect(started).to.have.length(2);
    started[1]?.(COMPILED);
    expect(await Promise.all([second, third])).to.deep.equal([COMPILED, COMPILED]);
  });

  it('is not waited for by one that is cancelled itself', async () => {
    const compiling = sharedCompiling();
    const { started, compile } = compilers();
    const first = compiling(NAME, undefined, compile);
    const cancel = new AbortController();
    const second = compiling(NAME, cancel.signal, compile);
    cancel.abort();
    expect(await second).to.deep.equal({ status: 'cancelled' });
    expect(await compiling(NAME, cancel.signal, compile)).to.deep.equal({ status: 'cancelled' });
    started[0]?.(COMPILED);
    expect(await first).to.equal(COMPILED);
  });

  it('fails for who compiles and for who waits when it throws, and is tried again', async () => {
    const compiling = sharedCompiling();
    const broken = async (): Promise<Outcome> => {
      throw new Error('the sandbox is closed');
    };
    const both = await Promise.allSettled([compiling(NAME, undefined, broken), compiling(NAME, undefined, broken)]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await compiling(NAME, undefined, async () => COMPILED)).to.equal(COMPILED);
  });
});
