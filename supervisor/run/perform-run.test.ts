import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { HELP_TOPICS } from '../../contract/envelope/results.ts';
import { envelopeSchema } from '../../contract/envelope/schema.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import { failure } from '../../contract/outcome.ts';
import type { EvaluateReply, EvaluationFault, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import { readTrace } from '../evidence/reader/read-trace.ts';
import type { PublicationFileSystem } from '../publication/file-system.ts';
import { nodeFileSystem } from '../publication/node-file-system.ts';
import { faultyFileSystem } from '../publication/testing/faulty-file-system.ts';
import type { RunnableApplication } from './application.ts';
import type { ProjectArtifacts } from './destinations.ts';
import { runExitStatus } from './exit.ts';
import { performRun } from './perform-run.ts';
import type { PerformedRun } from './perform-run.ts';
import type { RunRequest } from './run-tools.ts';
import { removeScratch, scratchDirectory } from '../publication/testing/scratch.ts';
import { ENTRY_EXPORT, evaluatesTo, fakeSandbox } from './testing/fake-sandbox.ts';
import type { FakeAnswers } from './testing/fake-sandbox.ts';
import { manualClock, plainApplication, runRequest, runTools } from './testing/run-fixture.ts';
import type { FixtureOptions } from './testing/run-fixture.ts';

const isEnvelope = new Ajv2020({ strict: true, strictTuples: false }).compile(
  envelopeSchema(HELP_TOPICS.map((topic) => ({ topic, usage: [`svc ${topic}`], options: [], notices: [] }))),
);

interface Situation {
  readonly answers?: FakeAnswers;
  readonly application?: RunnableApplication;
  readonly request?: (root: string) => Partial<RunRequest>;
  readonly tools?: Partial<FixtureOptions>;
}

interface Ended extends PerformedRun {
  readonly root: string;
  readonly runRef: string;
  readonly exit: number;
  readonly liveIsolates: number;
}

const ALL_ARTIFACTS = (root: string): ProjectArtifacts => ({ root: `${root}/.svc`, trace: true, inspection: false, result: true, envelope: true });

describe('a run from its destinations to its artifacts (runtime.md §1, §3)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  async function run({ answers = evaluatesTo('{"greeting":"hello world"}'), application = plainApplication(), request, tools = {} }: Situation): Promise<Ended> {
    const sandbox = fakeSandbox(answers);
    const asked = runRequest({ project: ALL_ARTIFACTS(root), ...request?.(root) });
    const signal = tools.signal ?? new AbortController().signal;
    const performed = await performRun(runTools({ sandbox, ...tools, signal }), asked, application);
    const schemaFaults = isEnvelope(JSON.parse(envelopeText(performed.envelope))) ? [] : isEnvelope.errors;
    expect(schemaFaults, 'the envelope fits its published schema').to.deep.equal([]);
    return { ...performed, root, runRef: asked.runRef, exit: runExitStatus(performed.envelope, signal, false), liveIsolates: sandbox.live() };
  }

  function replied(reply: EvaluateReply): FakeAnswers {
    return { evaluate: () => ({ status: 'replied', reply }) };
  }

  function faulted(reason: string, over: Partial<EvaluationFault> = {}): FakeAnswers {
    const fault: EvaluationFault = { reason, message: 'secret prose', span: null, details: {}, exception_class: null, public_error: null, ...over };
    return replied({ outcome: 'evaluation_error', fault, prints: [] });
  }

  function ended(outcome: GuestOutcome<EvaluateReply>): FakeAnswers {
    return { evaluate: () => outcome };
  }

  async function traceOf({ runRef }: Ended, suffix = '.jsonl') {
    const read = readTrace(await readFile(`${root}/.svc/traces/${runRef}${suffix}`));
    if (!read.ok) throw new Error(read.fault.rule);
    return read.records;
  }

  async function leftovers(): Promise<readonly string[]> {
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => name.includes('.svc-private') || name.includes('.svc-reservation'));
  }

  it('publishes trace and result of a plain workflow, and says so', async () => {
    const done = await run({});
    expect(done.envelope).to.deep.include({ status: 'ok', artifact_class: 'normal', artifact_state: { trace: 'written', inspection: 'not_requested', result: 'written' } });
    expect(done.valueText).to.equal('{"greeting":"hello world"}');
    expect(done.exit).to.equal(0);
    const resultFile = `${root}/.svc/results/${done.runRef}.json`;
    expect(await readFile(resultFile, 'utf8')).to.equal('{"greeting":"hello world"}');
    expect((await stat(resultFile)).mode & 0o777).to.equal(0o644 & ~process.umask());
    expect((await stat(`${root}/.svc/traces/${done.runRef}.jsonl`)).mode & 0o777).to.equal(0o600);
    const trace = await traceOf(done);
    expect(trace.map(({ type }) => type)).to.deep.equal(['run-started', 'evaluation-started', 'evaluation-stopped', 'run-stopped']);
    expect(trace.at(-1)?.data.get('result_hash')).to.match(/^sha256:/);
    expect(await leftovers()).to.deep.equal([]);
    expect(done.liveIsolates).to.equal(0);
  });

  it('touches no file when nothing is asked for', async () => {
    const done = await run({ request: () => ({ project: null }) });
    expect(done.envelope.status).to.equal('ok');
    expect(await readdir(root)).to.deep.equal([]);
  });

  it('keeps the class of every number of the value', async () => {
    const done = await run({ answers: evaluatesTo('{"b":123456789012345678901234567890,"a":1.0}') });
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
    const done = await run({ answers, tools: { clock }, application: plainApplication({}, { run_duration_ms: 10_000 }) });
    expect(done.envelope.execution).to.have.nested.property('usage.remaining_ms', 8750);
    const [, , stopped] = await traceOf(done);
    expect(stopped?.data.get('duration_ms')).to.equal(1250);
  });

  const CONTRACT = { check: () => diagnostic('result_contract_failed', { source: { kind: 'result_contract', name: 'result.json' }, path: '/a' }) };

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
      situation: { answers: faulted('arithmetic_error', { public_error: { kind: 'arithmetic_error', message: 'division by zero' } }) },
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
      situation: { answers: { load: () => ({ status: 'replied', reply: { status: 'refused', fault: { reason: 'type_error', message: 'm', component: null, span: null, details: {} } } }) } },
      code: 'evaluation_failed',
      exit: 5,
      execution: 'finished/error',
    },
    {
      rule: 'workflow time: its printed form',
      situation: { answers: ended({ status: 'timeout' }), application: plainApplication({}, { workflow_timeout_ms: 500 }) },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'incomplete',
      message: 'workflow_timeout_ms limit 500 ms was exceeded during execution',
    },
    {
      rule: 'workflow time while attaching: during compilation',
      situation: { answers: { load: () => ({ status: 'timeout' }) }, application: plainApplication({}, { workflow_timeout_ms: 500 }) },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'incomplete',
      message: 'workflow_timeout_ms limit 500 ms was exceeded during compilation',
    },
    {
      rule: 'the run deadline when it is nearer',
      situation: { answers: ended({ status: 'timeout' }), application: plainApplication({}, { run_duration_ms: 400, workflow_timeout_ms: 500 }) },
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
      rule: 'endless recursion is the same limit (decision 28)',
      situation: { answers: faulted('memory_exceeded') },
      code: 'runtime_limit_exceeded',
      exit: 6,
      execution: 'finished/error',
      message: 'a runtime limit was exceeded',
    },
    { rule: 'a killed host', situation: { answers: ended({ status: 'host_lost', cause: 'killed' }) }, code: 'workflow_failed', exit: 5, execution: 'incomplete' },
    { rule: 'a host that exits', situation: { answers: ended({ status: 'host_lost', cause: 'exited' }) }, code: 'workflow_failed', exit: 5, execution: 'incomplete' },
    { rule: 'a host that breaks the protocol', situation: { answers: ended({ status: 'host_lost', cause: 'protocol_violation' }) }, code: 'internal_error', exit: 70, execution: 'incomplete' },
    {
      rule: 'a value without JSON form',
      situation: { answers: replied({ outcome: 'continued', value: null, projection_fault: { reason: 'projection_error', message: 'm', span: null, details: {}, exception_class: null, public_error: null }, prints: [] }) },
      code: 'result_invalid',
      exit: 7,
      execution: 'finished/ok',
    },
    { rule: 'text that is no JSON', situation: { answers: evaluatesTo('{"a":1,"a":2}') }, code: 'result_invalid', exit: 7, execution: 'finished/ok' },
    {
      rule: 'a value larger than terminal_result_bytes',
      situation: { answers: evaluatesTo('"123456789"'), application: plainApplication({}, { terminal_result_bytes: 10 }) },
      code: 'result_limit_exceeded',
      exit: 7,
      execution: 'finished/ok',
      message: 'the result exceeds limit terminal_result_bytes of 10 bytes',
    },
    { rule: 'a value against its contract', situation: { application: plainApplication({ resultContract: CONTRACT }) }, code: 'result_contract_failed', exit: 7, execution: 'finished/ok' },
  ];

  for (const { rule, situation, code, exit, execution, message, lastError } of failures) {
    it(`${rule}: ${code}, exit ${exit}, evidence published, no result`, async () => {
      const done = await run(situation);
      const { envelope } = done;
      if (envelope.status === 'ok') throw new Error('this run fails');
      expect(envelope.error.code).to.equal(code);
      expect(done.exit).to.equal(exit);
      const record = envelope.execution;
      expect(record.state === 'finished' ? `finished/${record.outcome}` : record.state).to.equal(execution);
      if (message !== undefined) expect(envelope.error.message).to.equal(message);
      if (lastError !== undefined) expect(record).to.have.property('last_evaluation_error').that.deep.equals(lastError);
      expect(record).to.have.property('usage').that.is.an('object');
      expect(envelope.artifact_state).to.deep.equal({ trace: 'written', inspection: 'not_requested', result: 'not_written' });
      expect(done.valueText).to.equal(null);
      expect(envelopeText(envelope)).to.not.include('secret');
      const trace = await traceOf(done);
      expect(trace.at(-1)?.data.get('outcome')).to.equal('error');
      expect(trace.at(-1)?.data.get('reason')).to.equal(code);
      expect(await readdir(`${root}/.svc/results`)).to.deep.equal([]);
      expect(await leftovers()).to.deep.equal([]);
      expect(done.liveIsolates).to.equal(0);
    });
  }

  it('a value may nest as deep as an envelope can hold, and no deeper', async () => {
    const nested = (depth: number): FakeAnswers => evaluatesTo('['.repeat(depth) + ']'.repeat(depth));
    expect((await run({ answers: nested(500) })).exit).to.equal(0);
    for (const depth of [501, 400_000]) {
      expect((await run({ answers: nested(depth) })).envelope).to.have.nested.property('error.code', 'result_invalid');
    }
  });

  it('at exactly terminal_result_bytes a value passes', async () => {
    const done = await run({ answers: evaluatesTo('"12345678"'), application: plainApplication({}, { terminal_result_bytes: 10 }) });
    expect(done.exit).to.equal(0);
  });

  it('names a known failure kind in the trace, and fingerprints any other', async () => {
    const known = await traceOf(await run({ answers: evaluatesTo('{"kind":"invalid_input"}', 'failed') }));
    expect(known.at(-1)?.data.get('failure_kind')).to.equal('invalid-input');
    const other = await traceOf(await run({ answers: evaluatesTo('{"kind":"my secret"}', 'failed') }));
    expect(other.at(-1)?.data.get('failure_kind_fingerprint')).to.match(/^sha256:/);
    expect(other.at(-1)?.data.has('failure_kind')).to.equal(false);
  });

  it('puts the limit that stopped it into the trace', async () => {
    const trace = await traceOf(await run({ answers: ended({ status: 'timeout' }), application: plainApplication({}, { workflow_timeout_ms: 500 }) }));
    const limit = trace.find(({ type }) => type === 'limit-exceeded');
    expect(Object.fromEntries(limit?.data ?? [])).to.deep.equal({ reason: 'timeout', environment: 'workflow', limit: 'workflow_timeout_ms', limit_ms: 500, phase: 'execution' });
  });

  describe('stopping (runtime.md §10)', () => {
    for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
      it(`${signal} while the workflow runs: seals and publishes, exit ${status}`, async () => {
        const stop = new AbortController();
        const answers: FakeAnswers = {
          evaluate: () => {
            stop.abort(signal);
            return { status: 'cancelled' };
          },
        };
        const done = await run({ answers, tools: { signal: stop.signal } });
        expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
        expect(done.envelope).to.have.nested.property('execution.state', 'incomplete');
        expect(done.envelope.artifact_class).to.equal('normal');
        expect(done.envelope.artifact_state.trace).to.equal('written');
        expect(done.exit).to.equal(status);
      });
    }

    it('before anything ran: unclassified, nothing reserved', async () => {
      const done = await run({ tools: { signal: AbortSignal.abort('SIGINT') } });
      expect(done.envelope).to.deep.include({ artifact_class: 'unclassified', execution: { state: 'not_started' } });
      expect(done.exit).to.equal(130);
      expect(await readdir(root)).to.deep.equal([]);
    });
  });

  describe('destinations (runtime.md §1 step 10, §13)', () => {
    const explicit = { traceDirectory: null, inspection: null, output: null, privateOutput: null };
    const refused: readonly {
      readonly rule: string;
      readonly prepare?: (root: string) => Promise<unknown>;
      readonly request: (root: string) => Partial<RunRequest>;
      readonly application?: RunnableApplication;
      readonly code: string;
    }[] = [
      { rule: 'no trace directory', request: (at) => ({ project: null, explicit: { ...explicit, traceDirectory: `${at}/none` } }), code: 'trace_directory_missing' },
      { rule: 'a trace directory that is a file', prepare: (at) => writeFile(`${at}/file`, ''), request: (at) => ({ project: null, explicit: { ...explicit, traceDirectory: `${at}/file` } }), code: 'invalid_trace_destination' },
      { rule: 'a directory that others may change', prepare: (at) => chmod(at, 0o777), request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/out.json` } }), code: 'result_destination_unsafe' },
      { rule: 'an output that exists', prepare: (at) => writeFile(`${at}/out.json`, 'mine'), request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/out.json` } }), code: 'destination_exists' },
      { rule: 'an output that is a directory', request: (at) => ({ project: null, explicit: { ...explicit, output: at } }), code: 'destination_exists' },
      { rule: 'an output below a file', prepare: (at) => writeFile(`${at}/file`, ''), request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/file/out.json` } }), code: 'result_directory_missing' },
      { rule: 'no parent', request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/none/out.json` } }), code: 'result_directory_missing' },
      { rule: 'an inspection of another name', request: (at) => ({ project: null, explicit: { ...explicit, inspection: `${at}/run.json` } }), code: 'invalid_inspection_destination' },
      { rule: 'two destinations that are one file', request: (at) => ({ project: null, explicit: { ...explicit, inspection: `${at}/a.svcins`, output: `${at}/A.SVCINS` } }), code: 'conflicting_arguments' },
      { rule: 'a private run without destination', application: plainApplication({ artifactClass: 'private' }), request: () => ({ project: null }), code: 'private_destination_required' },
      { rule: 'a private run with --output', application: plainApplication({ artifactClass: 'private' }), request: (at) => ({ explicit: { ...explicit, output: `${at}/out.json` } }), code: 'private_destination_required' },
    ];
    for (const { rule, prepare, request, application, code } of refused) {
      it(`${rule}: ${code}`, async () => {
        await prepare?.(root);
        const before = await readdir(root);
        const done = await run({ request, ...(application === undefined ? {} : { application }) });
        expect(done.envelope).to.have.nested.property('error.code', code);
        expect(done.envelope).to.deep.include({ artifact_class: 'unclassified', execution: { state: 'not_started' } });
        if (application === undefined) expect(await readdir(root)).to.deep.equal(before);
        expect(await leftovers()).to.deep.equal([]);
      });
    }

    it('of two runs with one destination exactly one gets it', async () => {
      const request = (at: string): Partial<RunRequest> => ({ project: null, explicit: { ...explicit, output: `${at}/out.json` } });
      const both = await Promise.all([run({ request }), run({ request })]);
      expect(both.map(({ exit }) => exit)).to.have.members([0, 7]);
    });

    it('an artifact root that others may read is refused and left as it is', async () => {
      await run({});
      await chmod(`${root}/.svc/traces`, 0o755);
      const done = await run({});
      expect(done.envelope).to.have.nested.property('error.code', 'invalid_destination');
      expect(done.rootFault).to.deep.equal({ ok: false, fault: 'mode', child: 'traces' });
      expect((await stat(`${root}/.svc/traces`)).mode & 0o777).to.equal(0o755);
    });
  });

  describe('private runs (runtime.md §12)', () => {
    const secret = plainApplication({ artifactClass: 'private' });

    it('withhold the value, and write it for the owner only', async () => {
      const done = await run({ application: secret });
      expect(done.envelope).to.deep.include({ result: { result_class: 'private' }, artifact_class: 'private' });
      expect(done.valueText).to.equal(null);
      const file = `${root}/.svc/results/${done.runRef}.private.json`;
      expect(await readFile(file, 'utf8')).to.equal('{"greeting":"hello world"}');
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect((await traceOf(done, '.private.jsonl')).length).to.equal(4);
      expect(await leftovers()).to.deep.equal([]);
    });

    it('say no more than the code of a failure', async () => {
      const done = await run({ application: secret, answers: faulted('arithmetic_error', { public_error: { kind: 'arithmetic_error', message: 'division by zero' } }) });
      expect(done.envelope).to.have.nested.property('error.message', 'the workflow ended with an evaluation error');
      expect(done.envelope).to.have.nested.property('execution.last_evaluation_error', null);
      expect(await leftovers()).to.deep.equal([]);
    });

    it('fail when an event is lost', async () => {
      const done = await run({ application: plainApplication({ artifactClass: 'private' }, { normal_event_count: 3 }) });
      expect(done.envelope).to.have.nested.property('error.code', 'event_capture_limit_exceeded');
      expect(done.envelope.artifact_state).to.deep.equal({ trace: 'not_written', inspection: 'not_requested', result: 'not_written' });
      expect(done.exit).to.equal(7);
      expect(await leftovers()).to.deep.equal([]);
    });

    it('keep the value in recovery when the target is taken meanwhile', async () => {
      const target = `${root}/value.json`;
      const answers: FakeAnswers = {
        evaluate: async () => {
          await writeFile(target, 'foreign');
          return { status: 'replied', reply: { outcome: 'continued', value: '1', projection_fault: null, prints: [] } };
        },
      };
      const done = await run({ application: secret, answers, request: () => ({ project: null, explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: target } }) });
      expect(done.envelope).to.have.nested.property('error.code', 'destination_collision');
      expect(done.envelope.artifact_state.result).to.equal('recovery_written');
      expect(await readFile(target, 'utf8')).to.equal('foreign');
      expect(await readFile(`${root}/.svc-private-result-${done.runRef}.json`, 'utf8')).to.equal('1');
    });
  });

  describe('inspection (evidence.md §6)', () => {
    const inspected = (at: string): Partial<RunRequest> => ({
      project: null,
      explicit: { traceDirectory: at, inspection: `${at}/run.svcins`, output: null, privateOutput: null },
    });

    async function records(): Promise<readonly { record_type: string; payload: Readonly<Record<string, unknown>> }[]> {
      const [, ...lines] = (await readFile(`${root}/run.svcins`, 'utf8')).trimEnd().split('\n');
      return lines.slice(0, -1).map((line) => JSON.parse(line).record);
    }

    it('holds the sources, what was printed, and the value', async () => {
      const done = await run({ answers: replied({ outcome: 'continued', value: '{"a":1}', projection_fault: null, prints: ['hi'] }), request: inspected });
      expect(done.envelope).to.deep.include({ status: 'ok', artifact_state: { trace: 'written', inspection: 'written', result: 'not_requested' } });
      const found = await records();
      expect(found.map(({ record_type: type }) => type)).to.deep.equal(['prelude-source', 'execution-prints', 'run-result']);
      expect(found[0]?.payload).to.include({ environment: 'workflow', source: '(ns main)', source_bytes: 9 });
      expect((await stat(`${root}/run.svcins`)).mode & 0o777).to.equal(0o600);
    });

    it('keeps the value of a failure, and the diagnostic says so', async () => {
      const done = await run({ answers: evaluatesTo('{"kind":"x"}', 'failed'), request: inspected });
      expect(done.envelope).to.have.nested.property('error.message', 'the workflow failed explicitly; its value is kept in the inspection artifact');
      expect((await records()).at(-1)).to.deep.include({ record_type: 'explicit-failure-value', payload: { environment: 'workflow', value: { kind: 'x' } } });
    });

    it('does not keep a value that is too large or has no JSON form', async () => {
      const large = await run({ answers: evaluatesTo('"123456789"', 'failed'), request: inspected, application: plainApplication({}, { terminal_result_bytes: 10 }) });
      expect(large.envelope).to.have.nested.property('error.message').that.includes('larger than terminal_result_bytes');
    });

    it('tells an evaluation error in full', async () => {
      await run({ answers: faulted('type_error', { details: { line: 3 } }), request: inspected });
      expect((await records()).at(-1)).to.deep.include({
        record_type: 'execution-error',
        payload: { environment: 'workflow', kind: 'evaluation_error', reason: 'type_error', details: { line: 3, message: 'secret prose' } },
      });
    });

    it('whatever call of the file system fails, no unsealed inspection has its name', async () => {
      const count = faultyFileSystem(nodeFileSystem(), null);
      await run({ request: inspected, tools: { fileSystem: count.fileSystem } });
      for (let at = 1; at <= count.calls(); at += 1) {
        await removeScratch(`${root}/run.svcins`);
        const fileSystem = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'EIO' } }).fileSystem;
        const done = await run({ request: inspected, tools: { fileSystem } });
        const place = `call ${at}`;
        expect(done.unexpected, place).to.equal(null);
        expect(done.exit, place).to.be.oneOf([0, 7]);
        const text = await readFile(`${root}/run.svcins`, 'utf8').catch(() => null);
        expect(text === null || text.trimEnd().endsWith('}}'), place).to.equal(true);
        if (done.envelope.artifact_state.inspection === 'written') expect(text, place).to.include('"seal"');
        if (done.envelope.artifact_state.inspection === 'not_written') expect(text, place).to.equal(null);
      }
    });
  });

  it('a normal run drops what does not fit and says how much', async () => {
    const done = await run({ application: plainApplication({}, { normal_event_count: 3 }) });
    expect(done.exit).to.equal(0);
    expect(done.envelope.execution).to.have.nested.property('usage.events_dropped').that.deep.equals({ 'evaluation-started': 1, 'evaluation-stopped': 1 });
    expect((await traceOf(done)).map(({ type }) => type)).to.deep.equal(['run-started', 'events-dropped', 'run-stopped']);
  });

  it('a payload limit too small for the end of this application stops it before it starts', async () => {
    const done = await run({ application: plainApplication({}, { event_payload_bytes: 500 }) });
    expect(done.envelope).to.have.nested.property('error.code', 'limit_capacity_invalid');
    expect(done.envelope).to.deep.include({ artifact_class: 'normal', execution: { state: 'not_started' } });
    expect(done.exit).to.equal(3);
    expect(await leftovers()).to.deep.equal([]);
  });

  it('a capability that nothing supplies stops it before it starts', async () => {
    const exports = [{ ...ENTRY_EXPORT, requirements: ['tool:search'] }];
    const application = plainApplication();
    const done = await run({ application: { ...application, workflow: { ...application.workflow, exports } } });
    expect(done.envelope).to.have.nested.property('error.message', 'Missing capability requirement: search');
    expect(done.envelope).to.deep.include({ artifact_class: 'normal', execution: { state: 'not_started' } });
    expect(done.exit).to.equal(4);
  });

  it('a failure of an acquired provider keeps its activity', async () => {
    const error = diagnostic('provider_unavailable', { subject: { kind: 'provider', name: 'm', operation: 'acquisition', occurrence: { destination: 'workflow', index: 0 } } });
    const sandbox = fakeSandbox();
    const performed = await performRun({ ...runTools({ sandbox }), openEnvironments: async () => failure(error) }, runRequest(), plainApplication());
    expect(performed.envelope).to.deep.include({ artifact_class: 'normal', error });
    expect(performed.envelope.execution).to.deep.equal({ state: 'incomplete', usage: null, evaluation_memory: null, last_evaluation_error: null });
  });

  it('a throw in any step is an internal error with a valid envelope, and leaves nothing behind', async () => {
    for (const step of ['load', 'evaluate'] as const) {
      const bug = (): never => {
        throw new Error(`bug in ${step}`);
      };
      const done = await run({ answers: { [step]: bug } });
      expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
      expect(done.envelope).to.have.nested.property('execution.state', 'incomplete');
      expect(done.unexpected).to.be.instanceOf(Error);
      expect(done.exit).to.equal(70);
      expect(await leftovers()).to.deep.equal([]);
      expect(done.liveIsolates).to.equal(0);
    }
  });

  it('whatever call of the file system fails, the envelope is valid and tells what lies there', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    const confined = plainApplication({ artifactClass: 'private' });
    await run({ application: confined, tools: { fileSystem: count.fileSystem } });
    for (let at = 1; at <= count.calls(); at += 1) {
      const fileSystem: PublicationFileSystem = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'EIO' } }).fileSystem;
      const done = await run({ application: confined, tools: { fileSystem } });
      const { artifact_state: states } = done.envelope;
      const results: readonly string[] = await readdir(`${root}/.svc/results`).catch(() => []);
      const place = `call ${at}`;
      expect(done.unexpected, place).to.equal(null);
      if (states.result !== 'finalization_uncertain') expect(results.includes(`${done.runRef}.private.json`), place).to.equal(states.result === 'written');
      if (states.result === 'recovery_written') expect(results, place).to.include(`.svc-private-result-${done.runRef}.json`);
      expect(done.exit, place).to.be.oneOf([0, 7]);
    }
  });
});

