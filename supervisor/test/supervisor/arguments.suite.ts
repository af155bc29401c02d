import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import {
  newJob,
  createStoredJob,
  openEngine,
  openPgliteDatabase,
  openPostgresDatabase,
  openPostgresJournal,
  type EngineTiming,
  type JobRequest,
  type Retention,
} from '../../api/engine.ts';
import {
  createSupervisor,
  defineCustomInstallation,
  openDirectoryArtifacts,
  openDirectoryGrants,
  openDirectoryJournal,
  openDirectorySecrets,
  createMemoryArtifacts,
  createMemoryJournal,
  createMemorySecrets,
  notDispatched,
  openObjectArtifacts,
  providerError,
  readStoredEnvelope,
  settleInterrupted,
  type AcquisitionRequest,
  type ApplicationReference,
  type AuthorisationRequest,
  type ObjectStoreOptions,
  type PreparedApplication,
  type RunLimits,
  type RunRequest,
  type Supervisor,
  type SupervisorOptions,
  type SupervisorStores,
  type TenantPolicy,
} from '../../api/supervisor.ts';
import { supervise } from '../capabilities/supervised.ts';

/** Wrong values for each member of a type; one that is added to the type has to be added here. */
type Wrong<T> = { readonly [Name in keyof T]-?: readonly unknown[] };

const promise = Promise.resolve({});
const NO_TEXT = ['', 1, null, {}, [], promise, () => 'x'];
const NO_FUNCTION = [1, 'x', null, {}, promise];
const NO_WORD = ['process_per_run', '', 1, null, true, {}, promise];
const NO_FLAG = ['false', 0, null, {}, promise];
const NO_OBJECT = [1, 'x', null, [], promise, new Map(), new Date(), () => ({}), true];
const NO_STORE = [...NO_OBJECT, {}, { get: () => null }];
const noCount = (least: number): readonly unknown[] => [
  least - 1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  `${least}`,
  null,
  {},
  [least],
  2n,
  2 ** 53,
];

const OPTIONS: Wrong<SupervisorOptions> = {
  host: NO_TEXT,
  artifacts: ['', 1, null, {}, promise],
  stores: NO_OBJECT,
  engine: NO_STORE,
  limits: NO_OBJECT,
  tenant: NO_FUNCTION,
  isolation: NO_WORD,
  confinement: NO_WORD,
  memoryBytes: noCount(1),
  variables: NO_FUNCTION,
  secrets: NO_STORE,
  sharedSecrets: NO_WORD,
  isolatesPerHost: noCount(1),
  hosts: noCount(3),
  onPoolEvent: NO_FUNCTION,
  telemetry: [...NO_OBJECT, {}, { tracer: {} }, { tracer: { startSpan: () => null }, meter: {} }],
  approvals: [...NO_OBJECT, { onRequest: 1 }, { timeoutMs: 999 }, { maxAsks: -1 }, { later: 1 }],
  programDirectory: NO_TEXT,
};
const STORES: Wrong<SupervisorStores> = {
  artifacts: NO_STORE,
  journal: NO_STORE,
  grants: NO_STORE,
  keys: NO_STORE,
  approvals: NO_STORE,
};
const LIMITS: Wrong<RunLimits> = {
  maxRuns: noCount(1),
  maxQueued: noCount(0),
  maxQueuedBytes: noCount(0),
  maxProviderCalls: noCount(1),
  maxWaitingCalls: noCount(0),
  maxSessions: noCount(0),
};
/** Null is no bound there. */
const unbounded = (least: number): readonly unknown[] => noCount(least).filter((value) => value !== null);
const POLICY: Wrong<TenantPolicy> = {
  weight: [0, 0.99, 100.01, Number.NaN, '1', null],
  maxRuns: noCount(1),
  maxQueued: noCount(0),
  maxQueuedBytes: unbounded(0),
  maxProviderCalls: unbounded(1),
  startsPerMinute: unbounded(1),
  burst: noCount(1),
  llmTokensPerDay: unbounded(0),
  costMicrousdPerDay: unbounded(0),
  artifactBytes: unbounded(0),
  isolation: NO_WORD,
  suspended: NO_FLAG,
};
const REQUEST: Wrong<RunRequest> = {
  input: [1, 'x', null, [], true, promise],
  inputClass: NO_WORD,
  tenant: [1, null, {}, promise],
  principal: ['', 'x'.repeat(257), 1, null, {}],
  runRef: ['', 'mine', 1, null, {}],
  limits: NO_OBJECT,
  deadlineMs: [...noCount(1), 2_592_000_001],
  startWithinMs: noCount(0),
  traceparent: [...NO_TEXT, '00-x'],
  attempt: noCount(1),
  effectGate: NO_FUNCTION,
  onApproval: NO_FUNCTION,
  asker: NO_STORE,
  outerPlace: NO_STORE,
  approval: [...NO_WORD, 'never'],
  witness: NO_STORE,
  providers: NO_STORE,
  signal: [...NO_OBJECT, {}, new AbortController()],
  onEvent: NO_FUNCTION,
  artifacts: NO_OBJECT,
};
const ACQUISITION: Wrong<AcquisitionRequest> = {
  tenant: [1, null, {}],
  principal: ['', 1, null],
  signal: [{}, 1, null],
};
const AUTHORISATION: Wrong<AuthorisationRequest> = {
  installation: [undefined, ...NO_TEXT],
  redirectUri: [undefined, ...NO_TEXT],
  tenant: [1, null],
  principal: ['', 1],
};
const OBJECTS: Wrong<ObjectStoreOptions> = {
  endpoint: [undefined, 's3.example', 'ftp://x', ...NO_TEXT],
  bucket: [undefined, ...NO_TEXT],
  region: [undefined, ...NO_TEXT],
  credentials: [undefined, {}, { accessKeyId: 'a' }, { accessKeyId: 'a', secretAccessKey: 1 }, ...NO_OBJECT],
  encryptionKey: NO_FUNCTION,
  partBytes: noCount(1),
  answerMs: noCount(1),
};
const TIMING: Wrong<EngineTiming & Retention> = {
  keepDays: unbounded(1),
  keepBytes: unbounded(1),
  extendMs: noCount(1),
  leaseMs: noCount(1),
  selfKillMs: noCount(1),
  reapMs: noCount(1),
  pollMs: noCount(1),
};
const JOB: Wrong<JobRequest> = {
  runRef: ['', 'mine', 1, null],
  tenant: [undefined, '', '../x', 1, null],
  principal: ['', 1, null],
  traceparent: [...NO_TEXT, '00-x'],
  applicationDigest: [undefined, ...NO_TEXT],
  input: [1, 'x', null, [], promise],
  inputClass: NO_WORD,
  artifacts: NO_OBJECT,
  runLimits: NO_OBJECT,
  weight: [Number.NaN, '1', null, {}],
  deadline: [Number.NaN, Number.POSITIVE_INFINITY, '1', null],
  limits: NO_OBJECT,
};
const MEMORY: Wrong<Extract<ApplicationReference, { readonly kind: 'memory' }>> = {
  kind: ['', 'folder', 1, null, undefined],
  tenant: [1, null, {}, promise],
  files: [
    undefined,
    {},
    new Map([['a', 'text']]),
    new Map([[1, new Uint8Array()]]),
    ...NO_OBJECT.filter((value) => !(value instanceof Map)),
  ],
  manifest: NO_TEXT,
  custom: [{}, 'x', [{}], [{ source: 'custom' }], promise],
  host: NO_TEXT,
  pins: [...NO_OBJECT, { contentDigest: 1 }, { installationDigests: { a: 1 } }, { digest: 'x' }],
  declaredInput: NO_WORD,
};
const DIRECTORY: Wrong<
  Pick<Extract<ApplicationReference, { readonly kind: 'directory' }>, 'manifest' | 'workingDirectory'>
> = { manifest: [undefined, ...NO_TEXT], workingDirectory: NO_TEXT };

/** What it throws or rejects with; null: neither. */
async function faultOf(call: () => unknown): Promise<unknown> {
  try {
    const value = call();
    if (typeof value === 'object' && value !== null && 'result' in value) await value.result;
    else await value;
    return null;
  } catch (error) {
    return error;
  }
}

const shown = (value: unknown): string => inspect(value, { depth: 1 });

/**
 * Calls with each wrong value of each member, and with a member that there is not: each is a TypeError that names it.
 */
async function namesEach(
  wrong: Readonly<Record<string, readonly unknown[]>>,
  call: (input: object) => unknown,
  known: readonly string[] = Object.keys(wrong),
): Promise<void> {
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const fault = await faultOf(() => call({ [name]: value }));
      expect(fault, `${name}: ${shown(value)}`).to.be.instanceOf(TypeError);
      expect(String(fault), `${name}: ${shown(value)}`)
        .to.match(
          /^TypeError: (?:createSupervisor|supervisor|engine|worker|[a-z]+[A-Z])|a run is named|a tenant is|traceparent/,
        )
        .and.to.match(/\b(is|are|has no) /);
    }
  }
  const [first = ''] = known;
  for (const name of ['nobodyKnows', `${first}x`]) {
    const fault = await faultOf(() => call({ [name]: 1 }));
    expect(fault, name).to.be.instanceOf(TypeError);
    expect(String(fault)).to.contain(name);
  }
}

/** What a program in JavaScript would do. */
function untyped(value: unknown): never {
  const { value: input }: { readonly value: never } = Object.assign(Object.create(null), { value });
  return input;
}

describe('calls of programs that embed svc name what is wrong with their arguments (gateway.md §16)', () => {
  let supervisor: Supervisor;
  let application: PreparedApplication;
  let folder = '';
  const files = new Map(
    Object.entries({
      'svc.json': JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: { n: 1 } },
      }),
      'main.clj': '(ns main)\n(defn run [input] (get input "n"))\n',
    }).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  let said: unknown = {};
  let left: unknown = '';
  let variables: unknown = {};
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-arguments-'));
    left = folder;
    supervisor = await supervise({
      tenant: () => untyped(said),
      artifacts: () => untyped(left),
      variables: () => untyped(variables),
    });
    application = await supervisor.prepare({ kind: 'memory', files });
  });
  beforeEach(() => {
    said = {};
    left = folder;
    variables = {};
  });
  after(async () => {
    await supervisor.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe('createSupervisor', () => {
    it('of each option', async () => namesEach(OPTIONS, (input) => createSupervisor(untyped(input))));
    it('of each store', async () => namesEach(STORES, (input) => createSupervisor({ stores: untyped(input) })));
    it('of each limit', async () => namesEach(LIMITS, (input) => createSupervisor({ limits: untyped(input) })));
    it('of the options as a whole', async () => {
      for (const options of NO_OBJECT)
        expect(await faultOf(() => createSupervisor(untyped(options))), shown(options)).to.be.instanceOf(TypeError);
    });
    it('guesses the member that was meant', async () => {
      expect(String(await faultOf(() => createSupervisor(untyped({ memorybytes: 1 }))))).to.equal(
        'TypeError: createSupervisor: options has no member memorybytes: did you mean memoryBytes?',
      );
      expect(String(await faultOf(() => createSupervisor(untyped({ isolation: 'process_per_run' }))))).to.equal(
        "TypeError: createSupervisor: options.isolation is 'process' or 'process-per-run'",
      );
    });
    it('ends for a directory of artifacts that no file system gives', async () => {
      for (const artifacts of ['/proc/x', '/proc/x/y', '/dev/null/x'])
        expect(await faultOf(() => supervise({ artifacts })), artifacts).to.include({
          code: 'artifact_root_unavailable',
        });
      for (const make of [openDirectoryArtifacts, openDirectoryJournal])
        expect(await faultOf(() => make('/proc/x'))).to.be.instanceOf(Error);
    });
  });

  describe('supervisor.run', () => {
    it('of each member of a request', async () =>
      namesEach(REQUEST, (input) => supervisor.run(application, untyped(input))));
    it('of its limits and artifacts', async () => {
      for (const limits of [{ workflow_timeout: 1 }, { workflow_timeout_ms: '1' }])
        expect(
          await faultOf(() => supervisor.run(application, { limits: untyped(limits) })),
          JSON.stringify(limits),
        ).to.be.instanceOf(TypeError);
      await namesEach({ trace: NO_FLAG, inspection: NO_FLAG, result: NO_FLAG }, (artifacts) =>
        supervisor.run(application, { artifacts: untyped(artifacts) }),
      );
    });
    it('of the application, the request and the codec', async () => {
      for (const value of [undefined, ...NO_OBJECT, {}])
        expect(await faultOf(() => supervisor.run(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
      for (const value of NO_OBJECT)
        expect(await faultOf(() => supervisor.run(application, untyped(value))), shown(value)).to.be.instanceOf(
          TypeError,
        );
      for (const value of NO_FUNCTION)
        expect(await faultOf(() => supervisor.run(application, {}, untyped(value))), shown(value)).to.be.instanceOf(
          TypeError,
        );
    });
    it('of each member of what is said of a tenant, and runs nothing', async () => {
      await namesEach(POLICY, (policy) => {
        said = policy;
        return supervisor.run(application);
      });
      for (said of [
        undefined,
        Promise.resolve(null),
        (async () => null)(),
        ...NO_OBJECT.filter((value) => value !== null),
      ]) {
        for (const call of [() => supervisor.run(application), () => supervisor.acquire(application)])
          expect(await faultOf(call), shown(said)).to.be.instanceOf(TypeError);
      }
      said = null;
      expect(await supervisor.run(application).result).to.include({ kind: 'refused', code: 'tenant_unknown' });
      expect(supervisor.snapshot().runs).to.deep.equal({ running: 0, queued: 0, waiting: 0 });
    });
    it('of what is said of the directory and the variables of a tenant', async () => {
      for (left of [undefined, null, '', 'relative', 1, Promise.resolve(folder)])
        expect(await faultOf(() => supervisor.run(application)), shown(left)).to.be.instanceOf(TypeError);
      left = folder;
      for (variables of [undefined, null, [], Promise.resolve({}), { A: 1 }])
        expect(await faultOf(() => supervisor.run(application)), shown(variables)).to.be.instanceOf(TypeError);
    });
    it('throws what the function for tenants throws, and no result rejects', async () => {
      const mistaken = await supervise({
        tenant: () => {
          throw new Error('no such table');
        },
      });
      try {
        const own = await mistaken.prepare({ kind: 'memory', files });
        expect(() => mistaken.run(own)).to.throw('no such table');
      } finally {
        await mistaken.close();
      }
    });
  });

  it('supervisor.prepare', async () => {
    await namesEach(MEMORY, (input) => supervisor.prepare(untyped({ kind: 'memory', files, ...input })));
    await namesEach(DIRECTORY, (input) =>
      supervisor.prepare(untyped({ kind: 'directory', manifest: 'svc.json', ...input })),
    );
    for (const contentDigest of NO_TEXT)
      expect(
        await faultOf(() => supervisor.prepare(untyped({ kind: 'digest', contentDigest }))),
        shown(contentDigest),
      ).to.be.instanceOf(TypeError);
    for (const value of [undefined, ...NO_OBJECT])
      expect(await faultOf(() => supervisor.prepare(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
  });

  it('supervisor.acquire, authorise and drain', async () => {
    await namesEach(ACQUISITION, (input) => supervisor.acquire(application, untyped(input)));
    await namesEach(AUTHORISATION, (input) =>
      supervisor.authorise(application, untyped({ installation: 'a', redirectUri: 'https://app.example/', ...input })),
    );
    await namesEach({ graceMs: noCount(0) }, (input) => supervisor.drain(untyped(input)));
    expect(supervisor.snapshot().state).to.equal('ready');
  });

  it('stores', async () => {
    const right: ObjectStoreOptions = {
      endpoint: 'https://s3.example',
      bucket: 'b',
      region: 'r',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    };
    await namesEach(OBJECTS, (input) => openObjectArtifacts({ ...right, ...input }));
    for (const make of [openDirectoryArtifacts, openDirectoryJournal, openDirectoryGrants, openDirectorySecrets]) {
      for (const value of [undefined, ...NO_TEXT])
        expect(await faultOf(() => make(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
    }
    for (const value of [undefined, {}, new Map([['a', 'b']]), new Map([['a', { b: 1 }]]), new Map([[1, {}]])])
      expect(await faultOf(() => createMemorySecrets(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
    for (const value of [undefined, ...NO_STORE])
      expect(await faultOf(() => settleInterrupted(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
    expect(createMemoryArtifacts()).to.have.property('reserve');
    expect(createMemoryJournal()).to.have.property('scan');
  });

  it('functions of the calling program', async () => {
    const capability = {
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      effect: 'read',
      call: () => 1,
    };
    const spec = { alias: 'tools', revision: 'r1', destinations: ['workflow'], capabilities: [capability] };
    expect(await faultOf(() => defineCustomInstallation(untyped(spec)))).to.equal(null);
    for (const wrong of [
      { ...spec, acceptData: ['normal'] },
      { ...spec, capabilities: [{ ...capability, timeout: 5 }] },
      null,
      Promise.resolve(spec),
    ])
      expect(await faultOf(() => defineCustomInstallation(untyped(wrong))), shown(wrong)).to.be.instanceOf(TypeError);
    for (const facts of [{ retriable: true }, { retryable: 'no' }, { details: 1 }, null]) {
      for (const call of [
        () => providerError('unavailable', untyped(facts)),
        () => notDispatched('unavailable', untyped(facts)),
      ])
        expect(await faultOf(call), shown(facts)).to.be.instanceOf(TypeError);
    }
    for (const owner of [undefined, null, {}, { tenant: 'a', runRef: 'r' }])
      expect(await faultOf(() => readStoredEnvelope(null, untyped(owner), null)), shown(owner)).to.be.instanceOf(
        TypeError,
      );
    expect(
      await faultOf(() =>
        readStoredEnvelope(null, untyped({ tenant: 'a', runRef: 'r', epoch: 1, state: 'finished' }), untyped({})),
      ),
    ).to.be.instanceOf(TypeError);
  });

  it('svc/engine', async () => {
    const pglite = await PGlite.create();
    const database = openPgliteDatabase(pglite);
    await namesEach(TIMING, (input) => openEngine(database, untyped(input)));
    const engine = await openEngine(database);
    try {
      for (const value of [undefined, ...NO_STORE]) {
        for (const call of [
          () => openEngine(untyped(value)),
          () => openPgliteDatabase(untyped(value)),
          () => openPostgresJournal(untyped(value)),
          () => engine.enqueue(untyped(value)),
        ])
          expect(await faultOf(call), shown(value)).to.be.instanceOf(TypeError);
      }
      for (const value of [undefined, ...NO_TEXT]) {
        expect(await faultOf(() => openPostgresDatabase(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
        expect(await faultOf(() => engine.cancel(untyped(value))), shown(value)).to.be.instanceOf(TypeError);
      }
      await namesEach({ connections: noCount(1) }, (input) =>
        openPostgresDatabase('postgres://svc@localhost/svc', untyped(input)),
      );
      await namesEach({ slots: [undefined, ...noCount(1)], applicationDigest: NO_TEXT }, (input) =>
        engine.work(untyped({ slots: 1, ...input }), async () => ({ state: 'finished', envelope: null })),
      );
      for (const value of [undefined, ...NO_FUNCTION])
        expect(await faultOf(() => engine.work({ slots: 1 }, untyped(value))), shown(value)).to.be.instanceOf(
          TypeError,
        );
      const worker = engine.work({ slots: 1 }, async () => ({ state: 'finished', envelope: null }));
      await namesEach({ graceMs: noCount(0) }, (input) => worker.close(untyped(input)));
      await worker.close();
      const requested = { tenant: 'acme', applicationDigest: 'sha256:aa' };
      await namesEach(JOB, (input) => newJob(untyped({ ...requested, ...input })));
      await namesEach({ maxRuns: [Number.NaN, '1', null], rerunDispatched: NO_FLAG }, (limits) =>
        newJob(untyped({ ...requested, limits })),
      );
      for (const value of [undefined, ...NO_STORE])
        expect(await faultOf(() => createStoredJob(requested, untyped(value))), shown(value)).to.be.instanceOf(
          TypeError,
        );
    } finally {
      await engine.close();
      await pglite.close();
    }
  });

  it('and takes what is right, of any class', async () => {
    class Policy {
      readonly maxRuns = 2;
    }
    said = new Policy();
    const input = Object.assign(Object.create(null), { n: 7 });
    const document = join(folder, 'svc.json');
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    const own = await supervisor.prepare({
      kind: 'directory',
      manifest: document,
      pins: { contentDigest: application.contentDigest },
    });
    const end = await supervisor.run(own, {
      input,
      signal: new AbortController().signal,
      limits: {},
      artifacts: {},
      deadlineMs: 2_592_000_000,
    }).result;
    expect(end).to.include({ kind: 'finished', value: 7 });
  });
});
