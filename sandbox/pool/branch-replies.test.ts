import { expect } from 'chai';
import { MOST_ANSWERED } from '../../contract/parallel.ts';
import type { BranchReply } from '../../contract/sandbox-protocol.ts';
import { encodeFrame, MAX_BODY_BYTES_FROM_SUPERVISOR } from '../wire/frames.ts';
import { carriedReplies, isTooMuch, writeReply } from './branch-replies.ts';

const value = (length: number, unit = 'x') => writeReply({ outcome: 'value', value: unit.repeat(length), printed: [] });
const APART = value(0).text.length;
const outcomes = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => {
    const reply: BranchReply = JSON.parse(text);
    return reply.outcome;
  });

describe('replies of branches in one message', () => {
  it('have room up to a sum, beyond which the first that has none is a lack of memory', () => {
    const half = MOST_ANSWERED / 2 - APART;
    for (const last of [half - 1, half])
      expect(outcomes(carriedReplies([value(half), value(last)]))).to.deep.equal(['value', 'value']);
    expect(outcomes(carriedReplies([value(half), value(half + 1), value(1)]))).to.deep.equal(['value', 'limit']);
    expect([MOST_ANSWERED - 1, MOST_ANSWERED, MOST_ANSWERED + 1].map(isTooMuch)).to.deep.equal([false, false, true]);
  });

  it('end with the first that gave no value, and where one is missing', () => {
    expect(carriedReplies([value(1), writeReply({ outcome: 'returned', printed: [] }), value(1)])).to.have.length(2);
    expect(carriedReplies([value(1), undefined, value(1)])).to.have.length(1);
  });

  for (const unit of ['\u0001', '€', '"', '\ud800']) {
    it(`fit into a frame, whatever their units take there: ${JSON.stringify(unit)}`, () => {
      const written = JSON.stringify(unit).length - 2;
      const whole = `{"reply":"branches","branches":[${carriedReplies([value(Math.floor((MOST_ANSWERED - APART) / written), unit)]).join(',')}]}`;
      expect(outcomes(Object(JSON.parse(whole)).branches.map((reply: unknown) => JSON.stringify(reply)))).to.deep.equal(
        ['value'],
      );
      expect(encodeFrame({ channel: 'broker', header: '1', body: whole }).length).to.be.below(
        MAX_BODY_BYTES_FROM_SUPERVISOR,
      );
    });
  }
});
