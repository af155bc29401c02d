import { expect } from 'chai';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { inputRequired, nextRound, ROUND_MAX } from './input-required.ts';
import { readStateKey, REQUEST_STATE_MAX, RoundSeal, type RoundOwner } from './round-state.ts';
import { RunQuestions } from './run-questions.ts';

const OWNER: RoundOwner = { principal: 'gateway', tool: 'close', arguments: '{"id":1}' };
const TIMERS = {
  after: (_: number, act: () => void): (() => void) => {
    act();
    return () => undefined;
  },
};
const idOf = (index: number): string => `apr-0${String(index).padStart(25, '0')}`;

function request(index: number): ApprovalRequest {
  return {
    approvalId: idOf(index),
    runRef: 'cmd-0',
    application: null,
    tenant: null,
    principal: null,
    mission: 'desk',
    evaluationId: 'e',
    tool: 'tickets.close',
    installation: null,
    upstreamName: null,
    effect: 'write',
    description: '',
    arguments: '{"id":1}',
    argumentBytes: 8,
    argumentsHash: 'a',
    program: null,
    isPrivate: false,
    branch: null,
    askedAt: '2026-07-28T00:00:00.000Z',
    expiresAt: `2026-07-28T00:10:0${index % 10}.000Z`,
    askedBefore: 0,
    rememberedDenials: 0,
  };
}

describe('rounds of a run that asks its client (approvals.md §6)', () => {
  for (const count of [ROUND_MAX - 1, ROUND_MAX, ROUND_MAX + 1])
    it(`has at most 16 of ${count} questions, in a state of at most 1024 characters (45)`, async () => {
      const questions = new RunQuestions({ toolScope: 'tool', timers: TIMERS });
      const over = new AbortController();
      const answers = Array.from({ length: count }, (_, index) =>
        questions.ask(request(index), over.signal, { route: 'result' }),
      );
      await questions.asked(over.signal);
      const round = nextRound('cmd-4abs2gq4mb9gsfrd03ree4k1fm', questions.open);
      expect(round.ids).to.have.length(Math.min(count, 16));
      const seal = new RoundSeal(undefined, () => round.expiresAt - 1);
      const state = seal.seal(OWNER, round);
      expect(state.length).to.be.at.most(REQUEST_STATE_MAX);
      expect(seal.open(OWNER, state)?.ids).to.deep.equal(round.ids);
      const result = inputRequired(round.questions, state, 'tool');
      expect(result.get('resultType')).to.equal('input_required');
      const decline = new Map<string, JsonValue>([['action', 'decline']]);
      for (const id of round.ids) questions.answer(id, decline);
      await Promise.all(answers.slice(0, 16));
      expect(questions.open).to.have.length(count - round.ids.length);
      expect(questions.counts.denied).to.equal(round.ids.length);
    });

  it('are counted by their tool: what was asked, and how it ended', async () => {
    const questions = new RunQuestions({ toolScope: 'tool', timers: TIMERS });
    const counted: string[] = [];
    questions.countWith({
      asked: (tool) => counted.push(`asked ${tool}`),
      ended: (tool, end) => counted.push(`${end} ${tool}`),
    });
    const over = new AbortController();
    const requested = request(1);
    const way = { route: 'result' } as const;
    const answered = questions.ask(requested, over.signal, way);
    questions.answer(requested.approvalId, new Map<string, JsonValue>([['action', 'decline']]));
    await answered;
    const left = questions.ask(request(2), over.signal, way);
    const late = { ...request(3), expiresAt: requested.askedAt };
    const expired = questions.ask(late, over.signal, way);
    over.abort();
    await Promise.all([left, expired]);
    expect(counted).to.deep.equal([
      `asked ${requested.tool}`,
      `denied ${requested.tool}`,
      `asked ${requested.tool}`,
      `asked ${requested.tool}`,
      `abandoned ${requested.tool}`,
      `expired ${requested.tool}`,
    ]);
    expect(questions.counts).to.deep.equal({ allowed: 0, denied: 1, expired: 1 });
  });

  it('has all questions of branches that begin one after the other, and waits for no branch that only computes', async () => {
    const due: (() => void)[] = [];
    const windows = { after: (_: number, act: () => void) => (due.push(act), () => undefined) };
    const questions = new RunQuestions({ toolScope: 'tool', timers: windows });
    const over = new AbortController();
    let isStill = false;
    const run = { isStill: () => isStill };
    const ask = (index: number): unknown => questions.ask(request(index), over.signal, { route: 'result', run });
    let isReported = false;
    const awaitQuestion = async (): Promise<void> => {
      isReported = false;
      await questions.asked(over.signal);
      isReported = true;
    };
    const look = async (): Promise<boolean> => {
      for (const act of due.splice(0)) act();
      await new Promise(setImmediate);
      return isReported;
    };
    ask(1);
    void awaitQuestion();
    expect(await look()).to.equal(false);
    ask(2);
    expect(await look()).to.equal(false);
    isStill = true;
    ask(3);
    expect(await look()).to.equal(true);
    expect(questions.open).to.have.length(3);
    isStill = false;
    void awaitQuestion();
    let looks = 0;
    do looks += 1;
    while (!(await look()));
    expect(looks).to.equal(40);
    over.abort();
  });

  it('opens a state for its owner and before its time alone', () => {
    let now = 0;
    const key = Buffer.alloc(32, 7);
    const seal = new RoundSeal(key, () => now);
    const state = seal.seal(OWNER, { run: 'cmd-0', ids: [idOf(1)], expiresAt: 1000 });
    now = 999;
    expect(seal.open(OWNER, state)).to.deep.equal({ run: 'cmd-0', ids: [idOf(1)], expiresAt: 1000 });
    expect(new RoundSeal(key, () => now).open(OWNER, state)).not.to.equal(null);
    for (const other of [{ principal: 'x' }, { tool: 'x' }, { arguments: '{}' }])
      expect(seal.open({ ...OWNER, ...other }, state)).to.equal(null);
    expect(new RoundSeal(undefined, () => now).open(OWNER, state)).to.equal(null);
    now = 1000;
    expect(seal.open(OWNER, state)).to.equal(null);
  });

  it('reads a key of 32 bytes in hex and base64, and nothing else', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const text of [
      key.toString('hex'),
      key.toString('base64'),
      key.toString('base64url'),
      ` ${key.toString('hex')}\n`,
    ])
      expect(readStateKey(text), text).to.deep.equal(key);
    for (const text of ['', 'short', 'fb'.repeat(31), 'fb'.repeat(33), `${'fb'.repeat(31)}zz`])
      expect(readStateKey(text), text).to.equal(null);
  });
});
