/** Approvals through the API of embedding (approvals.md §2, §4, §7, §9), over a real supervisor. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import {
  createMemoryApprovals,
  defineCustomInstallation,
  openDirectoryApprovals,
  type ApprovalAnswer,
  type ApprovalRequest,
  type CustomInstallation,
  type PreparedApplication,
  type RunRequest,
  type Supervisor,
} from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const CALLS_THREE = '(mapv (fn [n] (tool/close {"id" n})) [1 2 3])';

describe('approvals of a supervisor (approvals.md §7)', () => {
  let supervisor: Supervisor;
  let closed: unknown[];
  let requests: ApprovalRequest[];
  before(async () => {
    supervisor = await supervise();
  });
  after(async () => supervisor.close());
  beforeEach(() => {
    closed = [];
    requests = [];
  });

  function desk(): CustomInstallation {
    return defineCustomInstallation({
      alias: 'desk',
      revision: 'r1',
      destinations: ['mission'],
      capabilities: [
        {
          name: 'close',
          description: 'Closes a ticket.',
          inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          effect: 'write',
          approval: 'writes',
          modelVisible: true,
          call: ({ id }) => {
            closed.push(id);
            return { closed: id };
          },
        },
      ],
    });
  }

  async function prepare(
    program: string,
    limits: Readonly<Record<string, number>> = {},
    own = supervisor,
  ): Promise<PreparedApplication> {
    const main = `(ns main)\n(defn run [_] (:value (kernel/eval "room" ${JSON.stringify(`(return ${program})`)})))\n`;
    const manifest = {
      version: 1,
      workflow: {
        components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
        entry: 'main/run',
      },
      missions: { room: { providers: ['desk'] } },
      input: { value: {} },
      providers: { mission: [{ name: 'desk' }] },
      limits,
    };
    return own.prepare({
      kind: 'memory',
      files: new Map([
        ['svc.json', Buffer.from(JSON.stringify(manifest))],
        ['main.clj', Buffer.from(main)],
      ]),
      custom: [desk()],
    });
  }

  async function run(
    application: PreparedApplication,
    decide: ((request: ApprovalRequest) => Promise<ApprovalAnswer | 'later'>) | null,
    request: RunRequest = {},
  ): Promise<unknown> {
    const own: RunRequest =
      decide === null
        ? request
        : {
            ...request,
            onApproval: async (shown) => {
              requests.push(shown);
              return decide(shown);
            },
          };
    return finished(await supervisor.run(application, own).result).value;
  }

  const reasons = (value: unknown): unknown[] =>
    Array.isArray(value) ? value.map((one) => Object(one)['reason'] ?? Object(one)['status']) : [value];

  it('asks the callback of the run, and sends what it allowed', async () => {
    const value = await run(await prepare(CALLS_THREE), async ({ arguments: provided }) =>
      provided === '{"id":2}' ? { decision: 'deny', reason: 'not this one' } : { decision: 'allow' },
    );
    expect(reasons(value)).to.deep.equal(['ok', 'approval_denied', 'ok']);
    expect(closed).to.deep.equal([1, 3]);
    expect(requests[0]).to.include({
      tool: 'close',
      effect: 'write',
      mission: 'room',
      description: 'Closes a ticket.',
    });
    expect(requests[0]?.program).to.include('tool/close');
    expect(new Set(requests.map(({ approvalId }) => approvalId)).size).to.equal(3);
  });

  it('shows where in a program the call is, also of one that raises', async () => {
    await run(await prepare('(do\n  (defn close [n]\n    (tool!/close {"id" n}))\n  (close 1))'), async () => ({
      decision: 'allow',
    }));
    expect(requests[0]?.place).to.deep.equal({
      component: null,
      ref: null,
      line: 3,
      column: 5,
      text: '(tool!/close {"id" n})',
    });
    expect(requests[0]?.stack?.map(({ line, text }) => [line, text])).to.deep.equal([[4, '(close 1)']]);
  });

  it('asks nobody where there is no callback', async () => {
    const value = await run(await prepare(CALLS_THREE), null);
    expect(reasons(value)).to.deep.equal(Array(3).fill('approval_unavailable'));
    expect(closed).to.deep.equal([]);
  });

  it('takes an answer for later, a wrong one, and none, for nobody', async () => {
    const application = await prepare('(get-in (tool/close {"id" 1}) [:details :how])');
    const wrong: ApprovalAnswer = JSON.parse('{"decision":"maybe"}');
    expect(await run(application, async () => 'later')).to.equal('later_unsupported');
    expect(await run(application, async () => wrong)).to.equal('store_unavailable');
    expect(await run(application, async () => Promise.reject(new Error('down')))).to.equal('store_unavailable');
    expect(closed).to.deep.equal([]);
  });

  it('waits longer than any limit of the run, which count on a clock that stands still', async () => {
    const application = await prepare(CALLS_THREE, {
      run_duration_ms: 1500,
      workflow_timeout_ms: 1200,
      evaluation_timeout_ms: 1000,
    });
    const value = await run(application, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1600));
      return { decision: 'allow' };
    });
    expect(reasons(value)).to.deep.equal(['ok', 'ok', 'ok']);
  });

  it('lets limits strike while one branch waits and another computes', async () => {
    const application = await prepare(
      '(pmap (fn [n] (if (= n 0) (tool/close {"id" n}) (loop [i 0] (recur (inc i))))) [0 1])',
      { run_duration_ms: 20_000, workflow_timeout_ms: 20_000, evaluation_timeout_ms: 2000, parallel_timeout_ms: 1000 },
    );
    const withdrawn = Promise.withResolvers<string>();
    const handle = supervisor.run(application, {
      onApproval: async (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => withdrawn.resolve('withdrawn'));
        }),
    });
    const end = finished(await handle.result);
    expect(await withdrawn.promise).to.equal('withdrawn');
    expect(end.value).to.equal(null);
    expect(closed).to.deep.equal([]);
  });

  it('asks about all branches of a pmap, each with its place', async () => {
    const value = await run(
      await prepare('(count (filterv #(= :ok (:status %)) (pmap (fn [n] (tool/close {"id" n})) [0 1 2 3])))'),
      async () => ({ decision: 'allow' }),
    );
    expect(value).to.equal(requests.length === 0 ? -1 : 4);
    const branches = requests.map(({ branch }) => branch?.index ?? 0).toSorted((left, right) => left - right);
    expect(branches).to.deep.equal([1, 2, 3, 4]);
    for (const { place, branch } of requests) {
      expect(branch?.of).to.equal(4);
      expect(place).to.deep.include({ component: null, line: 1, text: '(tool/close {"id" n})' });
    }
    expect(closed.map(Number).toSorted((left, right) => left - right)).to.deep.equal([0, 1, 2, 3]);
  });

  it('asks once where the answer is for the tool or for the run', async () => {
    for (const scope of ['tool', 'run'] as const) {
      closed = [];
      requests = [];
      const value = await run(await prepare(CALLS_THREE), async () => ({ decision: 'allow', scope }));
      expect(reasons(value), scope).to.deep.equal(['ok', 'ok', 'ok']);
      expect(requests, scope).to.have.length(1);
    }
  });

  it('withdraws the question of a run that is cancelled, and sends nothing', async () => {
    const application = await prepare(CALLS_THREE);
    const shown = Promise.withResolvers<AbortSignal>();
    const handle = supervisor.run(application, {
      onApproval: (_, { signal }) => {
        shown.resolve(signal);
        return new Promise(() => undefined);
      },
    });
    const signal = await shown.promise;
    await handle.cancel();
    await handle.result;
    expect(signal.aborted).to.equal(true);
    expect(closed).to.deep.equal([]);
  });

  it('does not stand still for the deadline of its caller', async () => {
    const application = await prepare(CALLS_THREE, { run_duration_ms: 60_000, workflow_timeout_ms: 60_000 });
    const handle = supervisor.run(application, { deadlineMs: 1500, onApproval: () => new Promise(() => undefined) });
    const end = finished(await handle.result);
    expect(end.value ?? null).to.equal(null);
    expect(closed).to.deep.equal([]);
  });

  it('waits in a store for who decides later, and lets each tenant decide its own', async () => {
    for (const store of [createMemoryApprovals(), openDirectoryApprovals(mkdtempSync(join(tmpdir(), 'svc-asked-')))]) {
      closed = [];
      const own = await supervise({ stores: { approvals: store } });
      try {
        const application = await own.prepare({
          kind: 'memory',
          tenant: 'acme',
          files: new Map([
            ['svc.json', Buffer.from(MANIFEST)],
            ['main.clj', Buffer.from(MAIN)],
          ]),
          custom: [desk()],
        });
        const handle = own.run(application, { tenant: 'acme' });
        const open = await until('a question', async () => {
          const found = await own.approvals.list({ tenant: 'acme', state: 'open' });
          return found.length === 0 ? undefined : found;
        });
        const [{ request } = { request: null }] = open;
        const id = request?.approvalId ?? '';
        expect(request).to.include({ tool: 'close', tenant: 'acme', arguments: '{"id":1}' });
        expect(await own.approvals.list()).to.deep.equal([]);
        expect(await own.approvals.get(id, { tenant: 'other' })).to.equal(null);
        expect(await own.approvals.decide(id, { decision: 'allow' }, { tenant: 'other' })).to.equal('unknown');
        expect(await own.approvals.decide(id, { decision: 'allow' })).to.equal('unknown');
        expect(await own.approvals.decide(id, { decision: 'deny', reason: 'no' }, { tenant: 'acme' })).to.equal(
          'decided',
        );
        const end = finished(await handle.result);
        expect(end.value).to.deep.equal(['approval_denied', { reason: 'no' }]);
        expect(await own.approvals.decide(id, { decision: 'allow' }, { tenant: 'acme' })).to.equal('already');
        expect(await own.approvals.list({ tenant: 'acme', state: 'open' })).to.deep.equal([]);
        expect(closed).to.deep.equal([]);
      } finally {
        await own.close();
      }
    }
  });

  describe('a run that waits', () => {
    const documents = (): { readonly kind: 'memory'; readonly files: ReadonlyMap<string, Uint8Array> } => ({
      kind: 'memory',
      files: new Map([
        ['svc.json', Buffer.from(MANIFEST)],
        ['main.clj', Buffer.from(MAIN)],
      ]),
    });
    const firstOpen = (own: Supervisor, count = 1): Promise<readonly string[]> =>
      until('questions', async () => {
        const open = await own.approvals.list({ state: 'open' });
        return open.length < count ? undefined : open.map(({ request }) => request.approvalId);
      });

    it('gives its place to a run that is new, and comes back before those that wait', async () => {
      const own = await supervise({
        limits: { maxRuns: 1 },
        approvals: { holdMs: 0 },
        stores: { approvals: createMemoryApprovals() },
      });
      try {
        const application = await own.prepare({ ...documents(), custom: [desk()] });
        const runs = [own.run(application), own.run(application), own.run(application)];
        const ids = await firstOpen(own, 3);
        await until('no place', () => (own.snapshot().runs.running === 0 ? true : undefined));
        expect(own.snapshot().runs).to.deep.equal({ running: 0, queued: 0, waiting: 3 });
        for (const id of ids) expect(await own.approvals.decide(id, { decision: 'allow' })).to.equal('decided');
        for (const run of runs) expect(finished(await run.result).value).to.deep.equal([null, null]);
        expect(closed).to.deep.equal([1, 1, 1]);
        expect(own.snapshot().runs).to.deep.equal({ running: 0, queued: 0, waiting: 0 });
      } finally {
        await own.close();
      }
    });

    it('keeps its place for as long as `holdMs` says', async () => {
      const own = await supervise({
        limits: { maxRuns: 1 },
        approvals: { holdMs: 3_600_000 },
        stores: { approvals: createMemoryApprovals() },
      });
      try {
        const application = await own.prepare({ ...documents(), custom: [desk()] });
        const runs = [own.run(application), own.run(application)];
        for (const run of runs) {
          const [id = ''] = await firstOpen(own);
          expect(own.snapshot().runs).to.include({ running: 1, waiting: 0 });
          await own.approvals.decide(id, { decision: 'allow' });
          await run.result;
        }
        expect(closed).to.deep.equal([1, 1]);
      } finally {
        await own.close();
      }
    });

    it('ends when it is cancelled, or its supervisor drained, without a place', async () => {
      const own = await supervise({
        limits: { maxRuns: 1 },
        approvals: { holdMs: 0 },
        stores: { approvals: createMemoryApprovals() },
      });
      const application = await own.prepare({ ...documents(), custom: [desk()] });
      const [cancelled, drained] = [own.run(application), own.run(application)];
      const ids = await firstOpen(own, 2);
      await cancelled.cancel();
      expect(finished(await cancelled.result).cancelled).to.equal(true);
      expect(await own.drain({ graceMs: 100 })).to.deep.equal({ clean: false, forced: 1 });
      expect(finished(await drained.result).cancelled).to.equal(false);
      for (const id of ids) expect(await own.approvals.decide(id, { decision: 'allow' })).to.equal('expired');
      expect(closed).to.deep.equal([]);
      await own.close();
    });
  });

  it('is data that a program can catch and raise again, for each reason (11, 12)', async () => {
    const caught =
      '(try (tool!/close {"id" 1}) (catch Exception e (let [r (:error (ex-data e))] [(:kind r) (:reason r) (:retryable? r) (contains? r :mutation_state)])))';
    const again = '(try (tool!/close {"id" 1}) (catch Exception e (throw e)))';
    const own = await supervise({ approvals: { timeoutMs: 1000 } });
    try {
      for (const [reason, decide] of [
        ['approval_denied', async () => ({ decision: 'deny' }) as const],
        ['approval_expired', () => new Promise<never>(() => undefined)],
        ['approval_unavailable', async () => 'later' as const],
      ] as const) {
        const seen = await own.run(await prepare(caught, {}, own), { onApproval: decide }).result;
        expect(finished(seen).value).to.deep.equal(['capability_denied', reason, false, false]);
        const raised = finished(await own.run(await prepare(again, {}, own), { onApproval: decide }).result);
        expect(JSON.stringify(raised.value), reason).to.equal('null');
        // The evaluation failed, and the run did not: its workflow went on without the value.
        expect(raised.exitStatus, reason).to.equal(0);
      }
      expect(closed).to.deep.equal([]);
    } finally {
      await own.close();
    }
  });

  it('holds up nothing but time that stands still: who waits for the mission behind it waits on (60)', async () => {
    const main =
      '(ns main)\n(defn run [_] (pmap (fn [n] (:value (kernel/eval "room" (str "(return (:status (tool/close {\\"id\\" " n "})))")))) [1 2]))\n';
    const manifest = {
      ...JSON.parse(MANIFEST),
      limits: {
        run_duration_ms: 20_000,
        workflow_timeout_ms: 20_000,
        evaluation_timeout_ms: 10_000,
        evaluation_admission_timeout_ms: 3000,
      },
    };
    const application = await supervisor.prepare({
      kind: 'memory',
      files: new Map([
        ['svc.json', Buffer.from(JSON.stringify(manifest))],
        ['main.clj', Buffer.from(main)],
      ]),
      custom: [desk()],
    });
    const value = await run(application, async () => {
      // Longer than anybody may wait for a mission that works.
      await new Promise((resolve) => setTimeout(resolve, 3500));
      return { decision: 'allow' };
    });
    expect(value).to.deep.equal(['ok', 'ok']);
    expect(closed.map(Number).toSorted((left, right) => left - right)).to.deep.equal([1, 2]);
  });

  it('asks the store where a callback answers `later`', async () => {
    const own = await supervise({ stores: { approvals: createMemoryApprovals() } });
    try {
      const application = await own.prepare({
        kind: 'memory',
        files: new Map([
          ['svc.json', Buffer.from(MANIFEST)],
          ['main.clj', Buffer.from(MAIN)],
        ]),
        custom: [desk()],
      });
      const handle = own.run(application, { onApproval: async () => 'later' });
      const id = await until('a question', async () => (await own.approvals.list())[0]?.request.approvalId);
      expect(await own.approvals.decide(id, { decision: 'allow' })).to.equal('decided');
      finished(await handle.result);
      expect(closed).to.deep.equal([1]);
    } finally {
      await own.close();
    }
  });

  it('expires by the bounds of the supervisor', async () => {
    const own = await supervise({ approvals: { timeoutMs: 1000, onRequest: () => new Promise(() => undefined) } });
    try {
      const application = await prepare('(tool/close {"id" 1})');
      const again = await own.prepare({
        kind: 'memory',
        files: new Map([
          ['svc.json', Buffer.from(MANIFEST)],
          ['main.clj', Buffer.from(MAIN)],
        ]),
        custom: [desk()],
      });
      expect(application.contentDigest).to.be.a('string');
      const end = finished(await own.run(again).result);
      expect(end.value).to.deep.equal(['approval_expired', { limit: 'approval_timeout_ms', limit_value: 1000 }]);
    } finally {
      await own.close();
    }
  });
});

const MAIN =
  '(ns main)\n(defn run [_] (:value (kernel/eval "room" "(return (let [r (tool/close {\\"id\\" 1})] [(:reason r) (:details r)]))")))\n';
const MANIFEST = JSON.stringify({
  version: 1,
  workflow: {
    components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    entry: 'main/run',
  },
  missions: { room: { providers: ['desk'] } },
  input: { value: {} },
  providers: { mission: [{ name: 'desk' }] },
});
