import { expect } from 'chai';
import { failed } from '../failure.ts';
import { PacedCalls, type RetryClock } from './paced-calls.ts';
import { tryAgain, type RetryTools, type Tried } from './try-again.ts';

/** Whatever can go on without time has gone on. */
async function settledTurns(): Promise<null> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return null;
}

/** A clock that jumps to its next timer whenever nothing else is to be done. */
class JumpingClock implements RetryClock {
  #now = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly callback: () => void }>();
  #set = 0;

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#set += 1;
    const id = this.#set;
    this.#timers.set(id, { at: this.#now + milliseconds, callback });
    return () => void this.#timers.delete(id);
  }

  async sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => void this.after(milliseconds, resolve));
  }

  /** Runs until `ended` has settled. */
  async runUntil<T>(ended: Promise<T>): Promise<T> {
    for (;;) {
      const settled = await Promise.race([ended.then((value) => ({ value })), settledTurns()]);
      if (settled !== null) return settled.value;
      const [next] = [...this.#timers].toSorted(([, left], [, right]) => left.at - right.at);
      if (next === undefined) throw new Error('nothing is left that could end it');
      const [id, { at, callback }] = next;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, at);
      callback();
    }
  }
}

const BODY = new Uint8Array();
const ANSWERED: Tried = {
  conversed: { ok: true, body: BODY },
  end: { kind: 'settled' },
  attempt: { outcome: 'ok', status: 200, said: null, charge: 'reported' },
};

function refused(status: number, requestedMs: number | null = null): Tried {
  const reason = status === 429 ? 'rate_limited' : 'unavailable';
  return {
    conversed: { ok: false, failure: { ...failed(reason, true, `HTTP ${status}`), proof: 'complete_answer' } },
    end: { kind: 'refused', status, requestedMs, isSpent: false },
    attempt: { outcome: reason, status, said: `HTTP ${status}`, charge: 'none' },
  };
}

const LOST: Tried = {
  conversed: { ok: false, failure: failed('transport_error', true, null) },
  end: { kind: 'unanswered' },
  attempt: { outcome: 'transport_error', status: null, said: 'connection reset', charge: 'reserved' },
};

describe('a call that is tried again (world.md §1.4)', () => {
  let clock: JumpingClock;
  let tools: RetryTools;
  beforeEach(() => {
    clock = new JumpingClock();
    tools = {
      policy: { attempts: 3, maxWaitMs: 30_000 },
      calls: new PacedCalls(clock),
      clock,
      signal: new AbortController().signal,
      remainingMs: 120_000,
    };
  });

  async function tried(script: readonly Tried[], changes: Partial<RetryTools> = {}) {
    let requested = 0;
    const once = async (): Promise<Tried> => {
      const step = script[Math.min(requested, script.length - 1)];
      requested += 1;
      if (step === undefined) throw new Error('a script has steps');
      return step;
    };
    const settled = await clock.runUntil(tryAgain(once, { ...tools, ...changes }));
    return { ...settled, asked: requested };
  }

  it('429 twice, then an answer: with the waits that were told', async () => {
    const { conversed, attempts } = await tried([refused(429, 700), refused(429, 1200), ANSWERED]);
    expect(conversed.ok).to.equal(true);
    expect(attempts.map(({ outcome, waitedMs }) => [outcome, waitedMs])).to.deep.equal([
      ['rate_limited', 0],
      ['rate_limited', 700],
      ['ok', 1200],
    ]);
  });

  it('529, then a lost connection, then an answer: with waits of its own', async () => {
    const { conversed, attempts } = await tried([refused(529), LOST, ANSWERED]);
    expect(conversed.ok).to.equal(true);
    expect(attempts.map(({ waitedMs }) => waitedMs)).to.deep.equal([0, 250, 500]);
  });

  it('tells the last failure when no attempt is left', async () => {
    const { conversed, asked } = await tried([refused(503)]);
    expect(asked).to.equal(3);
    expect(conversed).to.have.nested.property('failure.details', 'HTTP 503');
    expect(conversed).not.to.have.nested.property('failure.retryAfterMs');
  });

  it('fails at once, and says when, where a wait does not fit', async () => {
    for (const changes of [{ remainingMs: 900 }, { policy: { attempts: 3, maxWaitMs: 899 } }]) {
      const { conversed, asked } = await tried([refused(503, 900)], changes);
      expect(asked).to.equal(1);
      expect(conversed).to.have.nested.property('failure.retryAfterMs', 900);
      expect(conversed).to.have.nested.property('failure.retryable', true);
    }
    expect(clock.now()).to.equal(0);
  });

  it('asks once where one attempt is allowed, whatever others were told', async () => {
    const policy = { attempts: 1, maxWaitMs: 0 };
    await tried([refused(429, 10_000)], { policy: { attempts: 3, maxWaitMs: 0 } });
    const { asked, attempts } = await tried([refused(429, 10)], { policy });
    expect([asked, attempts.length]).to.deep.equal([1, 1]);
    expect(clock.now()).to.equal(0);
  });

  it('holds back the other calls of its installation, or refuses who cannot wait so long', async () => {
    const first = tryAgain(async () => refused(429, 5000), { ...tools, policy: { attempts: 2, maxWaitMs: 4000 } });
    await clock.runUntil(first);
    const [patient, hasty] = await clock.runUntil(
      Promise.all([
        tryAgain(async () => ANSWERED, tools),
        tryAgain(async () => ANSWERED, { ...tools, remainingMs: 4000 }),
      ]),
    );
    expect(patient.attempts.map(({ waitedMs }) => waitedMs)).to.deep.equal([5000]);
    expect(hasty).to.deep.equal({
      conversed: {
        ok: false,
        failure: { ...failed('rate_limited', true, null), proof: 'not_dispatched', retryAfterMs: 5000 },
      },
      attempts: [],
    });
  });

  it('ends in a wait at once when it is given up', async () => {
    for (const step of [refused(429, 20_000), refused(500)]) {
      const caller = new AbortController();
      const call = tryAgain(async () => step, { ...tools, signal: caller.signal });
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      caller.abort();
      const { attempts } = await call;
      expect(attempts).to.have.length(1);
      expect(clock.now()).to.equal(0);
      tools = { ...tools, calls: new PacedCalls(clock) };
    }
  });

  it('32 callers at once under a limit of 10 requests a second all end well, with 12 a second at most', async () => {
    const arrivals: number[] = [];
    let used: number[] = [];
    const once = async (): Promise<Tried> => {
      const at = clock.now();
      arrivals.push(at);
      used = used.filter((when) => when > at - 1000);
      const [oldest = at] = used;
      const isUsed = used.length < 10;
      if (isUsed) used.push(at);
      await clock.sleep(30);
      return isUsed ? ANSWERED : refused(429, Math.max(0, oldest + 1000 - clock.now()));
    };
    const settled = await clock.runUntil(Promise.all(Array.from({ length: 32 }, async () => tryAgain(once, tools))));
    expect(settled.every(({ conversed }) => conversed.ok)).to.equal(true);
    const most = Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1000).length));
    expect(most).to.be.at.most(12);
  });
});
