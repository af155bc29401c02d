import { expect } from 'chai';
import { FAILURE_BOUNDS, failureDelay } from './failure-delay.ts';

describe('wrong bearers (gateway.md §9)', () => {
  function delaying() {
    let time = 0;
    const waits: (() => void)[] = [];
    const fail = failureDelay(
      () => time,
      async (milliseconds) => {
        expect(milliseconds).to.equal(FAILURE_BOUNDS.delayMs);
        await new Promise<void>((resolve) => {
          waits.push(resolve);
        });
      },
    );
    return {
      fail,
      waits,
      at: (milliseconds: number) => {
        time = milliseconds;
      },
    };
  }

  it('are told at once, twenty of them in ten seconds, and later ones late', async () => {
    const { fail, waits, at } = delaying();
    for (let nth = 0; nth < FAILURE_BOUNDS.atOnce; nth += 1) await fail();
    expect(waits).to.have.length(0);
    at(FAILURE_BOUNDS.withinMs);
    const late = fail();
    expect(waits).to.have.length(1);
    waits[0]?.();
    await late;
    at(2 * FAILURE_BOUNDS.withinMs + 1);
    await fail();
    expect(waits).to.have.length(1);
  });

  it('wait, 64 at most', async () => {
    const { fail, waits } = delaying();
    for (let nth = 0; nth < FAILURE_BOUNDS.atOnce; nth += 1) await fail();
    const late = Array.from({ length: FAILURE_BOUNDS.waiting }, async () => fail());
    expect(waits).to.have.length(FAILURE_BOUNDS.waiting);
    await fail();
    expect(waits).to.have.length(FAILURE_BOUNDS.waiting);
    for (const end of waits) end();
    await Promise.all(late);
  });
});
