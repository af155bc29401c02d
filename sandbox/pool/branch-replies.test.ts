import { expect } from 'chai';
import type { BranchReply } from '../../contract/sandbox-protocol.ts';
import { encodeFrame, MAX_BODY_BYTES_FROM_SUPERVISOR } from '../wire/frames.ts';
import { carriedReplies, isTooMuch, MOST_UNITS, unitsOf } from './branch-replies.ts';

const value = (length: number, unit = 'x'): BranchReply => ({ outcome: 'value', value: unit.repeat(length), printed: [] });
const APART = unitsOf(value(0));

describe('replies of branches in one message', () => {
  it('have room up to a sum, beyond which the first that has none is a lack of memory', () => {
    const half = MOST_UNITS / 2 - APART;
    for (const last of [half - 1, half]) expect(carriedReplies([value(half), value(last)]).map(({ outcome }) => outcome)).to.deep.equal(['value', 'value']);
    expect(carriedReplies([value(half), value(half + 1), value(1)]).map(({ outcome }) => outcome)).to.deep.equal(['value', 'limit']);
    expect([MOST_UNITS - 1, MOST_UNITS, MOST_UNITS + 1].map(isTooMuch)).to.deep.equal([false, false, true]);
  });

  it('end with the first that gave no value, and where one is missing', () => {
    expect(carriedReplies([value(1), { outcome: 'returned', printed: [] }, value(1)])).to.have.length(2);
    expect(carriedReplies([value(1), undefined, value(1)])).to.have.length(1);
  });

  it('count their prints and the details of a limit', () => {
    expect(unitsOf({ outcome: 'value', value: '', printed: ['abc', ''] })).to.equal(3 * APART + 3);
    expect(unitsOf({ outcome: 'limit', kind: 'timeout', message: 'ab', details: { a: 1 }, printed: [] })).to.equal(APART + 2 + '{"a":1}'.length);
  });

  for (const unit of ['\u0001', '€', '"', '\ud800']) {
    it(`fit into a frame, whatever their units take there: ${JSON.stringify(unit)}`, () => {
      const whole = JSON.stringify({ reply: 'branches', branches: carriedReplies([value(MOST_UNITS - APART, unit)]) });
      expect(encodeFrame({ channel: 'broker', header: '1', body: whole }).length).to.be.below(MAX_BODY_BYTES_FROM_SUPERVISOR);
    });
  }
});
