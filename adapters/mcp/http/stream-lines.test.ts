import { expect } from 'chai';
import { StreamLines } from './stream-lines.ts';

function read(...pieces: readonly string[]): readonly string[] {
  const lines = new StreamLines(1000);
  const found: string[] = [];
  for (const piece of pieces) {
    lines.take(Buffer.from(piece), (line) => {
      found.push(Buffer.from(line).toString('utf8'));
      return true;
    });
  }
  return found;
}

describe('lines of a stream of events', () => {
  it('end in CR, LF or both', () => {
    expect(read('a\nb\rc\r\nd\n\r\re')).to.deep.equal(['a', 'b', 'c', 'd', '', '']);
  });

  it('are the same where an end is cut in two', () => {
    expect(read('a\r', '\nb\n')).to.deep.equal(['a', 'b']);
    expect(read('a\r', '', '\nb\n')).to.deep.equal(['a', 'b']);
    expect(read('a\r', 'b\n', '\n')).to.deep.equal(['a', 'b', '']);
  });

  it('begin behind a byte order mark, which no later line loses', () => {
    expect(read('\uFEFFa\n\uFEFFb\n')).to.deep.equal(['a', '\uFEFFb']);
    expect(read('\uFEFF\n')).to.deep.equal(['']);
  });

  it('are not read behind the one after which nobody wants more', () => {
    const found: string[] = [];
    new StreamLines(1000).take(Buffer.from('a\nb\n'), (line) => {
      found.push(Buffer.from(line).toString('utf8'));
      return false;
    });
    expect(found).to.deep.equal(['a']);
  });
});
