/** Failures that only the agent's own component can report, and nobody can catch or imitate (runtime.md §6, §7). */
import { expect } from 'chai';
import type { Ended } from '../../../supervisor/test/capabilities/runs.ts';
import { useReporters } from './reporter-runs.ts';
import { BOUNDS, REPORTS, type Report } from './reporter-tables.ts';

const USUAL = {
  phase: 'execution',
  source: null,
  path: null,
  span: null,
  subject: null,
  notes: [],
  retryable: false,
  provider_activity: false,
};

function errorOf({ envelope }: Ended): unknown {
  return envelope.status === 'error' ? envelope.error : null;
}

/** What the last event tells of the failure, without usage. */
function stoppedOf({ events }: Ended): Readonly<Record<string, unknown>> {
  const last = events.at(-1);
  expect(last?.type).to.equal('run-stopped');
  const { usage, ...rest } = last?.data ?? {};
  expect(usage).to.be.an('object');
  return rest;
}

function printsOf({ records }: Ended): unknown {
  return records.find(({ type }) => type === 'execution-prints')?.payload['prints'] ?? [];
}

function form(value: unknown): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[${value.map(form).join(' ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `:${name} ${form(member)}`)
    .join(' ')}}`;
}

/** The whole end of a run by this report: envelope, exit status, and the last events of its trace. */
function expectReported(done: Ended, { error, exitStatus, stopped }: Report): void {
  const diagnostic = { ...USUAL, ...error };
  expect([done.unexpected, done.value]).to.deep.equal([null, undefined]);
  expect(errorOf(done)).to.deep.equal(diagnostic);
  expect(done.exitStatus).to.equal(exitStatus);
  // A violated result contract is a guard's verdict on a workflow that ended, not a failure of it.
  const isExecution = diagnostic.phase === 'execution';
  expect(done.envelope.execution).to.deep.include({
    state: 'finished',
    outcome: isExecution ? 'error' : 'ok',
    diagnostic: isExecution ? diagnostic : null,
    last_evaluation_error: null,
  });
  const { code, phase } = { ...USUAL, code: '', ...error };
  expect(stoppedOf(done)).to.deep.equal({ outcome: 'error', reason: code, diagnostic: { code, phase }, ...stopped });
  expect(
    done.events.slice(-3).map(({ type, data }) => `${type} ${String(data['status'] ?? data['outcome'])}`),
  ).to.deep.equal(['capability-stopped error', 'evaluation-stopped error', 'run-stopped error']);
  expect(done.usage).to.deep.include({
    protocol_errors: 0,
    agent_protocol_errors: 0,
    capability_refusals: {},
    capability_denials: {},
  });
}

describe('authenticated failure reporters', () => {
  const runs = useReporters();

  for (const report of REPORTS) {
    const { title, claim, application = {}, error, generic } = report;
    describe(title, () => {
      it('ends the run past every catch; finally runs and reaches nothing', async () => {
        const body = `(try (try ${claim} (catch Throwable e (println "caught") e)) (catch clojure.lang.ExceptionInfo e (println "caught")) (finally (println "finally") (agent.core/protocol-error {}) (println "beyond")))`;
        const done = await runs.run({ ...application, body });
        expectReported(done, report);
        expect(printsOf(done)).to.deep.equal(['finally']);
      });

      for (const parallel of [
        `(first (pmap (fn [_] (try ${claim} (catch Throwable e 1))) [1]))`,
        `(first (pcalls (fn [] (try ${claim} (catch Throwable e 1))) (fn [] 1)))`,
        `(first (map (fn [_] ${claim}) [1]))`,
      ]) {
        it(`ends it the same through ${parallel.slice(7, parallel.indexOf(' ', 7))}`, async () => {
          expectReported(await runs.run({ ...application, body: `(try ${parallel} (catch Throwable e 1))` }), report);
        });
      }

      it('tells its code alone where the run is private', async () => {
        const done = await runs.run({ ...application, body: claim, isPrivate: true });
        expectReported(done, { ...report, error: { ...error, message: generic } });
        expect(done.envelope.artifact_class).to.equal('private');
      });

      it('is not what a program makes that fails with the same facts', async () => {
        const facts = form({
          ...USUAL,
          ...error,
          ...report.stopped,
          kind: report.stopped['failure_kind'] ?? 'authenticated',
        });
        const failed = await runs.run({ body: `(fail ${facts})` });
        expect([failed.code, failed.exitStatus]).to.deep.equal(['explicit_failure', 5]);
        const { failure_kind: kind, failure_kind_fingerprint: fingerprint, ...rest } = stoppedOf(failed);
        expect(rest).to.deep.equal({
          outcome: 'error',
          reason: 'explicit_failure',
          diagnostic: { code: 'explicit_failure', phase: 'execution' },
        });
        expect([kind, fingerprint].filter((reported) => reported !== undefined)).to.have.length(1);
        const thrown = await runs.run({ body: `(throw (ex-info ${JSON.stringify(error['message'])} ${facts}))` });
        expect([thrown.code, thrown.exitStatus]).to.deep.equal(['evaluation_failed', 5]);
        expect(stoppedOf(thrown)).to.deep.equal({
          outcome: 'error',
          reason: 'evaluation_failed',
          diagnostic: { code: 'evaluation_failed', phase: 'execution' },
        });
        const caught = await runs.run({ body: `(try (throw (ex-info "x" ${facts})) (catch Throwable e :caught))` });
        expect([caught.code, caught.value]).to.deep.equal([null, { 'a-b': 0, answer: ':caught' }]);
      });
    });
  }

  for (const { title, claim, believed, refused, code, reason } of BOUNDS) {
    for (const number of believed) {
      it(`${title} ${number} is believed`, async () => {
        expect(await runs.run({ body: claim(number) })).to.include({ code, unexpected: null });
      });
    }
    for (const number of refused) {
      it(`${title} ${number} is refused`, async () => {
        const done = await runs.run({ body: `(:reason ${claim(number)})` });
        expect([done.code, done.value]).to.deep.equal([null, { 'a-b': 0, answer: `:${reason}` }]);
      });
    }
  }

  it('ends what other branches still do', async () => {
    const done = await runs.run({
      body: '(pcalls (fn [] (kernel/eval-source "m" "(loop [] (recur))")) (fn [] (agent.core/limit {:agent_turns 4 :reason "protocol-error"})))',
      limits: { evaluation_timeout_ms: 20_000 },
    });
    expect([done.unexpected, done.code, done.exitStatus]).to.deep.equal([null, 'turn_limit_exceeded', 6]);
    const paired = (begin: string, end: string): void => {
      expect(done.events.filter(({ type }) => type === end)).to.have.length(
        done.events.filter(({ type }) => type === begin).length,
      );
    };
    paired('evaluation-started', 'evaluation-stopped');
    paired('capability-started', 'capability-stopped');
  });

  it('is told where the trace has no room for it, unless a private run has failed for that before', async () => {
    // Room for the start of the run, of its evaluation and of one call.
    const limits = { normal_event_count: 3 };
    const body = '(agent.core/limit {:agent_turns 4 :reason "protocol-error"})';
    const later = `(do (agent.core/protocol-error {}) ${body})`;
    for (const [form, isPrivate, code, exitStatus] of [
      [body, false, 'turn_limit_exceeded', 6],
      [body, true, 'turn_limit_exceeded', 6],
      [later, false, 'turn_limit_exceeded', 6],
      [later, true, 'event_capture_limit_exceeded', 7],
    ] as const) {
      expect(await runs.run({ body: form, limits, isPrivate }), form).to.include({ code, exitStatus });
    }
  });

  describe('the last failure of a program', () => {
    const fail = '(kernel/eval-source "m" "(inc nil)")';
    const rows: readonly (readonly [title: string, claim: string, isTold: boolean])[] = [
      ['belongs to turns that ended with it', '(agent.core/limit {:agent_turns 4 :reason "evaluation-error"})', true],
      [
        'belongs to the evaluation that is named',
        '(agent.core/limit {:agent_turns 4 :reason "evaluation-error" :evaluation_id id})',
        true,
      ],
      [
        'does not belong to another evaluation',
        '(agent.core/limit {:agent_turns 4 :reason "evaluation-error" :evaluation_id "mission-evaluation-9"})',
        false,
      ],
      [
        'does not belong to turns that ended otherwise',
        '(agent.core/limit {:agent_turns 4 :reason "intermediate-result" :evaluation_id id})',
        false,
      ],
      [
        'belongs to the outcome that was recorded for it',
        '(let [evidence {:status "subject-failure" :kind "turn-limit" :error {:reason "evaluation-error" :limit_value 4}}] (agent.core/outcome {:mode "consume" :evidence evidence :token (get (:value (agent.core/outcome {:mode "record-turn" :evidence evidence :evaluation_id id})) "failure_token")}))',
        true,
      ],
    ];
    for (const [title, claim, isReported] of rows) {
      it(title, async () => {
        const { envelope } = await runs.run({ body: `(let [id (get ${fail} "evaluation_id")] ${claim})` });
        expect(envelope.execution).to.include({ state: 'finished', outcome: 'error' });
        expect(envelope.execution)
          .to.have.property('last_evaluation_error')
          .that.satisfies((reported: unknown) =>
            isReported ? Object(reported).kind === 'type_error' : reported === null,
          );
      });
    }

    it('is for its owner alone where the run is private', async () => {
      const { envelope } = await runs.run({
        body: `(do ${fail} (agent.core/limit {:agent_turns 4 :reason "evaluation-error"}))`,
        isPrivate: true,
      });
      expect(envelope.execution).to.deep.include({ state: 'finished', last_evaluation_error: null });
    });
  });
});
