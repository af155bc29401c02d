import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { TraceEvent } from '../event.ts';
import { runEvents, type RunEvent, type RunEvents } from './run-events.ts';

function event(type: string, data: object): TraceEvent {
  const json = jsonFromPlain(data);
  if (!isJsonObject(json)) throw new TypeError('data of an event is an object');
  return { type, data: json };
}

const CALL = { name: 'llm-request', environment: 'workflow' };
const EVALUATION = { environment: 'mission', mission_name: 'room', evaluation_id: 'e-1' };

/** A turn of an agent: the call of the model, what it answered with, and its program. */
function turn(events: RunEvents, nth: number): void {
  const usage = { input: 100, output: 20, total_cost: { currency: 'USD', microunits: 7 } };
  events.observer.event(event('capability-started', CALL));
  events.observer.event(event('capability-stopped', { ...CALL, status: 'ok', usage }));
  const data = { turn: nth, max_turns: 200, kind: 'tool-call', invocation: 'agent-0123456789abcdef' };
  events.observer.event(event('workflow-annotation', { annotation_type: 'agent-action', data }));
  events.observer.program?.({ evaluationId: EVALUATION.evaluation_id, line: '(def total 5)' });
  events.observer.event(event('evaluation-started', EVALUATION));
  events.observer.event(event('evaluation-stopped', { ...EVALUATION, status: 'continued' }));
}

async function collectEvents(act: (events: RunEvents) => void): Promise<readonly RunEvent[]> {
  const heard: RunEvent[] = [];
  const { promise, resolve } = Promise.withResolvers<null>();
  const events = runEvents({
    runRef: 'r-1',
    tenant: 't',
    listener: (one) => {
      heard.push(one);
      if (one.event === 'finished') resolve(null);
    },
    now: () => 5,
  });
  act(events);
  events.finish({});
  await promise;
  return heard;
}

async function usages(act: (events: RunEvents) => void): Promise<readonly unknown[]> {
  return (await collectEvents(act)).filter(({ event: name }) => name === 'usage').map(({ data }) => data);
}

describe('the event `usage` of a run (gateway.md §16, world.md §3.10)', () => {
  const BEFORE = { modelCalls: 1, evaluations: 0 };
  const AGENT = { turn: 1, maxTurns: 200, kind: 'tool-call', tokens: 120 };

  it('says turn, program, outcome, tokens and money as they happen', async () => {
    expect(await usages((events) => turn(events, 0))).to.deep.equal([
      { ...BEFORE, costMicrousd: null },
      { ...BEFORE, costMicrousd: 7 },
      { ...BEFORE, costMicrousd: 7, ...AGENT },
      { ...BEFORE, evaluations: 1, costMicrousd: 7, ...AGENT, program: '(def total 5)', outcome: null },
      { ...BEFORE, evaluations: 1, costMicrousd: 7, ...AGENT, program: '(def total 5)', outcome: 'continued' },
    ]);
  });

  it('adds up over turns', async () => {
    const all = await usages((events) => {
      for (let nth = 0; nth < 3; nth += 1) turn(events, nth);
    });
    expect(all.at(-1)).to.deep.include({ modelCalls: 3, evaluations: 3, costMicrousd: 21, tokens: 360, turn: 3 });
  });

  it('has no member of an agent where there is none', async () => {
    const all = await usages((events) => {
      events.observer.event(event('capability-started', CALL));
      events.observer.event(event('capability-stopped', { ...CALL, status: 'ok' }));
    });
    expect(all).to.deep.equal([{ ...BEFORE, costMicrousd: null }]);
  });

  it('is told of no private run', async () => {
    const all = await collectEvents((events) => {
      events.keepPrivate();
      turn(events, 0);
    });
    expect(all.map(({ event: name }) => name)).to.deep.equal(['finished']);
  });
});

describe('the event `approval` of a run (approvals.md §7)', () => {
  const approvalRequested = (id: string): TraceEvent =>
    event('approval-requested', { approval_id: id, name: 'refund', effect: 'write', argument_bytes: 9, ...EVALUATION });
  const decided = (id: string, decision: string): TraceEvent =>
    event('approval-decided', { approval_id: id, decision, by: 'cli', waited_ms: 3 });

  for (const decision of ['allowed', 'denied', 'expired', 'unavailable'])
    it(`says the id of a question, and that it is ${decision}, and nothing of the call`, async () => {
      const heard = await collectEvents(({ observer }) => {
        observer.event(approvalRequested('apr-1'));
        observer.event(decided('apr-1', decision));
      });
      expect(heard.filter(({ event: name }) => name === 'approval').map(({ data }) => data)).to.deep.equal([
        { approvalId: 'apr-1', state: 'asked' },
        { approvalId: 'apr-1', state: decision },
      ]);
    });

  it('of a private run nothing is reported', async () => {
    const heard = await collectEvents((events) => {
      events.keepPrivate();
      events.observer.event(approvalRequested('apr-1'));
    });
    expect(heard.map(({ event: name }) => name)).to.deep.equal(['finished']);
  });
});
