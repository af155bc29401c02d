import { expect } from 'chai';
import type { Acquire, Occurrence } from './source/installed-provider.ts';
import { acquireTogether, openedTogether } from './acquire-together.ts';

type Acquired = Awaited<ReturnType<Acquire>>;

/** An occurrence as far as its order is concerned. */
function occurrence(
  alias: string,
  { opensBeside = true, requires = null }: { readonly opensBeside?: boolean; readonly requires?: 'trace' | null } = {},
): Occurrence {
  const made: unknown = { alias, provider: { opensBeside, requires } };
  return Object(made);
}
const OPENED: Acquired = {
  ok: true,
  value: {
    capabilities: [],
    snapshot: { acquisition: new Map(), unidentified: [], contentHash: null },
    session: null,
    hasActivity: true,
    share: null,
    close: null,
  },
};
const REFUSED: Acquired = { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: true } };
const STOPPED: Acquired = { ok: false, refusal: 'stopped' };

describe('providers that are opened together (providers.md §16.5)', () => {
  it('are neighbours of which all may be', () => {
    const all = [
      occurrence('a'),
      occurrence('b'),
      occurrence('own', { opensBeside: false }),
      occurrence('c'),
      occurrence('d', { requires: 'trace' }),
    ];
    expect(openedTogether(all).map((batch) => batch.map(({ alias }) => alias))).to.deep.equal([
      ['a', 'b'],
      ['own'],
      ['c'],
      ['d'],
    ]);
  });

  it('are all begun before the first is open', async () => {
    const started: string[] = [];
    let open: (() => void) | null = null;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const acquire = async ({ alias }: Occurrence): Promise<Acquired> => {
      started.push(alias);
      if (started.length === 3) open?.();
      await gate;
      return OPENED;
    };
    const ended = await acquireTogether(
      ['a', 'b', 'c'].map((alias) => occurrence(alias)),
      acquire,
      new AbortController().signal,
    );
    expect(ended.map(({ occurrence: { alias }, acquired }) => [alias, acquired.ok])).to.deep.equal([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
  });

  it('are stopped by the first that is refused; what is open by then is told as open', async () => {
    const acquire = ({ alias }: Occurrence, signal: AbortSignal): Promise<Acquired> => {
      if (alias === 'open') return Promise.resolve(OPENED);
      if (alias === 'bad') return Promise.resolve(REFUSED);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(STOPPED));
      });
    };
    const ended = await acquireTogether(
      ['open', 'bad', 'slow', 'slower'].map((alias) => occurrence(alias)),
      acquire,
      new AbortController().signal,
    );
    expect(ended.map(({ acquired }) => acquired)).to.deep.equal([OPENED, REFUSED, STOPPED, STOPPED]);
  });

  it('are stopped when the run is', async () => {
    const run = new AbortController();
    const acquire = (_: Occurrence, signal: AbortSignal): Promise<Acquired> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(STOPPED));
      });
    const ending = acquireTogether([occurrence('a'), occurrence('b')], acquire, run.signal);
    run.abort();
    expect((await ending).map(({ acquired }) => acquired)).to.deep.equal([STOPPED, STOPPED]);
  });
});
