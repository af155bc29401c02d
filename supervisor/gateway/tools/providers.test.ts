import { expect } from 'chai';
import type { AcquisitionAnswer, OpenedProviders } from '../../service/embedding/types.ts';
import { holdProviders } from './providers.ts';

interface Faked extends OpenedProviders {
  readonly lose: () => void;
  readonly isClosed: () => boolean;
}

function providers(identity = 'sha256:a', isProved = true): Faked {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  let isClosed = false;
  return {
    identities: { 'mission/desk': identity },
    lost,
    lose,
    isClosed: () => isClosed,
    close: async () => {
      isClosed = true;
      return isProved;
    },
  };
}

const REFUSED: AcquisitionAnswer = { kind: 'refused', code: 'provider_unavailable', diagnostic: null };

/** A tool whose providers are opened anew with these answers. */
function tool(first: OpenedProviders | null, answers: readonly (AcquisitionAnswer | Faked)[]) {
  const [waits, states]: [number[], string[]] = [[], []];
  const settled = Promise.withResolvers<void>();
  let requested = 0;
  const toolProviders = holdProviders(first, {
    acquire: async () => {
      const answer = answers[requested] ?? REFUSED;
      requested += 1;
      return 'kind' in answer ? answer : { kind: 'acquired', providers: answer };
    },
    isPinned: (identities) => identities['mission/desk'] === 'sha256:a',
    onChange: (state) => {
      states.push(state);
      if (state !== 'unavailable') settled.resolve();
    },
    wait: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
    },
  });
  return { renewed: toolProviders, waits, states, settled: settled.promise };
}

describe('providers of a tool (gateway.md §10)', () => {
  it('are none where its runs open everything themselves, which can be fenced still', () => {
    const { renewed: kept } = tool(null, []);
    expect(kept.current()).to.equal(null);
    kept.fence();
    expect([kept.current(), kept.isFenced()]).to.deep.equal(['unavailable', true]);
  });

  it('are opened anew when they are lost, later and later', async () => {
    const [first, second] = [providers(), providers()];
    const {
      renewed: kept,
      waits,
      states,
      settled,
    } = tool(first, [...Array.from({ length: 9 }, () => REFUSED), second]);
    expect(kept.current()).to.equal(first);
    first.lose();
    await settled;
    expect([kept.current(), first.isClosed(), kept.isFenced()]).to.deep.equal([second, true, false]);
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 30, 30, 30, 30, 30].map((seconds) => seconds * 1000));
    expect(states).to.deep.equal(['unavailable', 'ready']);
    expect(await kept.close()).to.equal(true);
    expect(second.isClosed()).to.equal(true);
  });

  it('fence the tool after ten failures in a row', async () => {
    const first = providers();
    const { renewed: kept, waits, states, settled } = tool(first, []);
    first.lose();
    await settled;
    expect([waits.length, states, kept.current()]).to.deep.equal([10, ['unavailable', 'fenced'], 'unavailable']);
  });

  it('fence it when they are something else then, which is closed again', async () => {
    const [first, other] = [providers(), providers('sha256:b')];
    const { renewed: kept, settled } = tool(first, [other]);
    first.lose();
    await settled;
    expect([kept.isFenced(), other.isClosed()]).to.deep.equal([true, true]);
  });

  it('fence it when the end of what was lost cannot be proved, and nothing is opened beside it', async () => {
    const first = providers('sha256:a', false);
    const { renewed: kept, waits, settled } = tool(first, [providers()]);
    first.lose();
    await settled;
    expect([kept.isFenced(), waits]).to.deep.equal([true, []]);
    expect(
      await holdProviders(providers('sha256:a', false), {
        acquire: async () => REFUSED,
        isPinned: () => true,
        onChange: () => undefined,
      }).close(),
    ).to.equal(false);
  });

  it('are not opened anew for a gateway that ends', async () => {
    const first = providers();
    const { renewed: kept, states } = tool(first, [providers()]);
    await kept.close();
    first.lose();
    await new Promise(setImmediate);
    expect(states).to.deep.equal([]);
  });
});
