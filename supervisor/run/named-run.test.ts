import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { envelopeText } from '../../contract/envelope/text.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import { nodeDocumentFiles as documentFiles } from '../documents/file-system.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../evidence/publication/owner.ts';
import { removeScratch, scratchDirectory } from '../evidence/publication/testing/scratch.ts';
import { evaluatesTo, fakeSandbox, type FakeAnswers } from './testing/fake-sandbox.ts';
import { manualClock } from './testing/run-fixture.ts';
import { exitOf } from './testing/exit-of.ts';
import { runApplication, type RunOptions } from './named-run.ts';
import { validateApplication } from '../authoring/validate-application.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { name: 'world' } },
};
const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: '.svc', trace: true, envelope: true },
};

describe('the face of a run (runtime.md §1)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
    await write('svc.json', MANIFEST);
    await write('svc-project.json', PROJECT);
    await writeFile(`${root}/main.clj`, '(ns main)\n(defn run [input] input)\n');
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  async function write(name: string, value: unknown): Promise<void> {
    await writeFile(`${root}/${name}`, JSON.stringify(value));
  }

  function options(
    over: Partial<RunOptions> = {},
    answers: FakeAnswers = evaluatesTo('{"greeting":"hello world"}'),
  ): RunOptions {
    const sandbox = fakeSandbox(answers);
    return {
      runRef: newRunReference(randomFillSync),
      workingDirectory: root,
      trustDomain: 'local',
      document: 'svc-project.json',
      hostConfig: null,
      override: null,
      input: null,
      environmentFile: null,
      variables: {},
      authorize: [],
      destinations: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
      libraries: new Map(),
      sandbox: async () => sandbox,
      documents: documentFiles,
      onEvaluated: () => undefined,
      publication: { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now },
      clock: manualClock(),
      signal: new AbortController().signal,
      ...over,
    };
  }

  it('runs a project to its trace and its copy of the envelope', async () => {
    const runOptions = options();
    const report = await runApplication(runOptions);
    expect(report.unexpected).to.equal(null);
    expect([exitOf(report), report.valueText, report.projectEnvelope]).to.deep.equal([
      0,
      '{"greeting":"hello world"}',
      'written',
    ]);
    expect(await readFile(`${root}/.svc/envelopes/${runOptions.runRef}.json`, 'utf8')).to.equal(
      envelopeText(report.envelope),
    );
    expect(await readdir(`${root}/.svc/traces`)).to.deep.equal([`${runOptions.runRef}.jsonl`]);
  });

  it('runs a manifest without leaving anything', async () => {
    const before = await readdir(root);
    const report = await runApplication(options({ document: 'svc.json' }));
    expect([exitOf(report), report.projectEnvelope]).to.deep.equal([0, 'not_requested']);
    expect(await readdir(root)).to.deep.equal(before);
  });

  it('gives the program its entry and its input', async () => {
    const requested: unknown[] = [];
    const answers: FakeAnswers = {
      evaluate: ({ source, data, projection }) => {
        requested.push(source, data, projection);
        return {
          status: 'replied',
          reply: { outcome: 'continued', value: 'null', projection_fault: null, prints: [] },
        };
      },
    };
    await runApplication(options({ document: 'svc.json' }, answers));
    expect(requested).to.deep.equal(['(main/run data/input)', { input: '{"name":"world"}' }, 'json']);
  });

  it('writes the copy of the envelope of a run whose application is broken', async () => {
    await write('svc.json', { ...MANIFEST, version: 2 });
    const runOptions = options();
    const report = await runApplication(runOptions);
    expect(report.envelope).to.deep.include({
      artifact_class: 'unclassified',
      artifact_state: { trace: 'not_written', inspection: 'not_requested', result: 'not_requested' },
      execution: { state: 'not_started' },
    });
    expect([exitOf(report), report.projectEnvelope]).to.deep.equal([3, 'written']);
    expect(await readdir(`${root}/.svc/envelopes`)).to.deep.equal([`${runOptions.runRef}.json`]);
  });

  it('leaves that copy out when the artifact root is refused, and says what to run', async () => {
    await mkdir(`${root}/.svc`);
    await chmod(`${root}/.svc`, 0o755);
    const report = await runApplication(options());
    expect(report.envelope).to.have.nested.property('error.code', 'invalid_destination');
    expect([exitOf(report), report.projectEnvelope]).to.deep.equal([7, 'not_requested']);
    expect(report.advice.hint).to.match(
      /^the artifact root of the project is refused: .*\/\.svc \(owner .*, group .*, mode 0755\): others may use it; run chmod 700 .*\/\.svc$/,
    );
    expect(await readdir(`${root}/.svc`)).to.deep.equal([]);
  });

  it('says what makes a destination unsafe', async () => {
    await chmod(root, 0o777);
    const report = await runApplication(
      options({
        document: 'svc.json',
        destinations: { traceDirectory: root, inspection: null, output: null, privateOutput: null },
      }),
    );
    expect(report.envelope).to.have.nested.property('error.code', 'trace_destination_unsafe');
    expect(report.advice.hint).to.match(
      / \(owner .*, group .*, mode 0777\): every user could replace files there; run chmod go-w /,
    );
  });

  it("ends with 74 when the project's copy cannot be written", async () => {
    const runOptions = options();
    const report = await runApplication({
      ...runOptions,
      sandbox: async () => {
        await mkdir(`${root}/.svc/envelopes`, { recursive: true, mode: 0o700 });
        await chmod(`${root}/.svc`, 0o700);
        await writeFile(`${root}/.svc/envelopes/${runOptions.runRef}.json`, 'mine');
        return runOptions.sandbox();
      },
    });
    expect([exitOf(report), report.projectEnvelope]).to.deep.equal([74, 'failed']);
    expect(await readFile(`${root}/.svc/envelopes/${runOptions.runRef}.json`, 'utf8')).to.equal('mine');
  });

  it('refuses a result that breaks its contract, naming the contract and the place', async () => {
    await write('result.schema.json', {
      type: 'object',
      properties: { greeting: { type: 'string' } },
      required: ['greeting'],
    });
    await write('svc.json', { ...MANIFEST, contracts: { result_schema: { path: 'result.schema.json' } } });
    const report = await runApplication(options({ document: 'svc.json' }, evaluatesTo('{"greeting":7}')));
    expect(report.envelope)
      .to.have.property('error')
      .that.deep.includes({
        code: 'result_contract_failed',
        source: { kind: 'result_contract', name: 'result.schema.json' },
        path: '/greeting',
      });
    expect(report.envelope.execution).to.deep.include({ state: 'finished', outcome: 'ok', diagnostic: null });
    expect(exitOf(report)).to.equal(7);
  });

  it('makes a private run of --private-input: owner-only files, no value', async () => {
    await write('svc-project.json', { ...PROJECT, artifacts: { ...PROJECT.artifacts, result: true } });
    await write('secret.json', { name: 'secret' });
    const runOptions = options({ input: { path: 'secret.json', dataClass: 'private' } });
    const report = await runApplication(runOptions);
    expect(report.envelope).to.deep.include({ artifact_class: 'private', result: { result_class: 'private' } });
    expect(report.valueText).to.equal(null);
    expect(await readdir(`${root}/.svc/results`)).to.deep.equal([`${runOptions.runRef}.private.json`]);
    expect(await readdir(`${root}/.svc/traces`)).to.deep.equal([`${runOptions.runRef}.private.jsonl`]);
  });

  it('refuses an identity in the manifest once the command fixes one', async () => {
    await write('svc.json', { ...MANIFEST, events: { run_id: 'mine' } });
    expect((await runApplication(options())).envelope).to.have.nested.property('error.code', 'event_identity_conflict');
    expect(exitOf(await runApplication(options({ document: 'svc.json' })))).to.equal(0);
  });

  it('a bug while loading is a valid unclassified envelope', async () => {
    const report = await runApplication(
      options({
        sandbox: async () => {
          throw new Error('no sandbox');
        },
      }),
    );
    expect(report.envelope).to.have.nested.property('error.code', 'internal_error');
    expect(report.unexpected).to.be.instanceOf(Error);
    expect(exitOf(report)).to.equal(70);
  });

  describe('validate (cli.md §10)', () => {
    it('tells digests and grants, and writes nothing', async () => {
      await write('svc.json', { ...MANIFEST, missions: { reader: { data: { notes: 1 } } } });
      const before = await readdir(root);
      const report = await validateApplication(options());
      expect(report.envelope.status).to.equal('ok');
      expect(report.envelope)
        .to.have.property('result')
        .that.deep.includes({
          installation_config_digests: {},
          mission_bundle_hashes: { reader: null },
          mission_grants: { reader: { data: ['data/notes'], exports: [], providers: [] } },
          provider_activity: false,
        });
      expect(await readdir(root)).to.deep.equal(before);
    });

    it('gives the first fault and its exit status', async () => {
      await write('svc.json', { ...MANIFEST, workflow: { ...MANIFEST.workflow, entry: 'main/absent' } });
      const report = await validateApplication(options());
      expect(report.envelope).to.have.nested.property('error.code', 'entry_invalid');
    });
  });
});
