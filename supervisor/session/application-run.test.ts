import { expect } from 'chai';
import type { EvaluateRequest } from '../../contract/sandbox-protocol.ts';
import { capability, value } from '../calls/broker/testing/broker-harness.ts';
import type { Run } from '../run/run.ts';
import { fakeSandbox, type FakeAnswers, type FakeSandbox } from '../run/testing/fake-sandbox.ts';
import { openedRun } from '../run/testing/opened-run.ts';
import { manualClock, plainApplication } from '../run/testing/run-fixture.ts';
import { openSession, type Session } from './session.ts';

const LIMITS = {
  durationMs: 10_000,
  evaluations: 50,
  evaluationTimeoutMs: 300,
  heapWords: 8192,
  sourceBytes: 2000,
  memoryBytes: 1000,
  historyBytes: 1000,
};
const GRANTED = {
  capabilities: { workflow: new Map([['find', capability({ answer: () => value(7) })]]), missions: new Map() },
};
const NEVER = new AbortController().signal;

interface Conversation {
  readonly session: Session;
  readonly run: Run;
  readonly sandbox: FakeSandbox;
  readonly requests: readonly EvaluateRequest[];
  readonly loads: () => number;
}

/**
 * A session in the run of an application; `lost` are sources whose isolate is lost, and a form `call` calls its tool.
 */
async function conversation(lost: readonly string[] = []): Promise<Conversation> {
  const requests: EvaluateRequest[] = [];
  let loads = 0;
  const answers: FakeAnswers = {
    load: () => {
      loads += 1;
      return { status: 'replied', reply: { status: 'loaded' } };
    },
    evaluate: async (request, { onCapabilityCall }) => {
      requests.push(request);
      if (request.source === 'call') await onCapabilityCall?.({ name: 'find', arguments: '{}' });
      if (lost.includes(request.source)) return { status: 'timeout' };
      return {
        status: 'replied',
        reply: { outcome: 'continued', value: request.source, projection_fault: null, prints: [] },
      };
    },
  };
  const sandbox = fakeSandbox(answers);
  const clock = manualClock();
  const application = plainApplication({ input: '{"name":"world"}' });
  const run = await openedRun({ sandbox, clock, application, granted: GRANTED });
  const session = openSession({
    run,
    clock,
    limits: LIMITS,
    data: { input: application.input },
    previewCharacters: 64,
    showCode: false,
  });
  return { session, run, sandbox, requests, loads: () => loads };
}

describe('a session in the run of an application (cli.md §11, manifest workflow)', () => {
  it('has the bundle, the input and the tools of the workflow, and one isolate for all forms', async () => {
    const { session, sandbox, requests, loads } = await conversation();
    for (const source of ['(def a 1)', 'a', 'call'])
      expect(await session.evaluate(source, NEVER)).to.include({ kind: 'value', text: source });
    expect([sandbox.opened.length, loads()]).to.deep.equal([1, 1]);
    for (const { data, tools, projection } of requests) {
      expect(data).to.deep.equal({ input: '{"name":"world"}' });
      expect(tools).to.include.members(['find', 'cap-list', 'runtime-usage']);
      expect(projection).to.equal('preview');
    }
    await session.close();
    expect(sandbox.live()).to.equal(0);
  });

  it('counts calls over all forms, and leaves a pair of events for each', async () => {
    const { session, run } = await conversation();
    const seen: string[] = [];
    run.recorder.subscribe(({ event }) => {
      if (event.type.startsWith('evaluation-')) seen.push(event.type);
    });
    await session.evaluate('call', NEVER);
    await session.evaluate('call', NEVER);
    expect(run.environments.broker.counts().capabilityCalls).to.deep.equal({ 'workflow/find': 2 });
    expect(seen).to.deep.equal([
      'evaluation-started',
      'evaluation-stopped',
      'evaluation-started',
      'evaluation-stopped',
    ]);
    await session.close();
  });

  it('goes on in a fresh isolate with the bundle after one was lost', async () => {
    const { session, sandbox, loads } = await conversation(['hang']);
    await session.evaluate('(def a 1)', NEVER);
    expect(await session.evaluate('hang', NEVER)).to.include({ kind: 'failed', recovered: 'part' });
    expect(await session.evaluate('call', NEVER)).to.include({ kind: 'value', recovered: null });
    expect([sandbox.opened.length, loads()]).to.deep.equal([2, 2]);
    await session.close();
  });

  it('grants nothing once it is closed', async () => {
    const { session, run } = await conversation();
    await session.evaluate('call', NEVER);
    await session.close();
    const scope = run.environments.broker.open({
      evaluationId: 'e',
      deadlineAt: run.clock.monotonic() + 1,
      environment: 'workflow',
      mission: null,
    });
    expect(JSON.parse(await scope.call({ name: 'find', arguments: '{}' }))).to.have.property('reply', 'closed');
  });
});
