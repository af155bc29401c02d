import { expect } from 'chai';
import { readdir, readlink } from 'node:fs/promises';
import { success } from '../../contract/outcome.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { capability } from '../calls/broker/testing/broker-harness.ts';
import type { Clock } from '../../system/clock.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import type { RunnableApplication } from './application.ts';
import type { RunEnvironments, OpenEnvironments } from './environments.ts';
import { bareEnvironments } from './bare-environments.ts';
import { evaluatesTo, fakeSandbox, type FakeAnswers } from './testing/fake-sandbox.ts';
import { manualClock, plainApplication } from './testing/run-fixture.ts';
import { useRuns, type Situation } from './testing/run-harness.ts';

const bug = (): never => {
  throw new Error('bug');
};

/** A run whose environments tell when they are closed, with any part of them exchanged. */
function closing(over: (environments: RunEnvironments) => Partial<RunEnvironments>): {
  readonly openEnvironments: OpenEnvironments;
  readonly closed: () => number;
} {
  let closed = 0;
  const openEnvironments: OpenEnvironments = async (context) => {
    const bare = bareEnvironments(context);
    return success({
      ...bare,
      close: async () => {
        closed += 1;
        return null;
      },
      ...over(bare),
    });
  };
  return { openEnvironments, closed: () => closed };
}

describe('a throw in any step of a run (runtime.md §1, §14)', () => {
  const runs = useRuns();
  const inspected: Situation['request'] = (root) => ({
    project: { root: `${root}/.svc`, trace: true, inspection: true, result: true, envelope: false },
  });

  const named: Situation['request'] = (root) => ({
    project: null,
    explicit: {
      traceDirectory: root,
      inspection: `${root}/run.svcins`,
      output: `${root}/value.json`,
      privateOutput: null,
    },
  });

  const sandboxOf = (over: Partial<Sandbox>): Sandbox => ({ ...fakeSandbox(evaluatesTo('1')), ...over });
  const unfrozen = plainApplication({ missions: new Map([['m', plainApplication().workflow]]) });
  const throwing: PublicationFileSystem = { ...nodeFileSystem(), openDirectory: async () => bug() };

  interface Throw {
    readonly step: string;
    readonly situation: (environments: OpenEnvironments) => Situation;
    readonly over?: (environments: RunEnvironments) => Partial<RunEnvironments>;
    /** Whether environments were open by then, so that they must be closed again. */
    readonly isOpen: boolean;
  }

  const seams =
    (over: NonNullable<Situation['seams']>) =>
    (openEnvironments: OpenEnvironments): Situation => ({ seams: { openEnvironments, ...over } });
  const steps: readonly Throw[] = [
    { step: 'the project', situation: () => ({ tools: { fileSystem: throwing } }), isOpen: false },
    { step: 'destinations', situation: () => ({ tools: { fileSystem: throwing }, request: named }), isOpen: false },
    { step: 'sinks', situation: seams({ clock: failingClock() }), isOpen: false },
    { step: 'acquisition', situation: () => ({ seams: { openEnvironments: bug } }), isOpen: false },
    {
      step: 'environments',
      situation: (openEnvironments) => ({ seams: { openEnvironments }, application: unfrozen }),
      isOpen: true,
    },
    {
      step: 'the broker',
      situation: seams({}),
      over: ({ broker }) => ({ broker: { ...broker, open: bug } }),
      isOpen: true,
    },
    { step: 'an isolate', situation: seams({ sandbox: sandboxOf({ openIsolate: bug }) }), isOpen: true },
    {
      step: 'the result contract',
      situation: (openEnvironments) => ({
        seams: { openEnvironments },
        application: plainApplication({ resultContract: { check: bug, explain: bug } }),
      }),
      isOpen: true,
    },
    {
      step: 'the counts',
      situation: seams({}),
      over: ({ kernel }) => ({ kernel: { ...kernel, counts: bug } }),
      isOpen: true,
    },
    { step: 'what follows the evaluation', situation: seams({ onEvaluated: bug }), isOpen: true },
  ];
  for (const { step, situation, over = () => ({}), isOpen } of steps) {
    it(`${step}: internal_error, everything let go and nothing left`, async () => {
      const { openEnvironments, closed } = closing(over);
      const done = await runs.run({ request: inspected, ...situation(openEnvironments) });
      expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
      expect(done.envelope.artifact_state).to.deep.equal({
        trace: 'not_written',
        inspection: 'not_written',
        result: 'not_written',
      });
      expect([done.exit, done.valueText, done.unexpected instanceof Error]).to.deep.equal([70, null, true]);
      expect(await runs.leftovers()).to.deep.equal([]);
      expect([done.liveIsolates, closed() > 0]).to.deep.equal([0, isOpen]);
      expect(await openBelow(runs.root), 'descriptors').to.deep.equal([]);
    });
  }

  const calls = [
    ['a route of the kernel', 'kernel-eval', { routes: new Map([['kernel-eval', bug]]) }],
    [
      'an adapter',
      'find',
      { capabilities: { workflow: new Map([['find', capability({ dispatch: bug })]]), missions: new Map() } },
    ],
    [
      'a check of arguments',
      'find',
      { capabilities: { workflow: new Map([['find', capability({ checkArguments: bug })]]), missions: new Map() } },
    ],
  ] as const;
  for (const [step, name, broker] of calls) {
    it(`${step} that the workflow calls: the same`, async () => {
      const seams = {
        openEnvironments: async (...[context]: Parameters<OpenEnvironments>) =>
          success(bareEnvironments(context, broker)),
      };
      const answers: FakeAnswers = {
        evaluate: async (_, { onCapabilityCall }) => {
          await onCapabilityCall?.({ name, arguments: '{}' });
          return { status: 'replied', reply: { outcome: 'returned', value: '1', projection_fault: null, prints: [] } };
        },
      };
      const done = await runs.run({ request: inspected, answers, seams });
      expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
      expect([done.liveIsolates, await openBelow(runs.root), await runs.leftovers()]).to.deep.equal([0, [], []]);
    });
  }

  it('tells that a provider was reached, before the workflow ran and after', async () => {
    for (const over of [{ application: unfrozen }, { seams: { onEvaluated: bug } }]) {
      const { openEnvironments } = closing(() => ({ providerActivity: true }));
      const done = await runs.run({ request: inspected, ...over, seams: { openEnvironments, ...over.seams } });
      expect(done.envelope)
        .to.have.property('error')
        .that.includes({ code: 'internal_error', provider_activity: true });
      expect(done.envelope.execution).to.include({ state: 'incomplete', usage: null });
    }
  });

  it('the copy of the envelope in the project: it is lost, and the run is as it was', async () => {
    const project = (at: string): ReturnType<NonNullable<Situation['request']>> => ({
      project: { root: `${at}/.svc`, trace: false, inspection: false, result: false, envelope: true },
    });
    const fileSystem: PublicationFileSystem = {
      ...nodeFileSystem(),
      status: async (path) => (path.endsWith('/envelopes') ? bug() : nodeFileSystem().status(path)),
    };
    const done = await runs.run({ request: project, tools: { fileSystem } });
    expect([done.envelope.status, done.projectEnvelope, done.exit, done.unexpected instanceof Error]).to.deep.equal([
      'ok',
      'failed',
      74,
      true,
    ]);
  });

  it('a throw while providers are released is told, and every other part is closed', async () => {
    const done = await runs.run({
      request: inspected,
      seams: {
        openEnvironments: async (context) => success({ ...bareEnvironments(context), close: async () => bug() }),
      },
    });
    expect(done.envelope).to.have.nested.property('error.code', 'internal_error');
    expect(await runs.leftovers()).to.deep.equal([]);
  });
});

/** The journal looks at the wall clock first, then the sinks do. */
function failingClock(): Clock {
  const clock = manualClock();
  let looks = 0;
  return {
    ...clock,
    wall: () => {
      looks += 1;
      return looks > 1 ? bug() : clock.wall();
    },
  };
}

/**
 * Files and directories below a folder, removed ones too, that this process holds open: what others of it open and
 * close does not count.
 */
async function openBelow(folder: string): Promise<readonly string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(folder));
}

describe('a wall clock that jumps (runtime.md §14)', () => {
  const runs = useRuns();
  const DAY_MS = 86_400_000;

  for (const jump of [DAY_MS, -DAY_MS]) {
    it(`${jump / DAY_MS} days at every look: no deadline moves and timestamps stay in order`, async () => {
      const steady = manualClock();
      let looks = 0;
      const clock = {
        monotonic: () => steady.monotonic(),
        wall: () => {
          looks += 1;
          return steady.wall() + looks * jump;
        },
      };
      const deadlines: number[] = [];
      const done = await runs.run({
        tools: { clock },
        application: plainApplication({}, { run_duration_ms: 10_000, workflow_timeout_ms: 4000 }),
        answers: {
          evaluate: (_, { timeoutMs }) => {
            deadlines.push(timeoutMs);
            steady.advance(1250);
            return {
              status: 'replied',
              reply: { outcome: 'returned', value: '1', projection_fault: null, prints: [] },
            };
          },
        },
      });
      expect([done.exit, deadlines]).to.deep.equal([0, [4000]]);
      expect(done.envelope.execution).to.have.nested.property('usage.remaining_ms', 8750);
      const times = (await runs.traceOf(done)).map(({ timestamp }) => Date.parse(timestamp));
      expect(times).to.deep.equal(times.toSorted((left, right) => left - right));
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).to.equal(1250);
    });
  }
});

describe('a machine without entropy (runtime.md §2, §14)', () => {
  const runs = useRuns();

  it('runs under the reference of zeros, and a second such run replaces nothing', async () => {
    const request = (): { readonly runRef: ReturnType<typeof newRunReference> } => ({ runRef: newRunReference(bug) });
    const first = await runs.run({ request });
    expect([first.exit, first.envelope.run_ref]).to.deep.equal([0, `cmd-${'0'.repeat(26)}`]);
    const trace = await runs.traceOf(first);
    const second = await runs.run({ request, answers: evaluatesTo('2') });
    expect(second.envelope).to.have.nested.property('error.phase', 'destination');
    expect(await runs.traceOf(first)).to.deep.equal(trace);
  });
});

describe('events at their number (runtime.md §9, evidence.md §4)', () => {
  const runs = useRuns();
  const FOUR = ['run-started', 'evaluation-started', 'evaluation-stopped', 'run-stopped'];
  const bounded = (artifactClass: RunnableApplication['artifactClass'], count: number) =>
    runs.run({ application: plainApplication({ artifactClass }, { normal_event_count: count }) });

  it('a normal run keeps its four at five, for its end keeps two free', async () => {
    for (const [count, dropped] of [
      [3, 2],
      [4, 1],
      [5, 0],
      [6, 0],
    ] as const) {
      const done = await bounded('normal', count);
      const stored = (await runs.traceOf(done)).map(({ type }) => type);
      expect(done.exit).to.equal(0);
      expect(stored).to.deep.equal(
        dropped === 0 ? FOUR : [...FOUR.slice(0, 3 - dropped), 'events-dropped', 'run-stopped'],
      );
    }
  });

  it('a private run has its four at four, and fails with three', async () => {
    for (const [count, exit] of [
      [3, 7],
      [4, 0],
      [5, 0],
    ] as const)
      expect((await bounded('private', count)).exit, String(count)).to.equal(exit);
  });
});
