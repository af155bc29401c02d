import { expect } from 'chai';
import { readFile, rm, stat } from 'node:fs/promises';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { faultyFileSystem } from '../evidence/publication/testing/faulty-file-system.ts';
import { removeScratch } from '../evidence/publication/testing/scratch.ts';
import { evaluatesTo, fakeSandbox } from './testing/fake-sandbox.ts';
import { plainApplication, runSeams, type TestRun, type RunSeams } from './testing/run-fixture.ts';
import { faulted, replied, useRuns } from './testing/run-harness.ts';

describe('inspection (evidence.md §6)', () => {
  const runs = useRuns();

  const inspected = (at: string): Pick<TestRun, 'project' | 'explicit'> => ({
    project: null,
    explicit: { traceDirectory: at, inspection: `${at}/run.svcins`, output: null, privateOutput: null },
  });

  async function records(): Promise<readonly { record_type: string; payload: Readonly<Record<string, unknown>> }[]> {
    const [, ...lines] = (await readFile(`${runs.root}/run.svcins`, 'utf8')).trimEnd().split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line).record);
  }

  it('holds the sources, what was printed, and the value', async () => {
    const done = await runs.run({
      answers: replied({ outcome: 'continued', value: '{"a":1}', projection_fault: null, prints: ['hi'] }),
      request: inspected,
    });
    expect(done.envelope).to.deep.include({
      status: 'ok',
      artifact_state: { trace: 'written', inspection: 'written', result: 'not_requested' },
    });
    const found = await records();
    expect(found.map(({ record_type: type }) => type)).to.deep.equal([
      'prelude-source',
      'execution-prints',
      'run-result',
    ]);
    expect(found[0]?.payload).to.include({ environment: 'workflow', source: '(ns main)', source_bytes: 9 });
    expect((await stat(`${runs.root}/run.svcins`)).mode & 0o777).to.equal(0o600);
  });

  it('carries the identity that the manifest gives to events, else that of the run', async () => {
    const header = async (): Promise<unknown> =>
      JSON.parse((await readFile(`${runs.root}/run.svcins`, 'utf8')).split('\n')[0] ?? '');
    const alone = (at: string): Partial<TestRun> => ({
      project: null,
      explicit: { ...inspected(at).explicit, traceDirectory: null },
    });
    await runs.run({
      request: alone,
      application: plainApplication({ eventIdentity: { runId: 'mine', traceId: null } }),
    });
    expect(await header()).to.have.property('run_id', 'mine');
    await rm(`${runs.root}/run.svcins`);
    const { runRef } = await runs.run({ request: alone });
    expect(await header()).to.include({ run_id: runRef, trace_id: runRef });
  });

  it('keeps the value of a failure, and the diagnostic says so', async () => {
    const done = await runs.run({ answers: evaluatesTo('{"kind":"x"}', 'failed'), request: inspected });
    expect(done.envelope).to.have.nested.property(
      'error.message',
      'the workflow failed explicitly; its value is kept in the inspection artifact',
    );
    const [error, value] = (await records()).slice(-2);
    expect(error)
      .to.have.property('payload')
      .that.includes({ kind: 'explicit_failure' })
      .and.has.all.keys('environment', 'kind', 'reason', 'details');
    expect(value).to.deep.include({
      record_type: 'explicit-failure-value',
      payload: { environment: 'workflow', value: { kind: 'x' } },
    });
  });

  it('names the evaluation whose record a failure is', async () => {
    const { openEnvironments } = runSeams({ sandbox: fakeSandbox() });
    const seams: Partial<RunSeams> = {
      openEnvironments: async (context) => {
        const opened = await openEnvironments(context);
        return opened.ok
          ? {
              ok: true,
              value: {
                ...opened.value,
                kernel: {
                  ...opened.value.kernel,
                  producerOf: async (value) => (value === 7 ? 'mission-evaluation-1' : null),
                },
              },
            }
          : opened;
      },
    };
    await runs.run({ answers: evaluatesTo('7', 'failed'), request: inspected, seams });
    const error = (await records()).find(({ record_type: type }) => type === 'execution-error');
    expect(error?.payload['boundary_producer']).to.deep.equal({
      evaluation_ids: ['mission-evaluation-1'],
      'complete?': true,
    });
  });

  it('holds no value of a run that failed after it', async () => {
    const { openEnvironments } = runSeams({ sandbox: fakeSandbox() });
    const seams: Partial<RunSeams> = {
      openEnvironments: async (context) => {
        const opened = await openEnvironments(context);
        return opened.ok
          ? { ok: true, value: { ...opened.value, close: async () => diagnostic('provider_cleanup_failed') } }
          : opened;
      },
    };
    const done = await runs.run({ request: inspected, seams });
    expect(done.envelope).to.have.nested.property('error.code', 'provider_cleanup_failed');
    expect((await records()).map(({ record_type: type }) => type)).to.deep.equal(['prelude-source']);
  });

  it('does not keep a value that is too large or has no JSON form', async () => {
    const large = await runs.run({
      answers: evaluatesTo('"123456789"', 'failed'),
      request: inspected,
      application: plainApplication({}, { terminal_result_bytes: 10 }),
    });
    expect(large.envelope).to.have.nested.property('error.message').that.includes('larger than terminal_result_bytes');
  });

  it('tells an evaluation error in full', async () => {
    await runs.run({ answers: faulted('type_error', { details: { line: 3 } }), request: inspected });
    expect((await records()).at(-1)).to.deep.include({
      record_type: 'execution-error',
      payload: {
        environment: 'workflow',
        kind: 'evaluation_error',
        reason: 'type_error',
        details: { line: 3, message: 'secret prose' },
      },
    });
  });

  it('whatever call of the file system fails, no unsealed inspection has its name', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    await runs.run({ request: inspected, tools: { fileSystem: count.fileSystem } });
    for (let at = 1; at <= count.calls(); at += 1) {
      await removeScratch(`${runs.root}/run.svcins`);
      const fileSystem = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'EIO' } }).fileSystem;
      const done = await runs.run({ request: inspected, tools: { fileSystem } });
      const place = `call ${at}`;
      expect(done.unexpected, place).to.equal(null);
      expect(done.exit, place).to.be.oneOf([0, 7]);
      const text = await readFile(`${runs.root}/run.svcins`, 'utf8').catch(() => null);
      expect(text === null || text.trimEnd().endsWith('}}'), place).to.equal(true);
      if (done.envelope.artifact_state.inspection === 'written') expect(text, place).to.include('"seal"');
      if (done.envelope.artifact_state.inspection === 'not_written') expect(text, place).to.equal(null);
    }
  });
});
