import { expect } from 'chai';
import { drawTerminal } from './draw.ts';

describe('the picture of a terminal', () => {
  it('has each command with what it printed, as text and below each other', () => {
    const picture = drawTerminal([
      { command: 'svc run <a>', output: ['1 & 2', 'x'.repeat(99)] },
      { command: 'svc test', output: [] },
    ]);
    expect(picture).to.include('>$ svc run &lt;a&gt;</text>').and.include('>1 &amp; 2</text>');
    expect(picture).to.include(`>${'x'.repeat(97)}…</text>`);
    const rows = [...picture.matchAll(/ y="(\d+)"/g)].map(([, y]) => Number(y));
    expect(rows).to.deep.equal(rows.toSorted((a, b) => a - b));
    expect(new Set(rows).size).to.equal(4);
    expect(picture).not.to.match(/<script|href|url\(/);
  });
});
