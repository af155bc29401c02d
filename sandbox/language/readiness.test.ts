import { expect } from 'chai';
import type { ReadReply } from '../../contract/sandbox-protocol.ts';
import { readiness } from './readiness.ts';

const CASES: Readonly<Record<ReadReply['status'], readonly string[]>> = {
  empty: ['', ' \n,', '; (note', '#_ (a)', '#! (a'],
  complete: [
    '1',
    '(+ 1 2)',
    '"(" 2',
    '\\(',
    '(a)) (',
    '(a ]',
    '(1/2',
    '"\\q',
    '#foo',
    '(f `x',
    '#"("',
    '(a ; )\n)',
    '(a ; )\r)',
  ],
  incomplete: [
    '(',
    '(a [b',
    '"',
    '"a\\',
    '#"a',
    "'",
    '@',
    '#(',
    '{:a 1',
    '#{',
    '^',
    '^:a',
    '#_',
    '(a ; )',
    '(str "x)',
    '\\',
    "#'",
    '#inst',
  ],
};

describe('readiness of a text (cli.md §11, line loop)', () => {
  for (const [status, sources] of Object.entries(CASES)) {
    for (const source of sources)
      it(`${JSON.stringify(source)} is ${status}`, () => expect(readiness(source)).to.equal(status));
  }

  it('a text nested too deep is for the evaluation to refuse', () => {
    expect(readiness('('.repeat(100_000))).to.equal('complete');
  });
});
