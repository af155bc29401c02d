import { expect } from 'chai';
import { beginAgainOnce } from './begin-again.ts';
import type { EvaluationLoss } from './losses.ts';

const CALL = { name: 'find', arguments: '{}' };

/** How many attempts there were, of which each calls `calls` times and comes to the next of `losses`. */
async function attempts(
  losses: readonly (EvaluationLoss | null)[],
  calls = 0,
  mayBeginAgain = true,
): Promise<readonly (EvaluationLoss | null)[]> {
  const made: (EvaluationLoss | null)[] = [];
  const last = await beginAgainOnce(
    { call: async () => '' },
    async (call) => {
      for (let index = 0; index < calls; index += 1) await call(CALL);
      const loss = losses[made.length] ?? null;
      made.push(loss);
      return { loss };
    },
    () => mayBeginAgain,
  );
  expect(last.loss).to.equal(made.at(-1));
  return made;
}

describe('a program whose host is lost (runtime.md §14)', () => {
  it('is begun again once, and no more', async () => {
    expect(await attempts(['host_lost', null])).to.deep.equal(['host_lost', null]);
    expect(await attempts(['host_lost', 'host_lost', null])).to.deep.equal(['host_lost', 'host_lost']);
  });

  it('is not begun again once it has called something', async () => {
    expect(await attempts(['host_lost', null], 1)).to.deep.equal(['host_lost']);
  });

  it('is not begun again when nobody waits for it any more', async () => {
    expect(await attempts(['host_lost', null], 0, false)).to.deep.equal(['host_lost']);
  });

  for (const loss of ['timeout', 'memory_exceeded', 'cancelled', 'host_dishonest', null] as const) {
    it(`is not what ${loss ?? 'an answer'} means`, async () => {
      expect(await attempts([loss, null])).to.deep.equal([loss]);
    });
  }
});
