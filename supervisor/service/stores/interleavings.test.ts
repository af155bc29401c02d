import { expect } from 'chai';
import { findBreach, playInterleaving, type Interleaving } from './testing/approval-interleavings.ts';

/** Seeds that once broke a rule. */
const BROKEN = [1080830];

/** `bench/approval-interleavings.ts` plays as many as are asked for. */
const SEEDS = { memory: 4700, directory: 300 } as const;

describe('approvals in any order, with parties that die and stores that fail (approvals.md §4, §11)', () => {
  for (const kind of ['memory', 'directory'] as const)
    it(`decide each question exactly once and send nothing without a yes: ${kind}`, async function () {
      this.timeout(120_000);
      const seen = new Map<string, number>();
      for (let seed = 1; seed <= SEEDS[kind]; seed += 1) {
        const played = await playInterleaving(seed, kind);
        expect(findBreach(played), `seed ${seed}`).to.equal(null);
        for (const { ends, sent } of played.questions) {
          const word = sent > 0 ? 'sent' : (ends[0]?.kind ?? 'none');
          seen.set(word, (seen.get(word) ?? 0) + 1);
        }
      }
      // Each end there is comes up, so that the rules are held against all of them.
      expect([...seen.keys()]).to.include.members(['sent', 'decided', 'expired', 'gone', 'unavailable', 'none']);
    });

  for (const seed of BROKEN)
    it(`tell both sides the same decision where a publication is taken back: directory ${seed}`, async () => {
      expect(findBreach(await playInterleaving(seed, 'directory'))).to.equal(null);
    });

  it('is the same for the same seed', async () => {
    expect(await playInterleaving(7, 'directory')).to.deep.equal(await playInterleaving(7, 'directory'));
  });

  it('finds what breaks the rules', async () => {
    const played = await playInterleaving(7, 'memory');
    const [first] = played.questions;
    if (first === undefined) throw new Error('there is a question');
    const broken = (over: Partial<typeof first>): Interleaving => ({
      ...played,
      isAskerDead: false,
      isCancelled: false,
      questions: [{ ...first, decided: [], ends: [{ kind: 'expired' }], tried: [], sent: 0, ...over }],
    });
    const yes = { decision: 'allow', scope: 'once', by: 'api', principal: 'p1' } as const;
    expect(findBreach(broken({}))).to.equal(null);
    expect(findBreach(broken({ sent: 1 }))).to.include('without a yes');
    expect(findBreach(broken({ ends: [] }))).to.include('never ended');
    expect(findBreach(broken({ ends: [{ kind: 'expired' }, { kind: 'gone' }] }))).to.include('twice');
    expect(findBreach(broken({ decided: [yes, yes] }))).to.include('decided twice');
    expect(findBreach(broken({ decided: [yes] }))).to.include('expired');
    expect(findBreach(broken({ ends: [{ kind: 'decided', decision: yes }] }))).to.include('nobody made');
  });
});
