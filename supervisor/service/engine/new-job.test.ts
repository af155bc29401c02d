import { expect } from 'chai';
import { isRunReference } from '../../../contract/run-reference.ts';
import { StoreError } from '../stores/interface.ts';
import { createMemoryArtifacts } from '../stores/memory-artifacts.ts';
import { readJob } from './job.ts';
import { newJob, createStoredJob } from './new-job.ts';
import { readInputOfJob } from './stored-input.ts';

const ASKED = { tenant: 'acme', applicationDigest: 'sha256:aa' };

describe('jobs that clients ask for', () => {
  it('have one hash for what is asked alike', () => {
    const job = newJob({ ...ASKED, input: { a: 1, b: [2] } });
    expect(isRunReference(job.runRef)).to.equal(true);
    expect(newJob({ ...ASKED, input: { b: [2], a: 1 } }).requestHash).to.equal(job.requestHash);
    for (const other of [
      { input: { a: 2, b: [2] } },
      {},
      { input: { a: 1, b: [2] }, deadline: 5 },
      { input: { a: 1, b: [2] }, applicationDigest: 'sha256:bb' },
    ])
      expect(newJob({ ...ASKED, ...other }).requestHash).to.not.equal(job.requestHash);
  });

  it('carry an input of 65,536 bytes, and none of one more', () => {
    const input = { a: 'x'.repeat(65_536 - '{"a":""}'.length) };
    expect(newJob({ ...ASKED, input }).inputRef).to.deep.equal({ kind: 'inline', json: JSON.stringify(input) });
    expect(() => newJob({ ...ASKED, input: { a: `${input.a}x` } })).to.throw(RangeError);
  });

  for (const wrong of [
    { tenant: '../x' },
    { tenant: '' },
    { runRef: 'mine' },
    { weight: 0 },
    { weight: 101 },
    { weight: 1.5 },
    { limits: { maxRuns: 0 } },
    { input: { a: () => 1 } },
  ]) {
    it(`are none of ${Object.keys(wrong).join()} ${JSON.stringify(wrong)}`, () => {
      expect(() => newJob({ ...ASKED, ...wrong })).to.throw();
    });
  }
  const inputOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
  const thrown = async (requested: Promise<unknown>): Promise<unknown> =>
    requested.then(
      () => null,
      (error: unknown) => error,
    );

  for (const [bytes, kind] of [
    [65_536, 'inline'],
    [65_537, 'stored'],
    [2_000_000, 'stored'],
  ] as const) {
    it(`have an input of ${bytes} bytes ${kind === 'inline' ? 'with them' : 'in the store'}, where the runner finds it`, async () => {
      const store = createMemoryArtifacts();
      const job = readJob(
        JSON.parse(JSON.stringify(await createStoredJob({ ...ASKED, input: inputOf(bytes) }, store))),
      );
      expect(job.inputRef?.kind).to.equal(kind);
      const input = await readInputOfJob(job, kind === 'stored' ? store : null);
      expect(input !== null && JSON.parse(Buffer.from(input).toString())).to.deep.equal(inputOf(bytes));
      if (kind === 'inline') return;
      expect(await thrown(readInputOfJob(job, null)), 'a runner without a store').to.be.instanceOf(Error);
      expect(await thrown(readInputOfJob(job, createMemoryArtifacts())), 'one with another').to.be.instanceOf(Error);
      expect(
        await createStoredJob({ ...ASKED, runRef: job.runRef, input: inputOf(bytes) }, store),
        'asked again',
      ).to.deep.equal(job);
      const other = await createStoredJob({ ...ASKED, runRef: job.runRef, input: { b: 'y'.repeat(70_000) } }, store);
      expect(other.requestHash).to.not.equal(job.requestHash);
      expect(await thrown(readInputOfJob(other, store)), 'the input of another request').to.be.instanceOf(Error);
    });
  }

  it('have no input of one byte more, and none that the store does not take', async () => {
    expect(
      await thrown(createStoredJob({ ...ASKED, input: inputOf(2_000_001) }, createMemoryArtifacts())),
    ).to.be.instanceOf(RangeError);
    const away = { ...createMemoryArtifacts(), reserve: async () => Promise.reject(new StoreError('unavailable')) };
    expect(await thrown(createStoredJob({ ...ASKED, input: inputOf(65_537) }, away))).to.be.instanceOf(StoreError);
  });

  it('say how the run is made, and are other ones where that differs', () => {
    const job = newJob({
      ...ASKED,
      inputClass: 'private',
      artifacts: { trace: true },
      runLimits: { workflow_timeout_ms: 5 },
    });
    expect(readJob(JSON.parse(JSON.stringify(job))).terms).to.deep.equal({
      inputClass: 'private',
      artifacts: { trace: true, inspection: false, result: false },
      limits: { workflow_timeout_ms: 5 },
    });
    expect(
      readJob({ ...JSON.parse(JSON.stringify(job)), terms: undefined }).terms,
      'one that was entered before they did',
    ).to.deep.equal({ inputClass: 'normal', artifacts: null, limits: {} });
    expect(newJob({ ...ASKED, runRef: job.runRef }).requestHash).to.not.equal(job.requestHash);
  });

  it('name the person whose grants the run uses, in 1 to 256 characters', () => {
    const job = newJob({ ...ASKED, principal: 'ada' });
    expect(readJob(JSON.parse(JSON.stringify(job))).terms.principal).to.equal('ada');
    expect(newJob({ ...ASKED, runRef: job.runRef }).terms).to.not.have.property('principal');
    expect(newJob({ ...ASKED, runRef: job.runRef }).requestHash).to.not.equal(job.requestHash);
    expect(
      ['a', 'a'.repeat(256)].map((principal) => newJob({ ...ASKED, principal }).terms.principal?.length),
    ).to.deep.equal([1, 256]);
    for (const principal of ['', 'a'.repeat(257)]) expect(() => newJob({ ...ASKED, principal })).to.throw(TypeError);
  });

  it('may weigh 1 and 100', () => {
    expect([1, 100].map((weight) => newJob({ ...ASKED, weight }).weight)).to.deep.equal([1, 100]);
  });
});
