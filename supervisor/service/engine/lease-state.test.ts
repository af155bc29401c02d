import { expect } from 'chai';
import {
  answeredLease,
  endedLease,
  isOpenFor,
  leaseAt,
  openedFor,
  acquiredLease,
  type ExtensionAnswer,
} from './lease-state.ts';

const SELF_KILL_MS = 100;
const USED = acquiredLease(1000);

describe('what a worker knows of a lease (gateway.md §19)', () => {
  it('is lost once nobody answered for so long, and not before', () => {
    expect(leaseAt(USED, 1099, SELF_KILL_MS).ended).to.equal(null);
    expect(leaseAt(USED, 1100, SELF_KILL_MS).ended).to.equal('lease_lost');
  });

  it('is held since the question, not since the answer, and never for less time than before', () => {
    const extended = answeredLease(USED, 'extended', 1050);
    expect(leaseAt(extended, 1149, SELF_KILL_MS).ended).to.equal(null);
    expect(leaseAt(extended, 1150, SELF_KILL_MS).ended).to.equal('lease_lost');
    expect(answeredLease(extended, 'extended', 1020).acquiredAt).to.equal(1050);
  });

  const answers: readonly (readonly [ExtensionAnswer, string | null, number])[] = [
    ['extended', null, 1050],
    ['cancelled', 'cancelled', 1050],
    ['lost', 'lease_lost', 1000],
    ['unanswered', null, 1000],
  ];
  for (const [answer, ended, acquiredAt] of answers) {
    it(`after the answer "${answer}"`, () => {
      expect(answeredLease(USED, answer, 1050)).to.include({ ended, acquiredAt: acquiredAt });
    });
  }

  it('ended for the first reason', () => {
    const cancelled = endedLease(USED, 'cancelled');
    expect(endedLease(cancelled, 'closing').ended).to.equal('cancelled');
    expect(answeredLease(cancelled, 'lost', 1050).ended).to.equal('cancelled');
    expect(leaseAt(cancelled, 2000, SELF_KILL_MS).ended).to.equal('cancelled');
  });

  it('lets a read go out after a write, and no write after a read', () => {
    expect(isOpenFor(USED, 'dispatched')).to.equal(false);
    const read = openedFor(USED, 'dispatched');
    expect([isOpenFor(read, 'dispatched'), isOpenFor(read, 'write_open')]).to.deep.equal([true, false]);
    const write = openedFor(openedFor(read, 'write_open'), 'dispatched');
    expect([isOpenFor(write, 'dispatched'), isOpenFor(write, 'write_open')]).to.deep.equal([true, true]);
  });
});
