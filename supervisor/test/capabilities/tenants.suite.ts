import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PreparedApplication, RunResult, Supervisor, SupervisorOptions } from '../../api/supervisor.ts';
import { work } from './runs.ts';
import { supervise } from './supervised.ts';

/** Of the runs of these tests, by what each gives. */
const NAMES = [
  'first',
  'second',
  'third',
  'a1',
  'a2',
  'a3',
  'b1',
  'b',
  ...Array.from({ length: 8 }, (_, index) => `a${index}`),
];

/** Settles once `condition` holds; what never holds meets the limit of the test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition())
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
}

describe('tenants of one supervisor (gateway.md §16, §18)', () => {
  let directory: string;
  let supervisor: Supervisor | null = null;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-tenants-'));
    await writeFile(
      join(directory, 'svc.json'),
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
        providers: { workflow: [{ name: 'tools' }], mission: [] },
      }),
    );
    await writeFile(join(directory, 'main.clj'), '(ns main)\n(defn run [input] (:value (tool/work)))\n');
  });
  after(() => rm(directory, { recursive: true, force: true }));
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  /** Runs that call a function which waits until the test lets it go on. */
  async function waiting(options: SupervisorOptions) {
    const started = await supervise(options);
    supervisor = started;
    const calls: { readonly name: string; readonly go: () => void }[] = [];
    const prepare = (name: string) =>
      started.prepare({
        kind: 'directory',
        manifest: 'svc.json',
        workingDirectory: directory,
        custom: [
          work(
            (_, call) =>
              new Promise((resolve) => {
                calls.push({ name, go: () => resolve(name) });
                call.signal.addEventListener('abort', () => resolve('stopped'));
              }),
            { timeoutMs: 60_000 },
          ),
        ],
      });
    const applications = new Map<string, PreparedApplication>();
    for (const name of NAMES) applications.set(name, await prepare(name));
    const run = (name: string, tenant?: string, signal?: AbortSignal) => {
      const application = applications.get(name);
      if (application === undefined) throw new Error('a run is named');
      return started.run(application, {
        ...(tenant === undefined ? {} : { tenant }),
        ...(signal === undefined ? {} : { signal }),
      }).result;
    };
    return { started, calls, run };
  }

  const word = (end: RunResult): string | null =>
    end.kind === 'refused' ? end.code : (end.valueText ?? end.envelope.status);

  it('run so many at once, and are told when to come again beyond what may wait', async () => {
    const { calls, run } = await waiting({ tenant: () => ({ weight: 1, maxRuns: 1, maxQueued: 1 }) });
    const first = run('a1', 'a');
    const second = run('a2', 'a');
    const refused = await run('a3', 'a');
    expect(refused).to.include({ kind: 'refused', code: 'tenant_quota' });
    expect(refused).to.have.property('retryAfterMs').that.is.at.least(1);
    const other = run('b1', 'b');
    await until(() => calls.length === 2);
    expect(calls.map(({ name }) => name)).to.have.members(['a1', 'b1']);
    calls.forEach(({ go }) => go());
    await until(() => calls.length === 3);
    calls[2]?.go();
    expect([word(await first), word(await second), word(await other)]).to.deep.equal(['"a1"', '"a2"', '"b1"']);
  });

  it('go before those that have their share, however many these asked for', async () => {
    const { calls, run } = await waiting({
      limits: { maxRuns: 2, maxQueued: 20 },
      tenant: () => ({ weight: 1, maxRuns: 2, maxQueued: 20 }),
    });
    const all = [...Array.from({ length: 8 }, (_, index) => run(`a${index}`, 'a')), run('b', 'b')];
    await until(() => calls.length === 2);
    calls[0]?.go();
    await until(() => calls.length === 3);
    expect(calls[2]?.name).to.equal('b');
    for (let ended = 1; ended < all.length; ended += 1) {
      await until(() => calls.length > ended);
      calls[ended]?.go();
    }
    expect((await Promise.all(all)).map(word)).to.deep.equal([
      ...Array.from({ length: 8 }, (_, index) => `"a${index}"`),
      '"b"',
    ]);
  });

  it('are told of the end of what they no longer wait for', async () => {
    const { calls, run } = await waiting({ limits: { maxRuns: 1 } });
    const leaving = new AbortController();
    const first = run('first');
    const second = run('second', undefined, leaving.signal);
    leaving.abort('SIGTERM');
    expect(await second).to.have.nested.property('envelope.error.code', 'internal_error');
    await until(() => calls.length === 1);
    calls[0]?.go();
    expect(word(await first)).to.equal('"first"');
  });

  it('come to their end when it is closed; what waits and what comes is turned away', async () => {
    const { started, calls, run } = await waiting({ limits: { maxRuns: 1 } });
    const first = run('first');
    const second = run('second');
    await until(() => calls.length === 1);
    const closing = started.drain();
    expect([await second, await run('third')].map(word)).to.deep.equal(['draining', 'draining']);
    calls[0]?.go();
    expect(word(await first)).to.equal('"first"');
    expect(await closing).to.deep.equal({ clean: true, forced: 0 });
  });

  it('are stopped in their order when they do not end in time', async () => {
    const { started, calls, run } = await waiting({});
    const first = run('first');
    await until(() => calls.length === 1);
    expect(await started.drain({ graceMs: 1 })).to.deep.equal({ clean: false, forced: 1 });
    expect(await first).to.include({ kind: 'finished', exitStatus: 143 });
  });

  it('are named by what cannot lead anywhere', async () => {
    const { run } = await waiting({});
    expect(await run('first', '../a')).to.deep.include({ kind: 'refused', code: 'tenant_unknown', retryAfterMs: null });
  });
});
