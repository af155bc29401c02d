import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  StoreError,
  openDirectoryArtifacts,
  createMemoryArtifacts,
  createRunRef,
  type ArtifactKey,
  type ArtifactStore,
  type PreparedApplication,
  type RunRequest,
  type RunResult,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const codeOf = (end: RunResult): string =>
  end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;
const ALL = { trace: true, inspection: true, result: true };

const FILES = new Map(
  Object.entries({
    'svc.json': {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: {},
      input: { value: { n: 1 } },
    },
    'main.clj': '(ns main)\n(defn run [input] {:n (get input "n")})\n',
  }).map(([name, value]) => [name, bytes(value)] as const),
);

async function contentOf(store: ArtifactStore, key: ArtifactKey): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await store.read(key)) ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function keysOf(store: ArtifactStore, tenant: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { epoch, name } of store.list({ tenant })) names.push(`${epoch}/${name}`);
  return names;
}

/** A store that fails at one call, as a server that is gone. */
function failingAt(
  call: keyof ArtifactStore,
  store: ArtifactStore,
  isDown: (key: ArtifactKey) => boolean = () => true,
): ArtifactStore {
  const fails = (name: keyof ArtifactStore, key: ArtifactKey): void => {
    if (name === call && isDown(key)) throw new StoreError('unavailable');
  };
  return {
    ...store,
    reserve: async (key, meta) => {
      fails('reserve', key);
      return store.reserve(key, meta);
    },
    write: async (reservation, stream) => {
      fails('write', reservation.key);
      return store.write(reservation, stream);
    },
    commit: async (reservation) => {
      fails('commit', reservation.key);
      return store.commit(reservation);
    },
  };
}

describe('stores of a supervisor (gateway.md §16)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  let temporary: string | undefined;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-stores-')));
    temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(options: SupervisorOptions): Promise<{
    readonly own: Supervisor;
    readonly application: PreparedApplication;
    readonly end: (request?: RunRequest) => Promise<RunResult>;
  }> {
    const own = await supervise(options);
    supervisor = own;
    const application = await own.prepare({ kind: 'memory', files: FILES });
    return {
      own,
      application,
      end: async (request = {}) => own.run(application, { tenant: 'acme', ...request }).result,
    };
  }
  /** What is left of runs below the directory for temporary files. */
  const spooled = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true })).filter((name) => name.startsWith('svc-spool-') && name.includes('/'));

  for (const [name, make] of [
    ['memory', () => createMemoryArtifacts()],
    ['a directory', () => openDirectoryArtifacts(join(folder, 'left', 'here'))],
  ] as const) {
    it(`keeps what a run leaves in ${name}, tenant, run and attempt first, and nothing beside it`, async () => {
      const store = make();
      const { end } = await started({ stores: { artifacts: store } });
      const left = finished(await end({ artifacts: ALL, attempt: 2 }));
      expect(codeOf(left)).to.equal('ok');
      expect(left.envelope.artifact_state).to.deep.equal({
        trace: 'written',
        inspection: 'written',
        result: 'written',
      });
      expect(await keysOf(store, 'acme')).to.deep.equal(['2/inspection.svcins', '2/result.json', '2/trace.jsonl']);
      expect(left.artifacts.map(({ kind }) => kind)).to.deep.equal(['trace', 'inspection', 'result']);
      for (const artifact of left.artifacts) {
        const key = { tenant: 'acme', runRef: left.runRef, epoch: 2, name: artifact.uri.split('/').at(-1) ?? '' };
        const text = await contentOf(store, Object.assign(Object.create(null), key));
        expect(createHash('sha256').update(text).digest('hex'), artifact.kind).to.equal(artifact.sha256);
        if (artifact.kind === 'result') expect(text.trim()).to.equal('{"n":1}');
      }
      expect(await spooled()).to.deep.equal([]);
      expect(finished(await end()).artifacts, 'one that leaves nothing').to.deep.equal([]);
    });
  }

  it('keeps a private result in the store alone', async () => {
    const store = createMemoryArtifacts();
    const { end } = await started({ stores: { artifacts: store } });
    const left = finished(await end({ inputClass: 'private', input: { n: 77 }, artifacts: { trace: true } }));
    expect([codeOf(left), left.valueText, 'value' in left]).to.deep.equal(['ok', null, false]);
    expect(await keysOf(store, 'acme')).to.deep.equal(['1/result.json', '1/trace.jsonl']);
    expect(await spooled()).to.deep.equal([]);
  });

  it('refuses a run whose places the store does not give, before anything of it happens', async () => {
    let isDown = true;
    const { end } = await started({
      stores: { artifacts: failingAt('reserve', createMemoryArtifacts(), () => isDown) },
    });
    const refusal = await end({ artifacts: ALL });
    expect(refusal).to.include({ kind: 'refused', code: 'unavailable', retryAfterMs: 1000 });
    expect(codeOf(await end()), 'one that leaves nothing').to.equal('ok');
    isDown = false;
    expect(codeOf(await end({ artifacts: ALL, runRef: refusal.runRef })), 'later, by the same name').to.equal('ok');
    expect(await spooled()).to.deep.equal([]);
  });

  for (const call of ['write', 'commit'] as const) {
    it(`tells a store that fails at ${call} as a publication that failed, and goes no further`, async () => {
      const store = createMemoryArtifacts();
      const { end } = await started({
        stores: { artifacts: failingAt(call, store, ({ name }) => name.startsWith('inspection')) },
      });
      const left = finished(await end({ artifacts: ALL }));
      expect(codeOf(left)).to.equal('inspection_publication_failed');
      expect(left.envelope.artifact_state).to.deep.equal({
        trace: 'written',
        inspection: 'failed',
        result: 'not_written',
      });
      expect(left).to.include({ exitStatus: 7, effects: 'none' });
      expect(left.artifacts.map(({ kind }) => kind)).to.deep.equal(['trace']);
      expect(await keysOf(store, 'acme')).to.deep.equal(['1/trace.jsonl']);
      expect(await spooled()).to.deep.equal([]);
    });
  }

  it('has no room for one tenant: its run tells so, and those of others go on beside it', async () => {
    const { end } = await started({
      stores: { artifacts: failingAt('write', createMemoryArtifacts(), ({ tenant }) => tenant === 'full') },
    });
    const ends = await Promise.all(
      ['full', 'a', 'full', 'b'].map(async (tenant) => codeOf(await end({ tenant, artifacts: { result: true } }))),
    );
    expect(ends).to.deep.equal(['result_publication_failed', 'ok', 'result_publication_failed', 'ok']);
  });

  it('never replaces what a run of the same name left, nor what another process committed meanwhile', async () => {
    const store = createMemoryArtifacts();
    const { end } = await started({ stores: { artifacts: store } });
    const runRef = createRunRef();
    const first = finished(await end({ runRef, artifacts: { result: true } }));
    await supervisor?.close();
    const racing: ArtifactStore = {
      ...store,
      commit: async (reservation) => {
        const late = await store.reserve(reservation.key, { dataClass: 'normal', contentType: 'text/plain' });
        await store.write(
          late,
          (async function* () {
            yield bytes('foreign');
          })(),
        );
        await store.commit(late);
        return store.commit(reservation);
      },
    };
    const again = await started({ stores: { artifacts: racing } });
    expect(codeOf(await again.end({ runRef, artifacts: { result: true } }))).to.equal('run_ref_conflict');
    expect(codeOf(await again.end({ artifacts: { result: true } }))).to.equal('destination_collision');
    expect(
      await contentOf(
        store,
        Object.assign(Object.create(null), { tenant: 'acme', runRef, epoch: 1, name: 'result.json' }),
      ),
    ).to.contain('"n":1');
    expect(first.artifacts).to.have.length(1);
  });

  it('takes a directory or a store', async () => {
    const refusal = await supervise({ artifacts: folder, stores: { artifacts: createMemoryArtifacts() } }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(TypeError);
  });
});
