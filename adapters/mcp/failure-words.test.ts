import { expect } from 'chai';
import { failureWords } from './failure-words.ts';

const NOTHING = { end: null, stderr: null };
const EXITED = { end: 'it exited with status 1', stderr: { text: 'no key\n', isTruncated: false } };

describe('what people are told of a server that does not answer (world.md §2.4)', () => {
  for (const [name, failed, last, bound, expected] of [
    ['one that exited', { fault: 'broken' }, EXITED, null, 'it exited with status 1 before it answered'],
    ['one that had exited', { fault: 'closed' }, EXITED, null, 'it exited with status 1 before it answered'],
    ['one that closed its output', { fault: 'broken' }, NOTHING, null, 'it ended its output before it answered'],
    ['one that makes no sense', { fault: 'malformed' }, EXITED, null, 'what it wrote is no message of the protocol'],
    [
      'one that is late',
      { fault: 'timeout' },
      NOTHING,
      { ms: 5, setting: 'timeout_ms' },
      'no answer within 5 ms (timeout_ms)',
    ],
    [
      'one over a network',
      { fault: 'refused', said: 'connection refused (127.0.0.1:1)' },
      NOTHING,
      null,
      'connection refused (127.0.0.1:1)',
    ],
  ] as const)
    it(name, () => {
      const words = failureWords(failed, last, bound);
      expect(words?.said).to.equal(expected);
      expect(words?.stderr).to.deep.equal(last.stderr ?? undefined);
    });

  it('nothing of what ended with its caller', () => {
    expect(failureWords({ fault: 'cancelled' }, NOTHING, null)).to.equal(null);
    expect(failureWords({ fault: 'timeout' }, NOTHING, null)).to.equal(null);
  });
});
