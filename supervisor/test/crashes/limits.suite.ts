import { expect } from 'chai';
import { useSupervisor, work, type Application, type Ended } from '../capabilities/runs.ts';

/** Below, at and above a limit, as what is done: two of them pass. */
const around = (limit: number): readonly (readonly [count: number, passes: boolean])[] => [
  [limit - 1, true],
  [limit, true],
  [limit + 1, false],
];

/** A mission `m` and a workflow over the kernel's library. */
function withMission(body: string, over: Partial<Application> = {}): Application {
  return { components: [{ library: 'kernel' }], missions: { m: { components: [] } }, body, ...over };
}

const failure = ({ code, exitStatus, envelope }: Ended): unknown => [
  code,
  exitStatus,
  envelope.status === 'error' ? envelope.error.message : null,
];

/** A counter of the usage that the trace ends with. */
const sealed = ({ events }: Ended, counter: string): unknown => Object(events.at(-1)?.data['usage'])[counter];

describe('limits of a run at their number, in the built program (runtime.md §9)', () => {
  const runs = useSupervisor();

  it('terminal_result_bytes: a value as large passes, a larger one is result_limit_exceeded', async () => {
    for (const [bytes, passes] of around(100)) {
      const done = await runs.run({
        limits: { terminal_result_bytes: 100 },
        body: `(apply str (repeat ${bytes - 2} "x"))`,
      });
      if (passes) expect([done.exitStatus, done.value]).to.deep.equal([0, 'x'.repeat(bytes - 2)]);
      else
        expect(failure(done)).to.deep.equal([
          'result_limit_exceeded',
          7,
          'the result exceeds limit terminal_result_bytes of 100 bytes',
        ]);
      expect(done.envelope.execution).to.include({ state: 'finished', outcome: 'ok' });
    }
  });

  it('entry_source_bytes: an entry form as long passes, a longer one is refused at load', async () => {
    const form = '(main/run data/input)';
    for (const [missing, passes] of [
      [-1, true],
      [0, true],
      [1, false],
    ] as const) {
      const done = await runs.run({ limits: { entry_source_bytes: form.length - missing }, body: '1' });
      if (passes) expect(done.value).to.equal(1);
      else
        expect(failure(done)).to.deep.equal([
          'limit_configuration_invalid',
          3,
          `limit entry_source_bytes: ${form.length - 1} is below the ${form.length} that this application needs`,
        ]);
    }
  });

  it('subordinate_source_bytes: a program as long is run and checked, a longer one is neither and costs nothing', async () => {
    for (const [bytes, passes] of around(50)) {
      const program = JSON.stringify('1'.padEnd(bytes));
      const done = await runs.run(
        withMission(
          `(mapv #(select-keys % [:outcome :reason :admitted? :source_bytes]) [(kernel/eval-source "m" ${program}) (kernel/check-source "m" ${program})])`,
          { limits: { subordinate_source_bytes: 50 } },
        ),
      );
      expect(done.value).to.deep.equal(
        passes
          ? [
              { outcome: 'continued', 'admitted?': true, source_bytes: bytes },
              { outcome: 'valid', source_bytes: bytes },
            ]
          : [
              { outcome: 'result_exceeded', reason: 'subordinate_source_bytes' },
              { outcome: 'limit_exceeded', reason: 'subordinate_source_bytes', source_bytes: bytes },
            ],
      );
      const charged = passes ? 1 : 0;
      expect([sealed(done, 'subordinate_evaluations'), sealed(done, 'subordinate_source_checks')]).to.deep.equal([
        charged,
        charged,
      ]);
    }
  });

  const counted = [
    ['subordinate_evaluations', '(:outcome (kernel/eval-source "m" "1"))', 'continued'],
    ['subordinate_source_checks', '(:outcome (kernel/check-source "m" "1"))', 'valid'],
  ] as const;
  for (const [limit, once, outcome] of counted) {
    it(`${limit}: as many pass, one more is told, and usage counts those that passed`, async () => {
      for (const [count, passes] of around(3)) {
        const done = await runs.run(
          withMission(`(mapv (fn [_] ${once}) (range ${count}))`, { limits: { [limit]: 3 } }),
        );
        expect(done.value).to.deep.equal(
          Array.from({ length: count }, (_, index) => (index < 3 ? outcome : 'limit_exceeded')),
        );
        expect(sealed(done, limit)).to.equal(passes ? count : 3);
      }
    });
  }

  it('protocol_errors: as many pass, one more ends the run and is counted', async () => {
    for (const [count, passes] of around(3)) {
      const done = await runs.run({
        custom: [work(() => 1)],
        limits: { protocol_errors: 3 },
        body: `(do (dotimes [_ ${count}] (tool/cap-describe {:wrong 1})) :done)`,
      });
      if (passes) expect(done.value).to.equal('done');
      else expect([done.code, done.exitStatus]).to.deep.equal(['runtime_limit_exceeded', 6]);
      expect(done.usage['protocol_errors']).to.equal(count);
    }
  });

  it('workflow_loop_iterations: as many jumps pass, one more is an evaluator error', async () => {
    for (const [jumps, passes] of around(10)) {
      const done = await runs.run({
        host: { workflow_loop_iterations: 10 },
        body: `(loop [n 0] (if (< n ${jumps}) (recur (inc n)) n))`,
      });
      if (passes) expect(done.value).to.equal(jumps);
      else
        expect(failure(done)).to.deep.equal([
          'evaluation_failed',
          5,
          'the workflow ended with an evaluation error: loop_limit_exceeded',
        ]);
    }
  });

  it('evaluation_loop_iterations: the same for a program of a mission, whose workflow goes on', async () => {
    for (const [jumps, passes] of around(10)) {
      const done = await runs.run(
        withMission(
          `(select-keys (kernel/eval-source "m" "(loop [n 0] (if (< n ${jumps}) (recur (inc n)) n))") [:outcome :value :reason])`,
          { host: { evaluation_loop_iterations: 10 } },
        ),
      );
      expect(done.value).to.deep.equal(
        passes
          ? { outcome: 'continued', value: jumps }
          : { outcome: 'evaluation_error', reason: 'loop_limit_exceeded' },
      );
    }
  });

  const sized = [
    ['evaluation_history_bytes', 'history_exceeded', '(apply str (repeat 1000 \\"x\\"))'],
    ['evaluation_memory_bytes', 'memory_exceeded', '(def kept (apply str (repeat 1000 \\"x\\")))'],
  ] as const;
  for (const [limit, outcome, program] of sized) {
    it(`${limit}: a continuation as large is kept, a larger one is not, and what was kept stays`, async () => {
      const measured = await runs.run(withMission(`(do (kernel/eval-source "m" "${program}") nil)`));
      const stopped = measured.events.findLast(
        ({ type, data }) => type === 'evaluation-stopped' && data['environment'] === 'mission',
      );
      const bytes = Number(
        Object(stopped?.data['continuation'])[limit === 'evaluation_history_bytes' ? 'history_bytes' : 'memory_bytes'],
      );
      expect(bytes).to.be.greaterThan(1000);
      for (const [spare, passes] of [
        [1, true],
        [0, true],
        [-1, false],
      ] as const) {
        const done = await runs.run(
          withMission(`(select-keys (kernel/eval-source "m" "${program}") [:outcome :continuation_effect])`, {
            limits: { [limit]: bytes + spare },
          }),
        );
        expect(done.value).to.deep.equal(
          passes
            ? { outcome: 'continued', continuation_effect: 'committed_with_history' }
            : { outcome, continuation_effect: 'preserved' },
        );
      }
    });
  }

  it('prints: one keeps 2,000 characters and a mark of what was cut, 128 of them are kept', async () => {
    const printed = async (body: string): Promise<Readonly<Record<string, unknown>>> =>
      (await runs.run({ body })).records.find(({ type }) => type === 'execution-prints')?.payload ?? {};
    for (const [characters, passes] of around(2000)) {
      const [print = ''] = Object(await printed(`(println (apply str (repeat ${characters} "x")))`)).prints;
      expect(print).to.equal(passes ? 'x'.repeat(characters) : `${'x'.repeat(2000)}...`);
    }
    for (const [count, passes] of around(128)) {
      const payload = await printed(`(dotimes [n ${count}] (println n))`);
      expect(payload['prints']).to.have.lengthOf(Math.min(128, count));
      expect(payload['truncated']).to.equal(!passes);
    }
  });

  // A heap has no exact size: the same program passes with a large one and is ended with a small one.
  const grow = '(count (loop [v [] n 0] (if (< n 500000) (recur (conj v (str \\"0123456789\\" n)) (inc n)) v)))';
  it('workflow_heap_words: what needs more ends the run as runtime_limit_exceeded', async () => {
    const body = grow.replaceAll('\\"', '"');
    expect((await runs.run({ limits: { workflow_heap_words: 8_000_000 }, body })).value).to.equal(500_000);
    expect(failure(await runs.run({ limits: { workflow_heap_words: 400_000 }, body }))).to.deep.equal([
      'runtime_limit_exceeded',
      6,
      'a runtime limit was exceeded',
    ]);
  });

  it('evaluation_heap_words: what needs more ends the program alone, and the next one runs', async () => {
    const body = `(mapv #(select-keys % [:outcome :kind :retryable? :value]) [(kernel/eval-source "m" "${grow}") (kernel/eval-source "m" "1")])`;
    const next = { outcome: 'continued', value: 1 };
    expect(
      (
        await runs.run(
          withMission(body, {
            host: { evaluation_heap_words: 8_000_000 },
            limits: { evaluation_heap_words: 8_000_000 },
          }),
        )
      ).value,
    ).to.deep.equal([{ outcome: 'continued', value: 500_000 }, next]);
    expect((await runs.run(withMission(body, { limits: { evaluation_heap_words: 400_000 } }))).value).to.deep.equal([
      { outcome: 'evaluation_error', kind: 'memory_exceeded', 'retryable?': true },
      next,
    ]);
  });
});

describe('inspection beyond its bound (evidence.md §6, runtime.md §14)', () => {
  const runs = useSupervisor();
  const BYTES = 8_000_000;

  for (const privateEvents of [false, true]) {
    it(`ends a ${privateEvents ? 'private' : 'normal'} run that writes more than 128 MB, which calls nothing more; the trace is published`, async () => {
      let called = 0;
      const large = work(() => {
        called += 1;
        return 'x'.repeat(BYTES - 2);
      });
      const done = await runs.run({
        custom: [large],
        privateEvents,
        limits: { capability_result_bytes: BYTES, run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
        body: '(try (dotimes [_ 30] (tool/work)) (catch Throwable e 1))',
      });
      expect([done.code, done.exitStatus, called]).to.deep.equal(['inspection_capture_limit_exceeded', 7, 16]);
      expect(done.envelope.artifact_state).to.deep.equal({
        trace: 'written',
        inspection: 'not_written',
        result: 'not_written',
      });
      expect(done.records).to.deep.equal([]);
      expect(done.events.at(-1)?.type).to.equal('run-stopped');
    });
  }
});
