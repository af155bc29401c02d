import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  openDirectoryArtifacts,
  createRunRef,
  type PreparedApplication,
  type RunRequest,
  type RunResult,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';
import { isMountable, smallDisk, type SmallDisk } from './small-disk.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const codeOf = (end: RunResult): string =>
  end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;
const LONG = 300_000;
const FILES = new Map(
  Object.entries({
    'svc.json': {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: {},
      limits: { terminal_result_bytes: 1_000_000 },
      input: { value: { length: 1 } },
    },
    'main.clj': '(ns main)\n(defn run [input] (apply str (repeat (get input "length") "x")))\n',
  }).map(([name, value]) => [name, bytes(value)] as const),
);

describe('a disk without room for what runs leave (gateway.md §20)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  let left = '';
  let disk: SmallDisk | null = null;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-full-')));
    left = join(folder, 'left');
    mkdirSync(left, { mode: 0o700 });
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    disk?.unmount();
    disk = null;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(
    options: SupervisorOptions,
  ): Promise<(tenant: string, request?: RunRequest) => Promise<RunResult>> {
    const own = await supervise(options);
    supervisor = own;
    const application: PreparedApplication = await own.prepare({ kind: 'memory', files: FILES });
    return async (tenant, request = {}) =>
      own.run(application, { tenant, artifacts: { trace: true, result: true }, ...request }).result;
  }
  const filesOf = async (tenant: string): Promise<readonly string[]> =>
    (await readdir(join(left, tenant), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();

  if (isMountable()) {
    for (const [what, options] of [
      ['a store', (): SupervisorOptions => ({ stores: { artifacts: openDirectoryArtifacts(left) } })],
      ['a directory', (): SupervisorOptions => ({ artifacts: left })],
    ] as const) {
      it(`of one tenant, in ${what}: its run says what was not published, nothing half written stays, the others go on, and so does it once there is room`, async () => {
        const end = await started(options());
        disk = smallDisk(join(left, 'full'));
        const [failed, other] = await Promise.all(
          ['full', 'other'].map((tenant) => end(tenant, { input: { length: LONG } })),
        );
        if (failed === undefined || other === undefined) throw new Error('two runs');
        expect([codeOf(failed), codeOf(other)]).to.deep.equal(['result_publication_failed', 'ok']);
        expect(finished(failed)).to.deep.include({ exitStatus: 7, effects: 'none' });
        expect(finished(failed).envelope.artifact_state).to.deep.equal({
          trace: 'written',
          inspection: 'not_requested',
          result: 'failed',
        });
        expect(finished(failed).artifacts.map(({ kind }) => kind)).to.deep.equal(['trace']);
        const stored = await filesOf('full');
        expect(
          stored.filter((name) => !/\.jsonl(\.sha256)?$/.test(name)),
          stored.join(' '),
        ).to.deep.equal([]);
        expect(codeOf(await end('full')), 'one that fits').to.equal('ok');
        disk?.grow();
        expect(codeOf(await end('full', { input: { length: LONG } })), 'with room').to.equal('ok');
      });
    }

    it('of one tenant, before its run begins: it is told so and may come again under the same name', async () => {
      const end = await started({ stores: { artifacts: openDirectoryArtifacts(left) } });
      // Itself, and no entry more.
      disk = smallDisk(join(left, 'full'), 1);
      const runRef = createRunRef();
      const [refusal, other] = await Promise.all([end('full', { runRef }), end('other')]);
      expect(refusal).to.include({ kind: 'refused', code: 'unavailable', retryAfterMs: 1000 });
      expect(codeOf(other)).to.equal('ok');
      disk?.grow();
      expect(codeOf(await end('full', { runRef }))).to.equal('ok');
    });
  }

  it('by a limit of each file: told as a publication that failed, and shorter ones go on', async () => {
    const child = join(folder, 'child.mjs');
    const texts = [...FILES].map(([name, content]) => [name, Buffer.from(content).toString()]);
    await writeFile(
      child,
      `
      import { createSupervisor,
        openDirectoryArtifacts } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/supervisor.mjs'))};
      const supervisor = await createSupervisor({
        stores: { artifacts: openDirectoryArtifacts(${JSON.stringify(left)}) } });
      const files = new Map(${JSON.stringify(texts)}.map(([name, text]) => [name, new TextEncoder().encode(text)]));
      const application = await supervisor.prepare({ kind: 'memory', files });
      const ends = [];
      for (const length of [1, ${LONG}, 2]) {
        const end = await supervisor.run(application,
          { tenant: 'a', artifacts: { result: true }, input: { length } }).result;
        ends.push([end.kind, end.envelope?.error?.code ?? null, end.envelope?.artifact_state.result ?? null,
          end.effects ?? null]);
      }
      console.log(JSON.stringify(ends));
      await supervisor.close();
    `,
    );
    // 512 bytes each; a shell that counts in 1,024 allows less than the run writes all the same.
    const running = spawn('/bin/sh', ['-c', `trap '' XFSZ; ulimit -f 200; exec "$@"`, 'sh', process.execPath, child], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let reported = '';
    running.stdout.on('data', (chunk: Buffer) => {
      reported += String(chunk);
    });
    const [status]: unknown[] = await once(running, 'exit');
    expect(status).to.equal(0);
    expect(JSON.parse(reported)).to.deep.equal([
      ['finished', null, 'written', 'none'],
      ['finished', 'result_publication_failed', 'failed', 'none'],
      ['finished', null, 'written', 'none'],
    ]);
    expect((await filesOf('a')).filter((name) => !/^result\.json(\.sha256)?$/.test(name))).to.deep.equal([]);
  });
});
