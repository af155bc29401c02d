import { expect } from 'chai';
import { newRunReference } from '../../contract/run-reference.ts';
import type { EvaluateReply, EvaluateRequest, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { RequestOptions } from '../../sandbox/pool/interface.ts';
import { fakeSandbox, type FakeSandbox } from '../run/testing/fake-sandbox.ts';
import { scratchLimits } from './limits.ts';
import { openScratchRun } from './scratch.ts';
import type { FormEnd } from './form-end.ts';
import { openSession, type Session } from './session.ts';

const LIMITS = {
  durationMs: 1000,
  evaluations: 5,
  evaluationTimeoutMs: 300,
  heapWords: 8192,
  sourceBytes: 20,
  memoryBytes: 1000,
  historyBytes: 1000,
};
const RUN = newRunReference((bytes) => bytes.fill(7));
const NEVER = new AbortController().signal;

function replied(reply: Partial<Extract<EvaluateReply, { value: string | null }>>): GuestOutcome<EvaluateReply> {
  return {
    status: 'replied',
    reply: { outcome: 'continued', value: '1', projection_fault: null, prints: [], ...reply },
  };
}

interface Setup {
  readonly session: Session;
  readonly sandbox: FakeSandbox;
  readonly seen: readonly RequestOptions[];
  readonly requests: readonly EvaluateRequest[];
  readonly evaluate: (source?: string) => Promise<FormEnd>;
  readonly pass: (ms: number) => void;
}

/** A session whose forms end as the outcomes say, one after the other; then always with a value. */
function setup(...outcomes: readonly GuestOutcome<EvaluateReply>[]): Setup {
  const waiting = [...outcomes];
  const seen: RequestOptions[] = [];
  const requests: EvaluateRequest[] = [];
  let now = 0;
  const sandbox = fakeSandbox({
    evaluate: (request, options) => {
      seen.push(options);
      requests.push(request);
      return waiting.shift() ?? replied({});
    },
  });
  const clock = { monotonic: () => now, wall: () => 0 };
  const open = () => openScratchRun({ sandbox: async () => sandbox, clock }, RUN, LIMITS);
  const session = openSession({
    run: open,
    clock,
    limits: LIMITS,
    tools: [],
    data: {},
    previewCharacters: 64,
    showCode: false,
  });
  return {
    session,
    sandbox,
    seen,
    requests,
    evaluate: (source = '1') => session.evaluate(source, NEVER),
    pass: (ms) => {
      now += ms;
    },
  };
}

function errorOf(end: FormEnd): string {
  return end.kind === 'failed' ? end.error.kind : end.kind;
}

describe('a session (cli.md §11)', () => {
  it('opens one isolate with its first form, and gives it back', async () => {
    const { session, sandbox, evaluate } = setup();
    expect(sandbox.opened).to.have.length(0);
    await evaluate();
    await evaluate();
    expect(sandbox.opened).to.deep.equal([{ environment: 'workflow', trustDomain: RUN, heapWords: 8192 }]);
    await session.close();
    expect(sandbox.live()).to.equal(0);
  });

  it('gives value, prints and code; a returned value is itself', async () => {
    const { evaluate } = setup(
      replied({ value: '(1)', prints: ['a'], code: 'x' }),
      replied({ outcome: 'returned', value: '7' }),
    );
    expect(await evaluate()).to.deep.equal({
      kind: 'value',
      text: '(1)',
      prints: ['a'],
      code: 'x',
      recovered: null,
      outcome: 'continued',
      ended: false,
    });
    expect(await evaluate()).to.include({ kind: 'value', text: '7' });
  });

  it('tells a fault with its place in the text', async () => {
    const fault = {
      reason: 'type_error',
      message: 'm',
      span: { start_byte: 5, end_byte: 6 },
      details: {},
      exception_class: null,
      public_error: null,
    };
    const { evaluate } = setup({ status: 'replied', reply: { outcome: 'evaluation_error', fault, prints: ['p'] } });
    expect(await evaluate('"é"\n x')).to.deep.include({
      kind: 'failed',
      prints: ['p'],
      error: { kind: 'type_error', message: 'm', place: { line: 2, column: 1 } },
    });
  });

  it('tells (fail v) by its value', async () => {
    const { evaluate } = setup(replied({ outcome: 'failed', value: '{:a 1}' }));
    expect(await evaluate()).to.deep.include({ error: { kind: 'explicit_failure', message: '{:a 1}', place: null } });
  });

  const LOSSES: readonly (readonly [outcome: GuestOutcome<EvaluateReply>, kind: string])[] = [
    [{ status: 'timeout' }, 'timeout'],
    [{ status: 'memory_exceeded' }, 'memory_exceeded'],
    [{ status: 'cancelled' }, 'interrupted'],
    [{ status: 'host_lost', cause: 'killed' }, 'memory_exceeded'],
    [{ status: 'host_lost', cause: 'exited' }, 'memory_exceeded'],
    [{ status: 'host_lost', cause: 'protocol_violation' }, 'internal_error'],
  ];
  for (const [outcome, kind] of LOSSES) {
    it(`goes on with a fresh isolate after ${JSON.stringify(outcome)}`, async () => {
      const { sandbox, evaluate } = setup(replied({}), outcome, outcome);
      await evaluate();
      const lost = await evaluate();
      expect([errorOf(lost), lost.recovered, lost.ended]).to.deep.equal([kind, 'part', false]);
      expect(sandbox.live()).to.equal(0);
      expect((await evaluate()).recovered, 'nothing more to lose').to.equal(null);
      expect(errorOf(await evaluate())).to.equal('value');
      expect(sandbox.opened).to.have.length(3);
    });
  }

  it('refuses a text that is too large without showing it to the sandbox', async () => {
    const { sandbox, session, evaluate } = setup();
    expect(errorOf(await evaluate('é'.repeat(11)))).to.equal('program_too_large');
    expect(await session.readiness('('.repeat(21))).to.equal('complete');
    expect(sandbox.opened).to.have.length(0);
  });

  it('shortens the time of a form to what is left of the session', async () => {
    const { seen, evaluate, pass, session } = setup(replied({}), { status: 'timeout' });
    await evaluate();
    pass(900);
    expect(await evaluate()).to.deep.include({ ended: true });
    expect(seen.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([300, 100]);
    expect(session.hasEnded()).to.equal(false);
  });

  it('ends when its time is over, whatever it waited for', async () => {
    const { session, evaluate, pass, seen } = setup();
    pass(1000);
    expect(session.hasEnded()).to.equal(true);
    const end = await evaluate();
    expect([errorOf(end), end.ended, seen.length]).to.deep.equal(['run_timeout', true, 0]);
  });

  it('ends after its number of evaluations', async () => {
    const { session, evaluate } = setup();
    for (let count = 0; count < LIMITS.evaluations; count += 1) expect(errorOf(await evaluate())).to.equal('value');
    expect(session.hasEnded()).to.equal(true);
    expect(errorOf(await evaluate())).to.equal('runtime_limit_exceeded');
  });

  it('has the ceilings of time and evaluations for people only (documents.md §5)', () => {
    expect(scratchLimits('given')).to.include({
      durationMs: 30_000,
      evaluations: 128,
      evaluationTimeoutMs: 30_000,
      sourceBytes: 262_144,
    });
    expect(scratchLimits('line-loop')).to.include({
      durationMs: 1_800_000,
      evaluations: 2048,
      evaluationTimeoutMs: 30_000,
    });
  });

  it('tells each form what the last error is: in the isolate, or what it said', async () => {
    const fault = {
      reason: 'type_error',
      message: 'm',
      span: null,
      details: {},
      exception_class: null,
      public_error: null,
    };
    const { evaluate, requests } = setup(
      replied({}),
      { status: 'replied', reply: { outcome: 'evaluation_error', fault, prints: [] } },
      replied({}),
      { status: 'timeout' },
    );
    // The source that is too large reaches no isolate.
    for (const source of ['1', '2', '3', '(much too long a source for this)', '4', '5']) await evaluate(source);
    expect(requests.map(({ last_error: last }) => last)).to.deep.equal([
      null,
      'living',
      'living',
      { message: 'the source has 33 bytes; 20 are allowed' },
      { message: 'the form took longer than 300 ms' },
    ]);
  });

  it('says where a form that took too long begins, or may have no end', async () => {
    for (const [source, place, more] of [
      ['; why\n  (f 1)', { line: 2, column: 3 }, ''],
      ['#!/x\n\ufeff"é" 1', { line: 2, column: 2 }, ''],
      ['1\n (loop [] 1)', { line: 2, column: 2 }, '; perhaps through the loop at 2:2'],
    ] as const) {
      const { evaluate } = setup({ status: 'timeout' });
      expect(await evaluate(source), source).to.deep.include({
        error: { kind: 'timeout', message: `the form took longer than 300 ms${more}`, place },
      });
    }
  });
});
