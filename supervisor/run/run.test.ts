import { expect } from 'chai';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { EvaluateReply } from '../../contract/sandbox-protocol.ts';
import { capability, value } from '../calls/broker/testing/broker-harness.ts';
import type { LiveHeap } from '../evidence/live/observer.ts';
import { closeRun, withRun } from './close-run.ts';
import { evaluateEntry } from './entry.ts';
import { evaluate, type WorkflowProgram } from './evaluate.ts';
import type { Run } from './run.ts';
import { sealRun, type SealedRun } from './seal.ts';
import { fakeSandbox, type FakeAnswers, type FakeSandbox } from './testing/fake-sandbox.ts';
import { manualClock, plainApplication } from './testing/run-fixture.ts';
import { openedRun } from './testing/opened-run.ts';
import { freshIsolates, freshMissionIsolates, lastingIsolate } from './workflow-isolates.ts';

const REPLY: EvaluateReply = { outcome: 'continued', value: '1', projection_fault: null, prints: [] };

/** Every program calls `find` once, and what was asked of the sandbox. */
function calling(): {
  readonly sandbox: FakeSandbox;
  readonly requested: readonly {
    readonly source: string;
    readonly tools: readonly string[];
    readonly timeoutMs: number;
  }[];
} {
  const requested: { source: string; tools: readonly string[]; timeoutMs: number }[] = [];
  const answers: FakeAnswers = {
    evaluate: async ({ source, tools }, { onCapabilityCall, timeoutMs }) => {
      requested.push({ source, tools, timeoutMs });
      await onCapabilityCall?.({ name: 'find', arguments: '{}' });
      return { status: 'replied', reply: REPLY };
    },
  };
  return { sandbox: fakeSandbox(answers), requested };
}

const GRANTED = {
  capabilities: { workflow: new Map([['find', capability({ answer: () => value(7) })]]), missions: new Map() },
};

function program(run: Run, source: string, over: Partial<WorkflowProgram> = {}): WorkflowProgram {
  return {
    evaluationId: run.newEvaluationId(),
    source,
    data: {},
    deadlineAt: run.clock.monotonic() + 500,
    projection: { projection: 'json' },
    ...over,
  };
}

async function sealed(run: Run): Promise<SealedRun> {
  return withRun(run, async () => sealRun(run, await closeRun(run), { kind: 'none' }));
}

/** Types of the events from now on, as they come. */
function eventsOf(run: Run): readonly string[] {
  const types: string[] = [];
  run.recorder.subscribe(({ event }) => {
    types.push(event.type);
  });
  return types;
}

describe('an open run', () => {
  it('evaluates as often as its holder likes, and counts over all of it', async () => {
    const { sandbox, requested } = calling();
    const run = await openedRun({ sandbox, granted: GRANTED });
    for (const source of ['a', 'b', 'c']) {
      expect(await evaluate(run, program(run, source), freshIsolates(run))).to.deep.equal({
        kind: 'replied',
        reply: REPLY,
      });
    }
    expect(requested.map(({ source, tools }) => [source, tools.includes('find')])).to.deep.equal([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect([sandbox.opened.length, sandbox.live()]).to.deep.equal([3, 0]);
    const { execution } = await sealed(run);
    expect(execution).to.deep.include({ state: 'finished', outcome: 'ok' });
    expect(execution).to.have.nested.property('usage.capability_calls').that.deep.equals({ 'workflow/find': 3 });
  });

  it('tells its observer of the heap of each program, up to where it is ended', async () => {
    const figure = { observedWords: 900, baselineWords: 300 };
    const sandbox = fakeSandbox({
      evaluate: async ({ environment }, { onHeap }) => {
        onHeap?.(environment === 'mission' ? { ...figure, baselineWords: Number.MAX_SAFE_INTEGER } : figure);
        return { status: 'replied', reply: REPLY };
      },
    });
    const heaps: LiveHeap[] = [];
    const observer = { started: () => undefined, event: () => undefined, heap: (heap: LiveHeap) => heaps.push(heap) };
    const run = await openedRun({ sandbox, observer });
    const { workflow_heap_words: words } = run.application.limits;
    await evaluateEntry(run);
    await evaluate(run, program(run, 'typed', { mission: 'm' }), freshMissionIsolates(run, null));
    await sealed(run);
    expect(heaps).to.deep.equal([
      { ...figure, ceilingWords: 300 + words },
      { ...figure, baselineWords: Number.MAX_SAFE_INTEGER, ceilingWords: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it('evaluates its entry and anything else beside it, each under a name of its own', async () => {
    const { sandbox, requested } = calling();
    const run = await openedRun({ sandbox, granted: GRANTED });
    const types = eventsOf(run);
    expect(await evaluateEntry(run)).to.deep.include({ kind: 'value' });
    const further = program(run, 'more');
    await evaluate(run, further, freshIsolates(run));
    expect(await evaluateEntry(run)).to.deep.include({ kind: 'value' });
    expect(requested.map(({ source }) => source)).to.deep.equal([
      '(main/run data/input)',
      'more',
      '(main/run data/input)',
    ]);
    expect(further.evaluationId).to.equal('workflow-evaluation-2');
    await sealed(run);
    expect(types.filter((type) => type.startsWith('evaluation-'))).to.deep.equal([
      'evaluation-started',
      'evaluation-stopped',
      'evaluation-started',
      'evaluation-stopped',
    ]);
    expect(types.at(-1)).to.equal('run-stopped');
  });

  it('goes on in one isolate where that is wanted, with its bundle attached once', async () => {
    const loads: number[] = [];
    const sandbox = fakeSandbox({
      load: () => {
        loads.push(1);
        return { status: 'replied', reply: { status: 'loaded' } };
      },
    });
    const run = await openedRun({ sandbox });
    const isolate = lastingIsolate(freshIsolates(run));
    for (const source of ['a', 'b']) await evaluate(run, program(run, source), isolate);
    expect([sandbox.opened.length, sandbox.live(), loads.length]).to.deep.equal([1, 1, 1]);
    await isolate.close();
    expect(sandbox.live()).to.equal(0);
    await evaluate(run, program(run, 'c'), isolate);
    expect([sandbox.opened.length, loads.length]).to.deep.equal([2, 2]);
    await isolate.close();
    await sealed(run);
  });

  it('gives a program no more time than it asks for, and none that is over', async () => {
    const clock = manualClock();
    const { sandbox, requested } = calling();
    const run = await openedRun({ sandbox, clock });
    const late = program(run, 'a', { deadlineAt: clock.monotonic() + 30 });
    clock.advance(10);
    await evaluate(run, late, freshIsolates(run));
    clock.advance(20);
    expect(await evaluate(run, late, freshIsolates(run))).to.deep.equal({
      kind: 'lost',
      loss: 'timeout',
      signal: null,
      during: 'compilation',
    });
    expect(requested.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([20]);
    await sealed(run);
  });

  it('gives up one program without ending', async () => {
    const { sandbox } = calling();
    const run = await openedRun({ sandbox });
    expect(await evaluate(run, program(run, 'a', { signal: AbortSignal.abort() }), freshIsolates(run))).to.include({
      kind: 'lost',
      loss: 'cancelled',
    });
    expect(await evaluate(run, program(run, 'b'), freshIsolates(run))).to.include({ kind: 'replied' });
    await sealed(run);
  });

  it('grants nothing once it is closed, and can be closed and let go twice', async () => {
    const { sandbox } = calling();
    let closed = 0;
    const over = () => ({
      close: async () => {
        closed += 1;
        return null;
      },
    });
    const run = await openedRun({ sandbox, granted: GRANTED, over });
    const scope = run.environments.broker.open({
      evaluationId: 'e',
      deadlineAt: run.clock.monotonic() + 100,
      environment: 'workflow',
      mission: null,
    });
    const seal = await sealed(run);
    expect(JSON.parse(await scope.call({ name: 'find', arguments: '{}' }))).to.deep.equal({
      reply: 'closed',
      reason: 'run_closed',
    });
    expect(seal).to.deep.include({ failures: [], result: null });
    await withRun(run, async () => undefined);
    expect(closed).to.be.at.least(2);
  });

  it('lets go of everything when its holder throws', async () => {
    const { sandbox } = calling();
    const run = await openedRun({ sandbox, granted: GRANTED });
    const scope = run.environments.broker.open({
      evaluationId: 'e',
      deadlineAt: run.clock.monotonic() + 100,
      environment: 'workflow',
      mission: null,
    });
    const thrown = await withRun(run, async () => Promise.reject(new Error('bug'))).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
    expect(JSON.parse(await scope.call({ name: 'find', arguments: '{}' }))).to.have.property('reply', 'closed');
  });

  it('tells of providers that could not be released with its seal', async () => {
    const { sandbox } = calling();
    const run = await openedRun({
      sandbox,
      over: () => ({ close: async () => diagnostic('provider_cleanup_failed') }),
    });
    const { failures, execution } = await sealed(run);
    expect(failures.map(({ code }) => code)).to.deep.equal(['provider_cleanup_failed']);
    expect(execution).to.deep.include({ state: 'finished', outcome: 'ok' });
  });

  it('is the same for every limit of its application', async () => {
    const { sandbox, requested } = calling();
    const run = await openedRun({
      sandbox,
      application: plainApplication({}, { workflow_capability_calls: 2 }),
      granted: GRANTED,
    });
    for (let count = 0; count < 3; count += 1) await evaluate(run, program(run, String(count)), freshIsolates(run));
    expect(requested).to.have.lengthOf(3);
    const { execution } = await sealed(run);
    expect(execution).to.have.nested.property('usage.capability_calls').that.deep.equals({ 'workflow/find': 2 });
  });
});
