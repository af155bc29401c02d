import { expect } from 'chai';
import sinon from 'sinon';
import { MOST_BRANCHES } from '../../contract/parallel.ts';
import { parseOperation } from './operation.ts';

describe('an operation of parallel branches, as a guest wrote it', () => {
  const messageOf = (count: number): string =>
    JSON.stringify({
      shared: 's,[{"\\',
      calls: Array.from({ length: count }, (_, index) => `call "${index}", [{:a \\ 1}]`),
    });

  it('has so many calls at most', () => {
    for (const count of [0, 1, MOST_BRANCHES - 1, MOST_BRANCHES]) {
      const operation = parseOperation(messageOf(count));
      expect([operation?.calls.length, operation?.shared]).to.deep.equal([count, 's,[{"\\']);
    }
    expect(parseOperation(messageOf(MOST_BRANCHES + 1))).to.equal(null);
  });

  it('is nothing else', () => {
    for (const message of [
      '',
      'null',
      '[]',
      '{}',
      '{"shared":1,"calls":[]}',
      '{"shared":"","calls":[1]}',
      '{"shared":"","calls":{}}',
      '{"shared":"',
      '"\\',
    ]) {
      expect(parseOperation(message), message).to.equal(null);
    }
  });

  it('is not made a value of where it has many parts', () => {
    const parse = sinon.spy(JSON, 'parse');
    try {
      const many = 1_000_000;
      for (const message of [
        messageOf(2 * MOST_BRANCHES),
        '['.repeat(many),
        `[${'1,'.repeat(many)}1]`,
        `[${'{},'.repeat(many)}{}]`,
        `{${'"":1,'.repeat(many)}`,
      ]) {
        expect(parseOperation(message)).to.equal(null);
      }
      expect(parse.callCount).to.equal(0);
    } finally {
      parse.restore();
    }
  });
});
