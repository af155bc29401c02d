import { expect } from 'chai';
import { CodeSessions, type OpenSession } from './code-sessions.ts';

const OWNER = { bearer: 'gateway', tool: 'act' };
const HALF_HOUR = 30 * 60_000;

class Session implements OpenSession {
  isAtWork = false;
  closed = 0;
  isBusy(): boolean {
    return this.isAtWork;
  }
  async close(): Promise<void> {
    this.closed += 1;
  }
}

/** Time that passes when a test says so. */
class Clock {
  #now = 0;
  readonly #due = new Map<symbol, { readonly at: number; readonly act: () => void }>();
  after(milliseconds: number, act: () => void): () => void {
    const key = Symbol('timer');
    this.#due.set(key, { at: this.#now + milliseconds, act });
    return () => {
      this.#due.delete(key);
    };
  }
  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const [key, { at, act }] of this.#due) if (at <= this.#now && this.#due.delete(key)) act();
  }
}

describe('sessions of clients without a connection (code-mode.md §2, §5)', () => {
  let clock: Clock;
  let sessions: CodeSessions<Session>;
  beforeEach(() => {
    clock = new Clock();
    sessions = new CodeSessions(clock);
  });

  const open = (owner = OWNER) => {
    const opened = sessions.open(owner, () => new Session());
    if (opened === null) throw new Error('there is no room');
    return opened;
  };

  it('are found by their owner alone: the bearer, and the tool', () => {
    const { name, session } = open();
    expect(name).to.match(/^[0-9a-f]{32}$/);
    expect(sessions.find(OWNER, name)).to.equal(session);
    expect(sessions.find({ ...OWNER, bearer: 'other' }, name)).to.equal(null);
    expect(sessions.find({ ...OWNER, tool: 'other' }, name)).to.equal(null);
    expect(sessions.find(OWNER, name.slice(1))).to.equal(null);
  });

  it('are dropped half an hour after their last use, and not while a program goes on', () => {
    const { name, session } = open();
    clock.pass(HALF_HOUR - 1);
    expect(sessions.find(OWNER, name)).to.equal(session);
    clock.pass(HALF_HOUR - 1);
    session.isAtWork = true;
    clock.pass(1);
    expect(session.closed).to.equal(0);
    session.isAtWork = false;
    clock.pass(HALF_HOUR);
    expect([sessions.find(OWNER, name), session.closed]).to.deep.equal([null, 1]);
  });

  it('are 64 at most: the one that was used longest ago gives way, unless it is at work', () => {
    const opened = Array.from({ length: 64 }, () => open());
    const [first, second] = opened;
    if (first === undefined || second === undefined) throw new Error('there are 64');
    first.session.isAtWork = true;
    open();
    expect([sessions.count, first.session.closed, second.session.closed]).to.deep.equal([64, 0, 1]);
    for (const { session } of opened) session.isAtWork = true;
    const last = open();
    last.session.isAtWork = true;
    expect(sessions.count).to.equal(64);
    expect(sessions.open(OWNER, () => new Session())).to.equal(null);
  });

  it('are all closed with the gateway', async () => {
    const opened = [open(), open({ ...OWNER, tool: 'other' })];
    await sessions.close();
    expect(opened.map(({ session }) => session.closed)).to.deep.equal([1, 1]);
    expect(sessions.count).to.equal(0);
  });
});
