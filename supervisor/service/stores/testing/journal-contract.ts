import { expect } from 'chai';
import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../../../contract/run-reference.ts';
import type { NewRun, RunJournal, RunPosition, RunRecord } from '../interface.ts';

const ACCEPTED = { state: 'accepted', effect: 'none' } as const;
const CLAIMED = { state: 'claimed', effect: 'none' } as const;
const RUNNING = { state: 'running', effect: 'none' } as const;

function runFor(parts: Partial<NewRun> = {}): NewRun {
  return { runRef: newRunReference(randomFillSync), tenant: 'acme', requestHash: 'sha256:aa', ...parts };
}

/** What every journal of runs holds (gateway.md §16, §19). */
export function holdsJournalContract(make: () => Promise<RunJournal>): void {
  let journal: RunJournal;
  beforeEach(async () => {
    journal = await make();
  });

  it('knows a run by its name and by what was asked', async () => {
    const run = runFor();
    expect(await journal.get(run.runRef)).to.equal(null);
    expect(await journal.create(run)).to.equal('new');
    expect(await journal.create(run)).to.equal('same');
    expect(await journal.create({ ...run, requestHash: 'sha256:bb' })).to.equal('conflict');
    expect(await journal.create({ ...run, tenant: 'other' })).to.equal('conflict');
    const record: RunRecord = { ...run, ...ACCEPTED, epoch: 0, envelope: null };
    expect(await journal.get(run.runRef)).to.deep.equal(record);
  });

  it('gives one of several that create at once the run', async () => {
    const run = runFor();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => journal.create(run)));
    expect(outcomes.filter((outcome) => outcome === 'new')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'same')).to.have.length(7);
  });

  it('changes a run only from where it stands', async () => {
    const { runRef } = runFor();
    await journal.create(runFor({ runRef }));
    expect(await journal.cas(runRef, 1, ACCEPTED, CLAIMED)).to.equal(false);
    expect(await journal.cas(runRef, 0, ACCEPTED, CLAIMED)).to.equal(true);
    expect(await journal.cas(runRef, 0, ACCEPTED, CLAIMED)).to.equal(false);
    expect(await journal.cas(runRef, 0, CLAIMED, RUNNING)).to.equal(false);
    expect(await journal.cas(runRef, 1, CLAIMED, RUNNING)).to.equal(true);
    expect(await journal.cas(runRef, 1, RUNNING, { state: 'running', effect: 'write_open' })).to.equal(true);
    expect(await journal.cas(runRef, 1, RUNNING, { state: 'running', effect: 'write_open' })).to.equal(false);
    expect(
      await journal.cas(
        runRef,
        1,
        { state: 'running', effect: 'write_open' },
        { state: 'finished', effect: 'write_open', envelope: { status: 'ok' } },
      ),
    ).to.equal(true);
    expect(await journal.get(runRef))
      .to.include({ state: 'finished', effect: 'write_open', epoch: 1 })
      .and.to.have.deep.property('envelope', { status: 'ok' });
  });

  it('lets one of several changes at once through', async () => {
    const { runRef } = runFor();
    await journal.create(runFor({ runRef }));
    const claims = await Promise.all(Array.from({ length: 8 }, () => journal.cas(runRef, 0, ACCEPTED, CLAIMED)));
    expect(claims.filter(Boolean)).to.have.length(1);
    expect(await journal.get(runRef)).to.include({ state: 'claimed', epoch: 1 });
  });

  it('begins a new epoch with each claim', async () => {
    const { runRef } = runFor();
    await journal.create(runFor({ runRef }));
    for (let epoch = 0; epoch < 3; epoch += 1) {
      expect(await journal.cas(runRef, epoch, ACCEPTED, CLAIMED)).to.equal(true);
      expect(await journal.cas(runRef, epoch + 1, CLAIMED, ACCEPTED)).to.equal(true);
    }
    expect(await journal.get(runRef)).to.include({ state: 'accepted', epoch: 3 });
  });

  const wrong: readonly (readonly [RunPosition, RunPosition])[] = [
    [{ state: 'finished', effect: 'none' }, RUNNING],
    [{ state: 'lost', effect: 'none' }, ACCEPTED],
    [ACCEPTED, RUNNING],
    [{ state: 'running', effect: 'dispatched' }, RUNNING],
    [
      { state: 'running', effect: 'write_open' },
      { state: 'accepted', effect: 'write_open' },
    ],
  ];
  for (const [from, to] of wrong) {
    it(`throws for a change from ${from.state} (${from.effect}) to ${to.state} (${to.effect})`, async () => {
      const { runRef } = runFor();
      await journal.create(runFor({ runRef }));
      expect(
        await journal.cas(runRef, 0, from, to).then(
          () => null,
          (error: unknown) => error,
        ),
      ).to.be.instanceOf(TypeError);
    });
  }

  it('scans by tenant and state, in order, by pages', async () => {
    const runs = Array.from({ length: 5 }, (_, index) => runFor({ tenant: index < 3 ? 'acme' : 'other' }));
    for (const run of runs) await journal.create(run);
    await journal.cas(runs[0]?.runRef ?? newRunReference(randomFillSync), 0, ACCEPTED, {
      state: 'cancelled',
      effect: 'none',
    });
    const names = runs.map(({ runRef }) => runRef).toSorted();
    const scan = async (query: Parameters<RunJournal['scan']>[0]) =>
      (await journal.scan(query)).map(({ runRef }) => runRef);
    expect(await scan({ limit: 1000 })).to.deep.equal(names);
    const page = await scan({ limit: 2 });
    expect(page).to.deep.equal(names.slice(0, 2));
    expect(await scan({ limit: 1000, ...(page[1] === undefined ? {} : { after: page[1] }) })).to.deep.equal(
      names.slice(2),
    );
    expect(await scan({ limit: 1000, tenant: 'other' })).to.have.length(2);
    expect(await scan({ limit: 1000, states: ['cancelled'] })).to.deep.equal([runs[0]?.runRef]);
    expect(await scan({ limit: 1000, states: [] })).to.deep.equal([]);
    for (const limit of [0, 1001])
      expect(
        await journal.scan({ limit }).then(
          () => null,
          (error: unknown) => error,
        ),
      ).to.be.instanceOf(TypeError);
  });
}
