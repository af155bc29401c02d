import { expect } from 'chai';
import { readFile, readdir, stat } from 'node:fs/promises';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { faultyFileSystem } from '../evidence/publication/testing/faulty-file-system.ts';
import type { RunnableApplication } from './application.ts';
import { bareEnvironments } from './bare-environments.ts';
import type { OpenEnvironments } from './environments.ts';
import { ENTRY_EXPORT, evaluatesTo, fakeSandbox, type FakeAnswers } from './testing/fake-sandbox.ts';
import { testRun, manualClock, plainApplication, runPrepared, runSeams } from './testing/run-fixture.ts';
import { ended, faulted, replied, useRuns, type Situation } from './testing/run-harness.ts';

describe('a run from its destinations to its artifacts (runtime.md §1, §3)', () => {
  const runs = useRuns();

  it('publishes trace and result of a plain workflow, and says so', async () => {
    const done = await runs.run({});
    expect(done.envelope).to.deep.include({
      status: 'ok',
      artifact_class: 'normal',
      artifact_state: { trace: 'written', inspection: 'not_requested', result: 'written' },
    });
    expect(done.valueText).to.equal('{"greeting":"hello world"}');
    expect(done.exit).to.equal(0);
    const resultFile = `${runs.root}/.svc/results/${done.runRef}.json`;
    expect(await readFile(resultFile, 'utf8')).to.equal('{"greeting":"hello world"}');
    expect((await stat(resultFile)).mode & 0o777).to.equal(0o644 & ~process.umask());
    expect((await stat(`${runs.root}/.svc/traces/${done.runRef}.jsonl`)).mode & 0o777).to.equal(0o600);
    const trace = await runs.traceOf(done);
    expect(trace.map(({ type }) => type)).to.deep.equal([
      'run-started',
      'evaluation-started',
      'evaluation-stopped',
      'run-stopped',
    ]);
    expect(trace.at(-1)?.data.get('result_hash')).to.match(/^sha256:/);
    expect(await runs.leftovers()).to.deep.equal([]);
    expect(done.liveIsolates).to.equal(0);
  });

  it('touches no file when nothing is asked for', async () => {
    const done = await runs.run({ request: () => ({ project: null }) });
    expect(done.envelope.status).to.equal('ok');
    expect(await readdir(runs.root)).to.deep.equal([]);
  });

  it('keeps the class of every number of the value', async () => {
    const done = await runs.run({ answers: evaluatesTo('{"b":123456789012345678901234567890,"a":1.0}') });
    expect(done.valueText).to.equal('{"a":1.0,"b":123456789012345678901234567890}');
    expect(envelopeText(done.envelope)).to.include('"value":{"a":1.0,"b":123456789012345678901234567890}');
  });

  it('computes the usage of a run without capabilities', async () => {
    const clock = manualClock();
    const answers: FakeAnswers = {
      evaluate: () => {
        clock.advance(1250);
        return { status: 'replied', reply: { outcome: 'returned', value: '1', projection_fault: null, prints: [] } };
      },
    };
    const done = await runs.run({
      answers,
      tools: { clock },
      application: plainApplication({}, { run_duration_ms: 10_000 }),
    });
    expect(done.envelope.execution).to.have.nested.property('usage.remaining_ms', 8750);
    const [, , stopped] = await runs.traceOf(done);
    expect(stopped?.data.get('duration_ms')).to.equal(1250);
  });

  const CONTRACT = {
    check: () =>
      diagnostic('result_contract_failed', { source: { kind: 'result_contract', name: 'result.json' }, path: '/a' }),
    explain: () => null,
  };

  /** code, phase, exit, execution state and outcome, message. */
  const failures: readonly {
    readonly rule: string;
    readonly situation: Situation;
    readonly code: string;
    readonly exit: number;
    readonly execution: string;
    readonly message?: string;
    readonly lastError?: unknown;
  }[] = [
    {
      rule: '(fail v): explicit_failure, whose value stays inside',
      situation: { answers: evaluatesTo('{"kind":"invalid_input","text":"secret"}', 'failed') },
      code: 'explicit_failure',
      exit: 5,
      execution: 'finished/error',
      message: 'the workflow failed explicitly; its value is not kept, no inspection artifact was requested',
    },
    {
      rule: 'an evaluator error: evaluation_failed with its public form',
      situation: {
        answers: faulted('arithmetic_error', {
          public_error: { kind: 'arithmetic_error', message: 'division by zero' },
        }),
      },
      code: 'evaluation_failed',
      exit: 5,
      execution: 'finished/error',
      message: 'the workflow ended with an evaluation error: arithmetic_error',
      lastError: { kind: 'arithmetic_error', message: 'division by zero' },
    },
    {
      rule: 'an error of no public kind tells no more than its word',
      situation: { answers: faulted('runtime_error', { public_error: { kind: 'runtime_error', message: 'x' } }) },
      code: 'evaluation_failed',
      exit: 5,
      execution: 'finished/error',
      lastError: null,
    },
    {
      rule: 'a bundle that refuses to attach is an evaluator error',
      situation: {
        answers: {
          load: () => ({
            status: 'replied',
            reply: {
              status: 'refused',
              fault: { reason: 'type_error', message: 'm', component: null, span: null, details: {} },
            },
          }),
        },
      },
      code: 'evaluation_failed',
      exit: 5,
      execution: 'finished/error',
    },
    {
      rule: 'workflow time: its printed form',
      situation: {
        answers: ended({ status: 'timeout' }),
        application: plainApplication({}, { workflow_timeout_ms: 500 }),
      },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'incomplete',
      message: 'workflow_timeout_ms limit 500 ms was exceeded during execution',
    },
    {
      rule: 'workflow time while attaching: during compilation',
      situation: {
        answers: { load: () => ({ status: 'timeout' }) },
        application: plainApplication({}, { workflow_timeout_ms: 500 }),
      },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'incomplete',
      message: 'workflow_timeout_ms limit 500 ms was exceeded during compilation',
    },
    {
      rule: 'the run deadline when it is nearer',
      situation: {
        answers: ended({ status: 'timeout' }),
        application: plainApplication({}, { run_duration_ms: 400, workflow_timeout_ms: 500 }),
      },
      code: 'run_timeout',
      exit: 6,
      execution: 'incomplete',
      message: 'the run duration limit was exceeded',
    },
    {
      rule: 'workflow memory: generic text',
      situation: { answers: ended({ status: 'memory_exceeded' }) },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'incomplete',
      message: 'a runtime limit was exceeded',
    },
    {
      rule: 'endless recursion is the same limit (runtime.md §9)',
      situation: { answers: faulted('memory_exceeded') },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'finished/error',
      message: 'a runtime limit was exceeded',
    },
    {
      rule: 'a killed host',
      situation: { answers: ended({ status: 'host_lost', cause: 'killed' }) },
      code: 'workflow_failed',
      exit: 5,
      execution: 'incomplete',
    },
    {
      rule: 'a host that died through another run',
      situation: { answers: ended({ status: 'host_lost', cause: 'neighbour' }) },
      code: 'workflow_failed',
      exit: 5,
      execution: 'incomplete',
    },
    {
      rule: 'a host that exits',
      situation: { answers: ended({ status: 'host_lost', cause: 'exited' }) },
      code: 'workflow_failed',
      exit: 5,
      execution: 'incomplete',
    },
    {
      rule: 'a host that breaks the protocol',
      situation: { answers: ended({ status: 'host_lost', cause: 'protocol_violation' }) },
      code: 'internal_error',
      exit: 70,
      execution: 'incomplete',
    },
    {
      rule: 'a value without JSON form',
      situation: {
        answers: replied({
          outcome: 'continued',
          value: null,
          projection_fault: {
            reason: 'projection_error',
            message: 'm',
            span: null,
            details: {},
            exception_class: null,
            public_error: null,
          },
          prints: [],
        }),
      },
      code: 'result_invalid',
      exit: 7,
      execution: 'finished/ok',
    },
    {
      rule: 'text that is no JSON',
      situation: { answers: evaluatesTo('{"a":1,"a":2}') },
      code: 'result_invalid',
      exit: 7,
      execution: 'finished/ok',
    },
    {
      rule: 'a value larger than terminal_result_bytes',
      situation: {
        answers: evaluatesTo('"123456789"'),
        application: plainApplication({}, { terminal_result_bytes: 10 }),
      },
      code: 'result_limit_exceeded',
      exit: 7,
      execution: 'finished/ok',
      message: 'the result exceeds limit terminal_result_bytes of 10 bytes',
    },
    {
      rule: 'a value against its contract',
      situation: { application: plainApplication({ resultContract: CONTRACT }) },
      code: 'result_contract_failed',
      exit: 7,
      execution: 'finished/ok',
    },
  ];

  for (const { rule, situation, code, exit, execution, message, lastError } of failures) {
    it(`${rule}: ${code}, exit ${exit}, evidence published, no result`, async () => {
      const done = await runs.run(situation);
      const { envelope } = done;
      if (envelope.status === 'ok') throw new Error('this run fails');
      expect(envelope.error.code).to.equal(code);
      expect(done.exit).to.equal(exit);
      const record = envelope.execution;
      expect(record.state === 'finished' ? `finished/${record.outcome}` : record.state).to.equal(execution);
      if (message !== undefined) expect(envelope.error.message).to.equal(message);
      if (lastError !== undefined) expect(record).to.have.property('last_evaluation_error').that.deep.equals(lastError);
      expect(record).to.have.property('usage').that.is.an('object');
      expect(envelope.artifact_state).to.deep.equal({
        trace: 'written',
        inspection: 'not_requested',
        result: 'not_written',
      });
      expect(done.valueText).to.equal(null);
      expect(envelopeText(envelope)).to.not.include('secret');
      const trace = await runs.traceOf(done);
      expect(trace.at(-1)?.data.get('outcome')).to.equal('error');
      expect(trace.at(-1)?.data.get('reason')).to.equal(code);
      expect(await readdir(`${runs.root}/.svc/results`)).to.deep.equal([]);
      expect(await runs.leftovers()).to.deep.equal([]);
      expect(done.liveIsolates).to.equal(0);
    });
  }

  it('a value may nest as deep as an envelope can hold, and no deeper', async () => {
    const nested = (depth: number): FakeAnswers => evaluatesTo('['.repeat(depth) + ']'.repeat(depth));
    expect((await runs.run({ answers: nested(500) })).exit).to.equal(0);
    for (const depth of [501, 400_000]) {
      expect((await runs.run({ answers: nested(depth) })).envelope).to.have.nested.property(
        'error.code',
        'result_invalid',
      );
    }
  });

  it('at exactly terminal_result_bytes a value passes', async () => {
    const done = await runs.run({
      answers: evaluatesTo('"12345678"'),
      application: plainApplication({}, { terminal_result_bytes: 10 }),
    });
    expect(done.exit).to.equal(0);
  });

  it('names a known failure kind in the trace, and fingerprints any other', async () => {
    const known = await runs.traceOf(await runs.run({ answers: evaluatesTo('{"kind":"invalid_input"}', 'failed') }));
    expect(known.at(-1)?.data.get('failure_kind')).to.equal('invalid-input');
    const other = await runs.traceOf(await runs.run({ answers: evaluatesTo('{"kind":"my secret"}', 'failed') }));
    expect(other.at(-1)?.data.get('failure_kind_fingerprint')).to.match(/^sha256:/);
    expect(other.at(-1)?.data.has('failure_kind')).to.equal(false);
  });

  it('puts the limit that stopped it into the trace', async () => {
    const trace = await runs.traceOf(
      await runs.run({
        answers: ended({ status: 'timeout' }),
        application: plainApplication({}, { workflow_timeout_ms: 500 }),
      }),
    );
    const limit = trace.find(({ type }) => type === 'limit-exceeded');
    expect(Object.fromEntries(limit?.data ?? [])).to.deep.equal({
      reason: 'timeout',
      environment: 'workflow',
      limit: 'workflow_timeout_ms',
      limit_ms: 500,
      phase: 'execution',
    });
  });

  it('a normal run drops what does not fit and says how much', async () => {
    const done = await runs.run({ application: plainApplication({}, { normal_event_count: 3 }) });
    expect(done.exit).to.equal(0);
    expect(done.envelope.execution)
      .to.have.nested.property('usage.events_dropped')
      .that.deep.equals({ 'evaluation-started': 1, 'evaluation-stopped': 1 });
    expect((await runs.traceOf(done)).map(({ type }) => type)).to.deep.equal([
      'run-started',
      'events-dropped',
      'run-stopped',
    ]);
    expect(done.eventLoss).to.include({ events: 2, limit: 'normal_event_count' });
  });

  it('a payload limit too small for the end of this application stops it before it starts', async () => {
    const done = await runs.run({ application: plainApplication({}, { event_payload_bytes: 500 }) });
    expect(done.envelope).to.have.nested.property('error.code', 'limit_capacity_invalid');
    expect(done.envelope).to.deep.include({ artifact_class: 'normal', execution: { state: 'not_started' } });
    expect(done.exit).to.equal(3);
    expect(await runs.leftovers()).to.deep.equal([]);
  });

  it('a capability that nothing supplies stops it before it starts', async () => {
    const exports = [{ ...ENTRY_EXPORT, requirements: ['tool:search'] }];
    const application = plainApplication();
    const done = await runs.run({ application: { ...application, workflow: { ...application.workflow, exports } } });
    expect(done.envelope).to.have.nested.property('error.message', 'Missing capability requirement: search');
    expect(done.envelope).to.deep.include({ artifact_class: 'normal', execution: { state: 'not_started' } });
    expect(done.exit).to.equal(4);
  });

  it('many runs of one project at once each leave their own artifacts and nothing else', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => runs.run({})));
    expect(all.map(({ exit }) => exit)).to.deep.equal(all.map(() => 0));
    expect((await readdir(`${runs.root}/.svc/traces`)).toSorted()).to.deep.equal(
      all.map(({ runRef }) => `${runRef}.jsonl`).toSorted(),
    );
    expect(await runs.leftovers()).to.deep.equal([]);
  });

  it('a failure of an acquired provider keeps its activity', async () => {
    const error = diagnostic('provider_unavailable', {
      subject: {
        kind: 'provider',
        name: 'm',
        operation: 'acquisition',
        occurrence: { destination: 'workflow', index: 0 },
      },
    });
    const sandbox = fakeSandbox();
    const performed = await runPrepared(
      { ...runSeams({ sandbox }), openEnvironments: async () => failure(error) },
      testRun(),
      plainApplication(),
    );
    expect(performed.envelope).to.deep.include({ artifact_class: 'normal', error });
    expect(performed.envelope.execution).to.deep.equal({
      state: 'incomplete',
      usage: null,
      evaluation_memory: null,
      last_evaluation_error: null,
    });
  });

  it('a provider that cannot be released fails the run after its value, which is not published', async () => {
    const error = diagnostic('provider_cleanup_failed', { providerActivity: true });
    const openEnvironments: OpenEnvironments = async (context) =>
      success({ ...bareEnvironments(context), providerActivity: true, close: async () => error });
    const tools = { ...runSeams({ sandbox: fakeSandbox(evaluatesTo('1')) }), openEnvironments };
    const performed = await runPrepared(tools, testRun(), plainApplication());
    expect(performed.envelope).to.deep.include({ status: 'error', error });
    expect(performed.envelope.execution).to.deep.include({ state: 'finished', outcome: 'ok' });
    expect(performed.valueText).to.equal(null);
  });

  it('what was acquired is released however the run ends', async () => {
    const closed: string[] = [];
    const opening =
      (name: string): OpenEnvironments =>
      async (context) =>
        success({
          ...bareEnvironments(context),
          close: async () => {
            closed.push(name);
            return null;
          },
        });
    const bug: FakeAnswers = {
      evaluate: () => {
        throw new Error('bug');
      },
    };
    const ends: Readonly<Record<string, readonly [FakeAnswers, RunnableApplication]>> = {
      value: [evaluatesTo('1'), plainApplication()],
      failure: [evaluatesTo('1', 'failed'), plainApplication()],
      bug: [bug, plainApplication()],
      capacity: [{}, plainApplication({}, { event_payload_bytes: 500 })],
    };
    for (const [name, [answers, application]] of Object.entries(ends)) {
      const tools = { ...runSeams({ sandbox: fakeSandbox(answers) }), openEnvironments: opening(name) };
      await runPrepared(tools, testRun(), application);
    }
    expect([...new Set(closed)]).to.deep.equal(Object.keys(ends));
  });

  it('a throw in any step is an internal error with a valid envelope, and leaves nothing behind', async () => {
    for (const step of ['load', 'evaluate'] as const) {
      const bug = (): never => {
        throw new Error(`bug in ${step}`);
      };
      const done = await runs.run({ answers: { [step]: bug } });
      expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
      expect(done.envelope).to.have.nested.property('execution.state', 'incomplete');
      expect(done.unexpected).to.be.instanceOf(Error);
      expect(done.exit).to.equal(70);
      expect(await runs.leftovers()).to.deep.equal([]);
      expect(done.liveIsolates).to.equal(0);
    }
  });

  it('whatever call of the file system fails, the envelope is valid and tells what lies there', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    const confined = plainApplication({ artifactClass: 'private' });
    await runs.run({ application: confined, tools: { fileSystem: count.fileSystem } });
    for (let at = 1; at <= count.calls(); at += 1) {
      const fileSystem: PublicationFileSystem = faultyFileSystem(nodeFileSystem(), {
        at,
        manner: { kind: 'error', errno: 'EIO' },
      }).fileSystem;
      const done = await runs.run({ application: confined, tools: { fileSystem } });
      const { artifact_state: states } = done.envelope;
      const results: readonly string[] = await readdir(`${runs.root}/.svc/results`).catch(() => []);
      const place = `call ${at}`;
      expect(done.unexpected, place).to.equal(null);
      if (states.result !== 'finalization_uncertain')
        expect(results.includes(`${done.runRef}.private.json`), place).to.equal(states.result === 'written');
      if (states.result === 'recovery_written')
        expect(results, place).to.include(`.svc-private-result-${done.runRef}.json`);
      expect(done.exit, place).to.be.oneOf([0, 7]);
    }
  });
});
