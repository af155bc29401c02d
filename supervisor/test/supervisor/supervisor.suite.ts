import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  PreparationError,
  SupervisorStartError,
  createSupervisor,
  createRunRef,
  type ApplicationReference,
  type CustomFunction,
  type PoolEvent,
  type PreparedApplication,
  type RunEvent,
  type RunHandle,
  type RunRequest,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { until } from '../../../conformance/until.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

interface Sources {
  readonly body?: string;
  readonly manifest?: object;
  readonly files?: Readonly<Record<string, unknown>>;
}

/** An application in memory. */
function files({ body = '(get input "n")', manifest = {}, files: more = {} }: Sources = {}): ReadonlyMap<
  string,
  Uint8Array
> {
  return new Map(
    Object.entries({
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: { n: 1 } },
        ...manifest,
      },
      'main.clj': `(ns main)\n(defn run [input] ${body})\n`,
      ...more,
    }).map(([name, value]) => [name, bytes(value)]),
  );
}

async function all(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const CONTRACTS = {
  manifest: { contracts: { input_schema: { path: 'in.schema.json' } } },
  files: {
    'in.schema.json': {
      type: 'object',
      properties: { n: { type: 'integer', maximum: 5 } },
      required: ['n'],
      additionalProperties: false,
    },
  },
};

describe('a supervisor (gateway.md §16)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-supervisor-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  async function started(options: SupervisorOptions = {}): Promise<Supervisor> {
    supervisor = await supervise(options);
    return supervisor;
  }

  const refusalOf = (requested: Promise<unknown>): Promise<unknown> =>
    requested.then(
      () => null,
      (error: unknown) => error,
    );

  describe('prepares an application', () => {
    it('once for all who ask at the same time, and not again while it is kept', async () => {
      const events: PoolEvent[] = [];
      const own = await started({
        onPoolEvent: (event) => {
          events.push(event);
        },
      });
      const preparedApplications = await Promise.all(
        Array.from({ length: 100 }, () => own.prepare({ kind: 'memory', files: files() })),
      );
      expect(new Set(preparedApplications).size).to.equal(1);
      expect(events.filter(({ event }) => event === 'host_started').length, 'one process compiled it').to.equal(1);
      const [application] = preparedApplications;
      expect(await own.prepare({ kind: 'digest', contentDigest: String(application?.contentDigest) })).to.equal(
        application,
      );
      expect(own.snapshot().applications.applications).to.equal(1);
      expect(await own.prepare({ kind: 'memory', files: files({ body: '2' }) })).to.not.equal(application);
    });

    it('that is read no further: what changes on the disk is seen by the next', async () => {
      const own = await started();
      for (const [name, content] of files({
        manifest: { input: { path: 'in.json' } },
        files: { 'in.json': { n: 'first' } },
      }))
        await writeFile(join(folder, name), content);
      const reference: ApplicationReference = { kind: 'directory', manifest: 'svc.json', workingDirectory: folder };
      const application = await own.prepare(reference);
      await writeFile(join(folder, 'in.json'), '{"n":"second"}');
      await writeFile(join(folder, 'main.clj'), 'broken');
      expect(finished(await own.run(application).result).value).to.equal('first');
      expect(await refusalOf(own.prepare(reference))).to.be.instanceOf(PreparationError);
      await writeFile(join(folder, 'main.clj'), '(ns main)\n(defn run [input] (get input "n"))\n');
      const again = await own.prepare(reference);
      expect([again.contentDigest, again === application]).to.deep.equal([application.contentDigest, false]);
      expect(finished(await own.run(again).result).value).to.equal('second');
    });

    it('whose face is its digests, contracts, limits and effect, and nothing more can be changed', async () => {
      const own = await started();
      const application = await own.prepare({ kind: 'memory', files: files(CONTRACTS) });
      expect(application.contracts.input).to.deep.equal({
        type: 'object',
        properties: { n: { type: 'integer', maximum: 5 } },
        required: ['n'],
        additionalProperties: false,
      });
      expect([application.contracts.result, application.effect, application.installationDigests]).to.deep.equal([
        null,
        'read',
        {},
      ]);
      expect(application.limits.run_duration_ms).to.equal(30_000);
      expect(() => Object.assign(Object(application.contracts.input).properties, { m: {} })).to.throw(TypeError);
      const writing = work(() => 1, { effect: 'write' });
      const selecting = { manifest: { providers: { workflow: [{ name: 'tools' }] } }, body: '(tool/work)' };
      const writes = await own.prepare({ kind: 'memory', files: files(selecting), custom: [writing] });
      expect([writes.effect, Object.keys(writes.installationDigests)]).to.deep.equal(['write', ['tools']]);
    });

    it('or says why not, with what validate would have told', async () => {
      const own = await started();
      const memory = (sources: Sources): ApplicationReference => ({ kind: 'memory', files: files(sources) });
      const { contentDigest } = await own.prepare(memory({}));
      const cases: readonly (readonly [ApplicationReference, string, boolean])[] = [
        [{ kind: 'memory', files: new Map() }, 'application_not_found', true],
        [memory({ body: '(nothing)' }), 'undefined_variable', true],
        [memory({ manifest: { entry: 1 } }), 'schema_violation', true],
        [{ kind: 'memory', files: files(), host: join(folder, 'none.json') }, 'host_unavailable', true],
        [
          { kind: 'memory', files: files(), pins: { contentDigest: `sha256:${'0'.repeat(64)}` } },
          'pin_mismatch',
          false,
        ],
        [
          { kind: 'memory', files: files(), pins: { contentDigest, installationDigests: { other: 'x' } } },
          'pin_mismatch',
          false,
        ],
        [{ kind: 'digest', contentDigest: 'sha256:' }, 'application_unknown', false],
      ];
      for (const [reference, code, hasDiagnostic] of cases) {
        const refused = await refusalOf(own.prepare(reference));
        expect(refused, code).to.be.instanceOf(PreparationError);
        expect(refused).to.include({ code });
        expect(Object(refused).diagnostic !== null, code).to.equal(hasDiagnostic);
      }
      expect(
        (await own.prepare({ kind: 'memory', files: files(), pins: { contentDigest, installationDigests: {} } }))
          .contentDigest,
      ).to.equal(contentDigest);
    });
  });

  it('is not started for a host document or a directory that cannot be used', async () => {
    await writeFile(join(folder, 'host.json'), '{');
    await writeFile(join(folder, 'file'), '');
    for (const [options, code] of [
      [{ host: join(folder, 'host.json') }, 'host_invalid'],
      [{ artifacts: join(folder, 'file/below') }, 'artifact_root_unavailable'],
    ] as const) {
      const refused = await refusalOf(supervise(options));
      expect(refused).to.be.instanceOf(SupervisorStartError);
      expect(refused).to.include({ code });
    }
    expect(await refusalOf(supervise({ limits: { maxRuns: 0 } }))).to.be.instanceOf(TypeError);
    expect(await refusalOf(createSupervisor({ programDirectory: join(folder, 'none') }))).to.be.instanceOf(Error);
  });

  describe('refuses a run before anything is done for it', () => {
    it('by its input, its name, its deadline, its application and its tenant', async () => {
      const own = await started({
        tenant: (id) => (id === 'unknown' ? null : { weight: 1, maxRuns: 1, maxQueued: 1 }),
      });
      const application = await own.prepare({ kind: 'memory', files: files(CONTRACTS) });
      const runRef = createRunRef();
      expect(finished(await own.run(application, { runRef }).result).value).to.equal(1);
      const cyclic: Record<string, unknown> = {};
      cyclic['n'] = cyclic;
      const cases: readonly (readonly [RunRequest, string, string | null])[] = [
        [{ input: { n: 6 } }, 'input_invalid', 'input_contract_failed'],
        [{ input: {} }, 'input_invalid', 'input_contract_failed'],
        [{ input: bytes('[1]') }, 'input_invalid', 'input_invalid'],
        [{ input: bytes('{"n":1,"n":1}') }, 'input_invalid', 'duplicate_property'],
        [{ input: bytes('{') }, 'input_invalid', 'invalid_json'],
        [{ input: bytes(`{"n":1}${' '.repeat(2_000_000)}`) }, 'input_invalid', null],
        [{ input: cyclic }, 'input_invalid', null],
        [{ runRef }, 'run_ref_conflict', null],
        [{ deadlineMs: 49 }, 'deadline_unreachable', null],
        [{ tenant: 'unknown' }, 'tenant_unknown', null],
        [{ tenant: '../a' }, 'tenant_unknown', null],
        [{ artifacts: { trace: true } }, 'unavailable', null],
      ];
      for (const [request, code, diagnostic] of cases) {
        const end = await own.run(application, request).result;
        expect(end).to.include({ kind: 'refused', code });
        expect(end.kind === 'refused' ? (end.diagnostic?.code ?? null) : '', JSON.stringify(code)).to.equal(diagnostic);
      }
      const other: PreparedApplication = { ...application };
      expect(await own.run(other).result).to.include({ kind: 'refused', code: 'prepared_stale' });
      expect(own.snapshot().runs).to.deep.equal({ running: 0, queued: 0, waiting: 0 });
    });

    it('and throws for what no tenant could mean', async () => {
      const own = await started();
      const application = await own.prepare({ kind: 'memory', files: files() });
      for (const deadlineMs of [0, 1.5, -1, Number.NaN])
        expect(() => own.run(application, { deadlineMs })).to.throw(TypeError);
      expect(() => own.run(application, { runRef: 'mine' })).to.throw(TypeError);
      expect(() => own.run(application, { limits: { run_duration_ms: 30_001 } })).to.throw(RangeError);
      expect(() => own.run(application, { limits: { llm_total_tokens: 1 } })).to.throw(RangeError);
      expect(finished(await own.run(application, { limits: { run_duration_ms: 30_000 } }).result).value).to.equal(1);
    });
  });

  describe('runs it', () => {
    /** An application whose function waits until the test lets it go on. */
    async function calling(call: CustomFunction, options: SupervisorOptions = {}) {
      const own = await started(options);
      const application = await own.prepare({
        kind: 'memory',
        files: files({
          manifest: {
            providers: { workflow: [{ name: 'tools' }] },
            limits: { run_duration_ms: 60_000, workflow_timeout_ms: 60_000 },
          },
          body: '(:status (tool/work))',
        }),
        custom: [work(call, { timeoutMs: 60_000 })],
      });
      return { own, application };
    }

    const untilAborted: CustomFunction = (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(null));
      });

    it('with every number of an input of bytes as it is, and typed by a codec', async () => {
      const own = await started();
      const application = await own.prepare({ kind: 'memory', files: files() });
      const end = finished(await own.run(application, { input: bytes('{"n":123456789012345678901234567890}') }).result);
      expect([end.valueText, JSON.parse(end.envelopeText).run_ref]).to.deep.equal([
        '123456789012345678901234567890',
        end.runRef,
      ]);
      const typed = await own.run(application, { input: { n: 'x' } }, (value) => ({ told: String(value) })).result;
      expect(typed.kind === 'finished' ? typed.value?.told : '').to.equal('x');
      const broken = own.run(application, {}, () => {
        throw new RangeError('not of this type');
      });
      expect(await refusalOf(broken.result)).to.be.instanceOf(RangeError);
    });

    it('until its deadline', async () => {
      const own = await started();
      const application = await own.prepare({ kind: 'memory', files: files({ body: '(loop [] (recur))' }) });
      const end = finished(await own.run(application, { deadlineMs: 1000 }).result);
      expect(end.envelope).to.have.nested.property('error.code', 'run_timeout');
    });

    it('until it is cancelled, once or often, and tells what may have happened', async () => {
      let calls = 0;
      const { own, application } = await calling((input, call) => {
        calls += 1;
        return untilAborted(input, call);
      });
      const run = own.run(application);
      await until('the first call', () => (calls === 1 ? true : undefined));
      await Promise.all([run.cancel(), run.cancel('again')]);
      await run.cancel();
      expect(finished(await run.result)).to.deep.include({
        exitStatus: 130,
        effects: 'read',
        retry: 'no',
        attempt: 1,
        cancelled: true,
      });
      const words = (await all(run.events)).map(({ event }) => event);
      expect(words.filter((word) => word === 'cancelling')).to.have.length(1);
      expect(words.at(-1)).to.equal('finished');
      expect(own.snapshot()).to.deep.include({ runs: { running: 0, queued: 0, waiting: 0 }, tenants: {} });
    });

    it('and is cancelled for its caller alone: not for a deadline, a drained supervisor, a failure of its own', async () => {
      const requested = new AbortController();
      const started = Promise.withResolvers<void>();
      const { own, application } = await calling(async (input, call) => {
        if (requested.signal.aborted) started.resolve();
        return untilAborted(input, call);
      });
      const endless = await own.prepare({ kind: 'memory', files: files({ body: '(loop [] (recur))' }) });
      const failing = await own.prepare({ kind: 'memory', files: files({ body: '(fail {:why "own"})' }) });
      const how = async (run: RunHandle): Promise<readonly unknown[]> => {
        const end = finished(await run.result);
        const last = (await all(run.events)).at(-1);
        expect(last?.data['cancelled']).to.equal(end.cancelled);
        return [end.envelope.status === 'error' ? end.envelope.error.code : 'ok', end.cancelled];
      };
      const signalled = own.run(application, { signal: requested.signal });
      requested.abort(new Error('any reason'));
      expect(await how(signalled)).to.deep.equal(['internal_error', true]);
      const atOnce = own.run(endless);
      await atOnce.cancel();
      expect(await how(atOnce)).to.deep.equal(['internal_error', true]);
      expect(await how(own.run(endless, { deadlineMs: 300 }))).to.deep.equal(['run_timeout', false]);
      const failed = own.run(failing);
      await failed.result;
      await failed.cancel();
      expect(await how(failed)).to.deep.equal(['explicit_failure', false]);
      const going = own.run(application);
      await started.promise;
      await own.drain({ graceMs: 0 });
      expect(await how(going)).to.deep.equal(['internal_error', false]);
    });

    it('while it tells of it, in order, once each, to a listener and to a reader', async () => {
      const { own, application } = await calling(() => 1);
      const runEvents: RunEvent[] = [];
      const run = own.run(application, {
        tenant: 'a',
        onEvent: (event) => {
          runEvents.push(event);
          throw new Error('mistaken');
        },
      });
      await run.result;
      const read = await all(run.events);
      await until('what the listener is told', () => (runEvents.length === read.length ? true : undefined));
      expect(runEvents).to.deep.equal(read);
      expect(read.map(({ event }) => event)).to.deep.equal(['queued', 'admitted', 'started', 'capability', 'finished']);
      expect(read.map(({ seq }) => seq)).to.deep.equal([1, 2, 3, 4, 5]);
      for (const { runRef, tenant } of read) expect([runRef, tenant]).to.deep.equal([run.runRef, 'a']);
      expect(read.at(-1)?.data).to.deep.equal({
        status: 'ok',
        code: null,
        effects: 'read',
        retry: 'safe',
        cancelled: false,
        dropped: 0,
      });
    });

    it('and tells less of a private one', async () => {
      const { own, application } = await calling(() => 1, { artifacts: join(folder, 'private') });
      const run = own.run(application, { inputClass: 'private', input: {} });
      const { code } = Object(Object(finished(await run.result).envelope).error);
      const events = await all(run.events);
      // The function takes no private data: what is told of that is a code alone.
      expect([code, events.map(({ event }) => event)]).to.deep.equal([
        'data_policy_denied',
        ['queued', 'admitted', 'finished'],
      ]);
    });

    it('whatever a slow listener does', async () => {
      const { own, application } = await calling(() => 1);
      const run = own.run(application, { onEvent: () => new Promise(() => undefined) });
      expect(finished(await run.result).exitStatus).to.equal(0);
    });

    it('to its end when it is drained, and nothing after that', async () => {
      let go: (() => void) | null = null;
      const { own, application } = await calling(
        () =>
          new Promise((resolve) => {
            go = () => resolve(1);
          }),
      );
      const run = own.run(application);
      await until('the call', () => go ?? undefined);
      const drained = own.drain();
      expect(await own.run(application).result).to.include({ kind: 'refused', code: 'draining' });
      expect(await refusalOf(own.prepare({ kind: 'memory', files: files() }))).to.include({ code: 'draining' });
      expect(own.snapshot().state).to.equal('draining');
      Object(go)();
      expect([await drained, finished(await run.result).exitStatus]).to.deep.equal([{ clean: true, forced: 0 }, 0]);
      await own.close();
      expect(own.snapshot().state).to.equal('closed');
    });
  });
});
