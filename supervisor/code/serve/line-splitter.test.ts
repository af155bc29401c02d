import { expect } from 'chai';
import { LineSplitter } from './line-splitter.ts';

describe('lines of a client (code-mode.md §9, 4)', () => {
  it('are cut wherever chunks end, and one that is too long is told of once', () => {
    const lines: (string | null)[] = [];
    const splitter = new LineSplitter(5, (line) => lines.push(line === null ? null : Buffer.from(line).toString()));
    for (const chunk of ['ab', 'c\nde\r\n\n', '12345\n123', '456', '789\nxy', '\n']) splitter.push(Buffer.from(chunk));
    expect(lines).to.deep.equal(['abc', 'de', '12345', null, 'xy']);
  });
});
