import { expect } from 'chai';
import { notDispatched, providerError } from '../../api/supervisor.ts';
import { useSupervisor, withinLimit, work, type Application } from './runs.ts';

/** A mission `m` with the capabilities of the test, and a workflow that evaluates this program in it. */
function inMission(program: string, over: Partial<Application> = {}): Application {
  return {
    components: [{ library: 'kernel' }],
    missions: { m: { components: [], data: { seed: 7 }, providers: (over.custom ?? []).map(({ alias }) => alias) } },
    selected: { workflow: [], mission: (over.custom ?? []).map(({ alias }) => ({ name: alias })) },
    body: `(select-keys (kernel/eval-source "m" ${JSON.stringify(program)}) [:outcome :value :kind :reason :retryable? :capability_activity? :capability_failure? :terminal_provider_failure? :terminal_host_failure? :correction_safe?])`,
    ...over,
  };
}

describe('capabilities in missions (runtime.md §5, §6)', () => {
  const runs = useSupervisor();

  it('a program of a mission calls a function, on record between its own events', async () => {
    const done = await runs.run(
      inMission('(:value (tool/work {:n data/seed}))', { custom: [work(({ n }) => ({ got: n }))] }),
    );
    expect([done.unexpected, done.code]).to.deep.equal([null, null]);
    expect(done.value).to.deep.include({ outcome: 'continued', value: { got: 7 }, 'correction_safe?': true });
    expect(done.usage).to.deep.include({
      capability_calls: { 'mission/work': 1 },
      evaluations_by_mission: { m: 1 },
      subordinate_evaluations: 1,
    });
    const reported = done.events.map(({ type, data: { name, environment } }) =>
      [type, ...[name, environment].filter((word) => typeof word === 'string').slice(0, 1)].join(' '),
    );
    expect(reported).to.deep.equal([
      'run-started',
      'evaluation-started workflow',
      'capability-started kernel-eval',
      'evaluation-started mission',
      'capability-started work',
      'capability-stopped work',
      'evaluation-stopped mission',
      'capability-stopped kernel-eval',
      'evaluation-stopped workflow',
      'run-stopped',
    ]);
    expect(done.events.find(({ data }) => data['name'] === 'work')?.data).to.include({
      environment: 'mission',
      mission_name: 'm',
    });
  });

  it('a mission has what it was granted and the routes of every environment, and nothing of the workflow', async () => {
    const custom = [work(() => 1, { modelVisible: true })];
    const listed = await runs.run(
      inMission(
        '[(mapv #(get % "name") (tool/cap-list)) (get (tool/cap-describe {:name "work"}) "effect") (pos? (tool/runtime-remaining)) (get (tool/runtime-usage) "subordinate_evaluations")]',
        { custom },
      ),
    );
    expect(listed.value).to.deep.include({ outcome: 'continued', value: [['work'], 'read', true, 1] });
    for (const name of ['kernel-eval', 'workflow-annotate', 'other']) {
      const denied = await runs.run(inMission(`(if false (tool/${name} {}) (tool/work))`, { custom }));
      expect(denied.value, name).to.include({ outcome: 'evaluation_error', reason: 'unknown_tool' });
      expect(denied.usage).to.deep.include({ capability_calls: {}, capability_denials: { unknown_tool: 1 } });
    }
    const forged = await runs.run(inMission('(tool/kernel-agent-protocol-error {})', { custom }));
    expect(forged.usage['capability_denials']).to.deep.equal({ private_tool_unauthorized: 1 });
  });

  const writes: readonly (readonly [string, () => unknown, object])[] = [
    [
      'throws',
      () => {
        throw new Error('x');
      },
      { reason: 'exception', mutation_state: 'indeterminate' },
    ],
    [
      'says that it may be tried again',
      () => providerError('unavailable', { retryable: true }),
      { reason: 'unavailable', mutation_state: 'indeterminate' },
    ],
    [
      'proves that nothing was sent',
      () => notDispatched('unavailable', { retryable: true }),
      { reason: 'unavailable' },
    ],
    ['gives a whole answer', () => providerError('domain_error', { isComplete: true }), { reason: 'domain_error' }],
    [
      'never answers',
      () => new Promise(() => undefined),
      { reason: 'provider_timeout', mutation_state: 'indeterminate' },
    ],
  ];
  for (const [title, call, facts] of writes) {
    it(`a write that ${title} says whether it may have happened`, async () => {
      const done = await runs.run(
        inMission('(select-keys (tool/work) [:reason :mutation_state])', {
          custom: [work(() => call(), { effect: 'write', timeoutMs: title === 'never answers' ? 50 : 20_000 })],
        }),
      );
      expect(done.value).to.have.property('value').that.deep.equals(facts);
    });
  }

  it('a denial is remembered though the program goes on', async () => {
    const done = await runs.run(inMission('(do (tool/work) :done)', { custom: [work(() => providerError('denied'))] }));
    expect(done.value).to.deep.include({ 'terminal_provider_failure?': true });
  });

  for (const [limit, value] of [
    ['mission_capability_calls_per_name', 2],
    ['mission_capability_calls', 2],
  ] as const) {
    it(`${limit} holds over all evaluations of a run`, async () => {
      const twice =
        '(let [go (fn [] (get (kernel/eval-source "m" "(mapv (fn [_] (:status (tool/work))) (range 2))") :value))] [(go) (go)])';
      const done = await runs.run(inMission('', { custom: [work(() => 1)], limits: { [limit]: value }, body: twice }));
      expect(done.value).to.deep.equal([
        ['ok', 'ok'],
        ['error', 'error'],
      ]);
      expect(done.usage['capability_refusals']).to.deep.equal({ 'mission/limit_exceeded/capability_quota': 2 });
    });
  }

  it('evaluation_timeout_ms ends a program that waits in a call; the call is cancelled and the run goes on', async () => {
    let aborted = 0;
    const done = await withinLimit(async (limitMs) => {
      let wasReached = false;
      aborted = 0;
      const hanging = work(
        (_, { signal }) =>
          new Promise(() => {
            wasReached = true;
            signal.addEventListener('abort', () => {
              aborted += 1;
            });
          }),
      );
      return {
        ended: await runs.run(
          inMission('(tool/work)', { custom: [hanging], limits: { evaluation_timeout_ms: limitMs } }),
        ),
        wasReached,
      };
    });
    expect(done.value).to.include({ outcome: 'evaluation_error' });
    expect(aborted).to.equal(1);
  });

  it('a program that floods a function meets its quota, and the run its end', async () => {
    let called = 0;
    const done = await runs.run(
      inMission('(loop [n 0] (if (< n 1000) (do (tool/work) (recur (inc n))) n))', {
        custom: [
          work(() => {
            called += 1;
            return null;
          }),
        ],
        limits: { mission_capability_calls_per_name: 20 },
      }),
    );
    expect(done.value).to.include({ outcome: 'continued', value: 1000 });
    expect([called, done.usage['capability_calls']]).to.deep.equal([20, { 'mission/work': 20 }]);
  });

  it('a host that dies of its program takes the call with it, and nothing else', async () => {
    let aborted = 0;
    const slow = work(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted += 1;
            resolve(null);
          });
          setTimeout(resolve, 5, 'x'.repeat(100_000));
        }),
    );
    const program = '(loop [kept []] (recur (conj kept (:value (tool/work)) (vec (range 100000)))))';
    const done = await runs.run(inMission(program, { custom: [slow], limits: { evaluation_timeout_ms: 20_000 } }));
    expect(done.code).to.equal(null);
    expect(done.value).to.include({ outcome: 'evaluation_error' });
    expect(aborted).to.be.at.most(1);
  });

  it('no program catches the end of a run by its protocol errors', async () => {
    const strict = work(() => 1, { inputSchema: { type: 'object', required: ['n'] } });
    const done = await runs.run(
      inMission('(try (dotimes [_ 9] (tool/work)) (catch Throwable e 1))', {
        custom: [strict],
        limits: { protocol_errors: 3 },
      }),
    );
    expect([done.code, done.exitStatus, done.usage['protocol_errors']]).to.deep.equal(['runtime_limit_exceeded', 6, 4]);
  });

  it('a private run of missions fails with the event that is lost', async () => {
    const done = await runs.run(
      inMission('(tool/work)', { custom: [work(() => 1)], privateEvents: true, limits: { normal_event_count: 5 } }),
    );
    expect([done.code, done.exitStatus]).to.deep.equal(['event_capture_limit_exceeded', 7]);
  });

  it('a signal ends evaluations and calls alike', async () => {
    const stop = new AbortController();
    const waiting = work(
      () =>
        new Promise(() => {
          stop.abort('SIGTERM');
        }),
    );
    const done = await runs.run(inMission('(tool/work)', { custom: [waiting], request: { signal: stop.signal } }));
    expect([done.code, done.exitStatus]).to.deep.equal(['internal_error', 143]);
    expect(done.envelope.artifact_state.trace).to.equal('written');
  });
});
