import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { isRunReference, type RunReference } from '../../../contract/run-reference.ts';
import {
  StoreError,
  openDirectoryJournal,
  createMemoryArtifacts,
  createMemoryJournal,
  readStoredEnvelope,
  settleInterrupted,
  type CustomFunction,
  type RunJournal,
  type RunRequest,
  type RunResult,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const codeOf = (end: RunResult): string =>
  end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;

function files(body: string, manifest: object = {}): ReadonlyMap<string, Uint8Array> {
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
    }).map(([name, value]) => [name, bytes(value)]),
  );
}
const named = (text: string): RunReference => {
  if (!isRunReference(text)) throw new Error('a run has a name');
  return text;
};

/** A journal that may be taken away. */
function breakable(): {
  readonly journal: RunJournal;
  readonly stored: RunJournal;
  readonly set: (isDown: boolean) => void;
} {
  const runJournal = createMemoryJournal();
  let isDown = false;
  const reach = (): void => {
    if (isDown) throw new StoreError('unavailable');
  };
  return {
    stored: runJournal,
    set: (value) => {
      isDown = value;
    },
    journal: {
      create: async (run) => {
        reach();
        return runJournal.create(run);
      },
      cas: async (...change) => {
        reach();
        return runJournal.cas(...change);
      },
      get: async (runRef) => {
        reach();
        return runJournal.get(runRef);
      },
      scan: async (query) => {
        reach();
        return runJournal.scan(query);
      },
    },
  };
}

describe("the record of a supervisor's runs (gateway.md §16, §20)", () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-journal-')));
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(
    options: SupervisorOptions,
    call: CustomFunction = () => 1,
    effect: 'read' | 'write' = 'read',
  ) {
    const own = await supervise(options);
    supervisor = own;
    const plain = await own.prepare({ kind: 'memory', files: files('(get input "n")') });
    const calling = await own.prepare({
      kind: 'memory',
      files: files('(tool/work)', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [work(call, { effect })],
    });
    return { own, plain, calling, end: async (request?: RunRequest) => own.run(plain, request).result };
  }

  it('says how each run ended, under a name that is taken once', async () => {
    const journal = openDirectoryJournal(join(folder, 'runs'));
    const { own, plain, end } = await started({ stores: { journal } });
    const left = finished(await end({ tenant: 'acme' }));
    const record = await journal.get(named(left.runRef));
    expect(record).to.include({ tenant: 'acme', state: 'finished', effect: 'none', epoch: 1 });
    expect(record?.envelope).to.deep.equal(JSON.parse(left.envelopeText));
    await own.close();
    const again = await started({ stores: { journal } });
    expect(codeOf(await again.end({ tenant: 'acme', runRef: left.runRef })), 'in another supervisor').to.equal(
      'run_ref_conflict',
    );
    const stopped = again.own.run(again.plain, { signal: AbortSignal.abort('SIGINT') });
    expect(codeOf(await stopped.result)).to.not.equal('ok');
    expect((await journal.get(named(stopped.runRef)))?.state ?? 'cancelled').to.equal('cancelled');
    expect(plain.contentDigest).to.equal(again.plain.contentDigest);
  });

  for (const [effect, noted] of [
    ['read', 'dispatched'],
    ['write', 'write_open'],
  ] as const) {
    it(`has a call of effect ${effect} on record before it leaves, and once`, async () => {
      const { journal, stored } = breakable();
      const seen: unknown[] = [];
      const { own, calling } = await started(
        { stores: { journal } },
        async () => {
          seen.push(...(await stored.scan({ limit: 10 })).map((run) => [run.state, run.effect]));
          return 1;
        },
        effect,
      );
      const run = own.run(calling);
      expect(codeOf(await run.result)).to.equal('ok');
      expect(seen).to.deep.equal([['running', noted]]);
      expect(await stored.get(named(run.runRef))).to.include({ state: 'finished', effect: noted });
    });
  }

  it('lets nothing begin while it is away, and leaves nothing behind', async () => {
    const { journal, stored, set } = breakable();
    const { end } = await started({ stores: { journal } });
    set(true);
    const refusal = await end();
    expect(refusal).to.include({ kind: 'refused', code: 'unavailable', retryAfterMs: 1000 });
    set(false);
    expect(await stored.get(named(refusal.runRef))).to.equal(null);
    expect(codeOf(await end({ runRef: refusal.runRef }))).to.equal('ok');
  });

  for (const [effect, isMade] of [
    ['read', true],
    ['write', false],
  ] as const) {
    it(`${isMade ? 'lets' : 'does not let'} a call of effect ${effect} leave while it is away, and writes the end when it is back`, async () => {
      const { journal, stored, set } = breakable();
      let isCalled = false;
      const { own, calling } = await started(
        { stores: { journal } },
        () => {
          isCalled = true;
          return 1;
        },
        effect,
      );
      const opened = Promise.withResolvers<void>();
      const run = own.run(calling, {
        onEvent: ({ event }) => {
          if (event !== 'admitted') return;
          set(true);
          opened.resolve();
        },
      });
      await opened.promise;
      const end = finished(await run.result);
      expect([isCalled, codeOf(end)]).to.deep.equal([isMade, 'ok']);
      expect(await stored.get(named(run.runRef))).to.include({ state: 'running', effect: 'none' });
      set(false);
      await until('the end on record', async () =>
        (await stored.get(named(run.runRef)))?.state === 'finished' ? true : undefined,
      );
      expect((await stored.get(named(run.runRef)))?.envelope).to.deep.equal(JSON.parse(end.envelopeText));
    });
  }

  it('says where a long envelope lies; without a store that takes it the run failed to publish its result', async () => {
    const manifest = { limits: { terminal_result_bytes: 3_000_000 } };
    for (const [artifacts, isStored] of [
      [createMemoryArtifacts(), true],
      [{ ...createMemoryArtifacts(), commit: async () => Promise.reject(new StoreError('unavailable')) }, false],
      [null, false],
    ] as const) {
      const journal = createMemoryJournal();
      const own = await supervise({ stores: { journal, ...(artifacts === null ? {} : { artifacts }) } });
      supervisor = own;
      const long = await own.prepare({ kind: 'memory', files: files('(apply str (repeat 1100000 "x"))', manifest) });
      const run = own.run(long, { tenant: 'acme' });
      const end = finished(await run.result);
      expect(codeOf(end)).to.equal('ok');
      const record = await journal.get(named(run.runRef));
      const envelope = await readStoredEnvelope(
        record?.envelope,
        { tenant: 'acme', runRef: named(run.runRef), epoch: 1 },
        artifacts,
      );
      if (!isStored) expect(envelope).to.have.nested.property('error.code', 'result_publication_failed');
      else {
        expect(record?.envelope).to.include({ stored: 'envelope.json', bytes: Buffer.byteLength(end.envelopeText) });
        expect(envelope).to.deep.equal(JSON.parse(end.envelopeText));
      }
      await own.close();
    }
  });

  it('tells what was interrupted when the supervisor was killed', async () => {
    const child = `
      import { createSupervisor,
        openDirectoryJournal } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/supervisor.mjs'))};
      const bytes = (text) => new TextEncoder().encode(text);
      const supervisor = await createSupervisor({
        stores: { journal: openDirectoryJournal(${JSON.stringify(join(folder, 'runs'))}) } });
      const files = (body) =>
        new Map([['svc.json',
          bytes(JSON.stringify({ version: 1,
            workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {},
              input: { value: {} } }))], ['main.clj', bytes('(ns main) (defn run [input] ' + body + ')')]]);
      const done = supervisor.run(await supervisor.prepare({ kind: 'memory', files: files('1') }));
      await done.result;
      const going = supervisor.run(await supervisor.prepare({ kind: 'memory', files: files('(loop [] (recur))') }),
        { onEvent: ({ event }) => { if (event === 'started') console.log(done.runRef + ' ' + going.runRef); } });
    `;
    const running = spawn(process.execPath, ['--input-type=module', '-e', child], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [reported]: unknown[] = await once(running.stdout, 'data');
    const [done = '', going = ''] = String(reported).trim().split(' ');
    running.kill('SIGKILL');
    await once(running, 'exit');
    const journal = openDirectoryJournal(join(folder, 'runs'));
    expect([(await journal.get(named(done)))?.state, (await journal.get(named(going)))?.state]).to.deep.equal([
      'finished',
      'running',
    ]);
    expect(await settleInterrupted(journal)).to.deep.equal([going]);
    const lost = await journal.get(named(going));
    expect(lost).to.include({ state: 'lost', effect: 'none' });
    expect(lost?.envelope).to.have.nested.property('error.provider_activity', true);
    expect(await settleInterrupted(journal), 'a second time').to.deep.equal([]);
  });
});
