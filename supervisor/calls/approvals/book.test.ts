import { expect } from 'chai';
import fc from 'fast-check';
import type { ApprovalDecision } from '../../../contract/approval.ts';
import { openBook, stepBook, type ApprovalBook, type ApprovableCall, type BookEnd, type BookEvent } from './book.ts';

const CLOSE: ApprovableCall = { mission: 'desk', tool: 'tickets.close', argumentsHash: 'a' };
const OTHER_ARGUMENTS: ApprovableCall = { ...CLOSE, argumentsHash: 'b' };
const REFUND: ApprovableCall = { mission: 'desk', tool: 'refund', argumentsHash: 'a' };
const ALLOW: ApprovalDecision = { decision: 'allow', scope: 'once', by: 'terminal' };
const DENY: ApprovalDecision = { decision: 'deny', scope: 'once', by: 'terminal', reason: 'wrong ticket' };

/** What became of each question. */
class Ends {
  book: ApprovalBook;
  readonly ends = new Map<string, BookEnd[]>();
  readonly asked: string[] = [];

  constructor(bounds = { maxAsks: 50, maxOpen: 64 }) {
    this.book = openBook(bounds);
  }

  step(event: BookEvent): void {
    const { book, ended, asks } = stepBook(this.book, event);
    this.book = book;
    if (asks) this.asked.push(event.id);
    for (const { id, end } of ended) this.ends.set(id, [...(this.ends.get(id) ?? []), end]);
  }

  call(id: string, call: ApprovableCall): void {
    this.step({ event: 'call', id, call, now: 0 });
  }

  decide(id: string, decision: ApprovalDecision): void {
    this.step({ event: 'decision', id, decision });
  }
}

describe('book of approvals (approvals.md §4)', () => {
  it('asks about the same call again after a yes to it once', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.decide('1', ALLOW);
    run.call('2', CLOSE);
    expect(run.asked).to.deep.equal(['1', '2']);
    expect(run.ends.get('1')).to.deep.equal([{ kind: 'decided', decision: ALLOW }]);
  });

  it('answers the same call after a no unasked, and asks about other arguments', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.decide('1', DENY);
    run.call('2', CLOSE);
    run.call('3', OTHER_ARGUMENTS);
    expect(run.asked).to.deep.equal(['1', '3']);
    expect(run.ends.get('2')).to.deep.equal([
      { kind: 'decided', decision: { decision: 'deny', scope: 'once', by: 'remembered', reason: 'wrong ticket' } },
    ]);
    expect(run.book.rememberedDenials).to.equal(1);
  });

  it('forgets a no that was only closed', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.decide('1', { ...DENY, isRemembered: false });
    run.call('2', CLOSE);
    expect(run.asked).to.deep.equal(['1', '2']);
  });

  it('covers this tool of this mission with the scope `tool`, and no other mission', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.call('2', OTHER_ARGUMENTS);
    run.decide('1', { ...ALLOW, scope: 'tool' });
    run.call('3', CLOSE);
    run.call('4', { ...CLOSE, mission: 'other' });
    run.call('5', REFUND);
    expect(run.asked).to.deep.equal(['1', '2', '4', '5']);
    expect(run.ends.get('2')).to.deep.equal([
      { kind: 'decided', decision: { decision: 'allow', scope: 'tool', by: 'remembered' } },
    ]);
    expect(run.ends.get('3')).to.deep.equal([
      { kind: 'decided', decision: { decision: 'allow', scope: 'tool', by: 'remembered' } },
    ]);
  });

  it('keeps a no to one call when its tool is allowed later', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.decide('1', DENY);
    run.call('2', OTHER_ARGUMENTS);
    run.decide('2', { ...ALLOW, scope: 'tool' });
    run.call('3', CLOSE);
    expect(run.ends.get('3')?.[0]).to.have.nested.property('decision.decision', 'deny');
  });

  it('covers everything asked in the run with the scope `run`', () => {
    for (const decision of [ALLOW, DENY]) {
      const run = new Ends();
      run.call('1', CLOSE);
      run.call('2', REFUND);
      run.decide('1', { ...decision, scope: 'run' });
      run.call('3', { ...REFUND, mission: null });
      expect(run.asked).to.deep.equal(['1', '2']);
      for (const id of ['1', '2', '3'])
        expect(run.ends.get(id)?.[0]).to.have.nested.property('decision.decision', decision.decision);
    }
  });

  it('answers two open questions about one call with one no', () => {
    const run = new Ends();
    run.call('1', CLOSE);
    run.call('2', CLOSE);
    run.decide('2', DENY);
    expect(run.ends.get('1')?.[0]).to.have.nested.property('decision.by', 'remembered');
    expect(run.book.open.size).to.equal(0);
  });

  it('asks 50 times, and not a 51st', () => {
    const run = new Ends();
    for (let index = 1; index <= 51; index += 1) {
      run.call(String(index), { ...CLOSE, argumentsHash: String(index) });
      run.decide(String(index), ALLOW);
    }
    expect(run.asked).to.have.length(50);
    expect(run.ends.get('51')).to.deep.equal([{ kind: 'unavailable', how: 'too_many' }]);
  });

  it('has so many open at once, and asks again when one has ended', () => {
    const run = new Ends({ maxAsks: 50, maxOpen: 2 });
    run.call('1', CLOSE);
    run.call('2', REFUND);
    run.call('3', OTHER_ARGUMENTS);
    expect(run.ends.get('3')).to.deep.equal([{ kind: 'unavailable', how: 'too_many' }]);
    run.step({ event: 'expired', id: '1' });
    run.call('4', OTHER_ARGUMENTS);
    expect(run.asked).to.deep.equal(['1', '2', '4']);
  });

  it('asks nobody where no question may be asked', () => {
    const run = new Ends({ maxAsks: 0, maxOpen: 64 });
    run.call('1', CLOSE);
    expect(run.ends.get('1')).to.deep.equal([{ kind: 'unavailable', how: 'too_many' }]);
  });

  it('ends each question exactly once, whatever comes in whatever order', () => {
    const ids = fc.integer({ min: 0, max: 12 }).map(String);
    const call = fc.record({
      mission: fc.constantFrom('a', 'b', null),
      tool: fc.constantFrom('x', 'y'),
      argumentsHash: fc.constantFrom('1', '2', '3'),
    });
    const decision = fc.record({
      decision: fc.constantFrom('allow' as const, 'deny' as const),
      scope: fc.constantFrom('once' as const, 'tool' as const, 'run' as const),
      by: fc.constant('api' as const),
    });
    const event = fc.oneof(
      fc.record({ event: fc.constant('call' as const), call, now: fc.constant(0) }),
      fc.record({ event: fc.constant('decision' as const), id: ids, decision }),
      fc.record({ event: fc.constantFrom('expired' as const, 'gone' as const), id: ids }),
      fc.record({ event: fc.constant('unavailable' as const), id: ids, how: fc.constant('unattended' as const) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const run = new Ends({ maxAsks: 10, maxOpen: 4 });
        let called = 0;
        for (const next of events) {
          if (next.event !== 'call') run.step(next);
          else run.step({ ...next, id: String(called++) });
          expect(run.book.open.size).to.be.at.most(4);
        }
        expect(run.asked.length).to.be.at.most(10);
        for (const [, ends] of run.ends) expect(ends).to.have.length(1);
        // Each call has its end or is open, and never both.
        for (let id = 0; id < called; id += 1)
          expect(run.ends.has(String(id))).to.not.equal(run.book.open.has(String(id)));
        for (const id of run.ends.keys()) expect(Number(id)).to.be.below(called);
      }),
      { numRuns: 5000 },
    );
  });
});
