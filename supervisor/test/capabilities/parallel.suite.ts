/** `pmap` and `pcalls` of real runs: branches in isolates of their own, on the run's slots (runtime.md §8). */
import { expect } from 'chai';
import { useSupervisor, work } from './runs.ts';
import type { CustomFunction } from '../../api/supervisor.ts';

const NEVER: CustomFunction = async () => new Promise(() => undefined);

/** Answers once so many calls are in flight together, then every further one at once; `most` is how many there were. */
function meeting(size: number): { readonly call: CustomFunction; readonly most: () => number } {
  let most = 0;
  let live = 0;
  let open = (): void => undefined;
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    most: () => most,
    call: async ({ n }) => {
      live += 1;
      most = Math.max(most, live);
      if (live === size) open();
      await met;
      live -= 1;
      return n;
    },
  };
}

const CALL_ALL = '(mapv :value (pmap (fn [n] (tool/work {:n n})) (range 4)))';

describe('parallel branches of a run (runtime.md §8)', () => {
  const runs = useSupervisor();

  it('call capabilities at the same time, each on a reservation of its own', async () => {
    const both = meeting(2);
    const done = await runs.run({ custom: [work(both.call)], body: CALL_ALL });
    expect([done.unexpected, done.code, done.value]).to.deep.equal([null, null, [0, 1, 2, 3]]);
    expect(both.most()).to.be.greaterThan(1);
    expect(done.usage['capability_calls']).to.deep.equal({ 'workflow/work': 4 });
  });

  it('do so in missions, where the lease waits for them', async () => {
    const both = meeting(2);
    const done = await runs.run({
      components: [{ library: 'kernel' }],
      custom: [work(both.call)],
      missions: { m: { components: [], data: {}, providers: ['tools'] } },
      body: `(let [r (kernel/eval "m" (program ${CALL_ALL}))] [(:outcome r) (:value r)])`,
    });
    expect([done.code, done.value]).to.deep.equal([null, ['continued', [0, 1, 2, 3]]]);
    expect(both.most()).to.be.greaterThan(1);
    expect(done.usage['capability_calls']).to.deep.equal({ 'mission/work': 4 });
  });

  it('run one after another where the run has one slot', async () => {
    const alone = meeting(1);
    const done = await runs.run({ custom: [work(alone.call)], limits: { live_provider_tasks: 1 }, body: CALL_ALL });
    expect([done.code, done.value, alone.most()]).to.deep.equal([null, [0, 1, 2, 3], 1]);
  });

  it('evaluate in missions through the one lease', async () => {
    const done = await runs.run({
      components: [{ library: 'kernel' }],
      missions: { a: { components: [], data: {}, providers: [] }, b: { components: [], data: {}, providers: [] } },
      body: '(mapv :value (pmap (fn [m] (kernel/eval m (program (+ 1 2)))) ["a" "b" "a"]))',
    });
    expect([done.code, done.value]).to.deep.equal([null, [3, 3, 3]]);
    expect(done.usage['evaluations_by_mission']).to.deep.equal({ a: 2, b: 1 });
  });

  it('end the workflow when they take longer than they may together', async () => {
    const done = await runs.run({ custom: [work(NEVER)], limits: { parallel_timeout_ms: 300 }, body: CALL_ALL });
    expect([done.exitStatus, done.code]).to.deep.equal([6, 'runtime_limit_exceeded']);
    expect(done.envelope).to.have.nested.property(
      'error.message',
      'parallel_timeout_ms limit 300 ms was exceeded during execution',
    );
    expect(done.events).to.deep.include({
      type: 'limit-exceeded',
      data: {
        reason: 'timeout',
        environment: 'workflow',
        limit: 'parallel_timeout_ms',
        limit_ms: 300,
        phase: 'execution',
      },
    });
  });

  it('answer the workflow when those of a mission do', async () => {
    const done = await runs.run({
      components: [{ library: 'kernel' }],
      custom: [work(NEVER)],
      limits: { parallel_timeout_ms: 300 },
      missions: { m: { components: [], data: {}, providers: ['tools'] } },
      body: `(let [r (kernel/eval "m" (program ${CALL_ALL}))] [(:outcome r) (:reason r) (get-in r [:details :limit])])`,
    });
    expect([done.code, done.value]).to.deep.equal([
      null,
      ['evaluation_error', 'runtime_limit_exceeded', 'parallel_timeout_ms'],
    ]);
  });

  it("are told as the run's end where that is nearer", async () => {
    const done = await runs.run({ custom: [work(NEVER)], limits: { run_duration_ms: 600 }, body: CALL_ALL });
    expect([done.exitStatus, done.code]).to.deep.equal([6, 'run_timeout']);
  });

  const refusals: readonly (readonly [string, string, object])[] = [
    [
      'the refusal that the run issued, failed with in a branch',
      '(pmap (fn [_] (let [r (tool/work)] (when (= :error (:status r)) (fail r)))) (range 4))',
      { code: 'capability_quota_exceeded', exit: 6 },
    ],
    [
      'the same through pcalls',
      '(apply pcalls (repeat 3 (fn [] (let [r (tool/work)] (when (= :error (:status r)) (fail r))))))',
      { code: 'capability_quota_exceeded', exit: 6 },
    ],
    [
      'a look-alike',
      '(pmap (fn [_] (fail {:status :error :kind :limit_exceeded :reason :capability_quota :retryable? false :details {:limit "workflow_capability_calls" :name "other" :limit_value 2}})) (range 2))',
      { code: 'evaluation_failed', exit: 5 },
    ],
    [
      'a branch that fails with a kind',
      '(pmap (fn [_] (fail {:kind :invalid-input :secret "planted"})) (range 2))',
      { code: 'evaluation_failed', exit: 5 },
    ],
  ];
  for (const [title, body, expected] of refusals) {
    it(`keep of a failure what the run may need: ${title}`, async () => {
      const done = await runs.run({
        custom: [work(() => null)],
        limits: { workflow_capability_calls: 2 },
        body: `(doall ${body})`,
      });
      expect({ code: done.code, exit: done.exitStatus }).to.deep.equal(expected);
      const stopped = done.events.at(-1)?.data;
      if (title.includes('kind')) expect(stopped).to.have.property('failure_kind', 'invalid-input');
      expect(
        JSON.stringify([done.envelope, done.events, done.records.filter(({ type }) => type !== 'prelude-source')]),
      ).to.not.include('planted');
    });
  }
});
