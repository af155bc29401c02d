import { expect } from 'chai';
import { importBounds } from './bounds.ts';

describe('bounds of imports (code-mode.md §3)', () => {
  it('are the usual ones unless others are given, each within its range', () => {
    expect(importBounds()).to.deep.equal({ servers: 32, serverTools: 512, tools: 2048, startMs: 30_000 });
    expect(importBounds({ serverTools: 2048, tools: 4096 })).to.include({
      servers: 32,
      serverTools: 2048,
      tools: 4096,
    });
    for (const input of [{ servers: 65 }, { serverTools: 0 }, { tools: 4097 }, { startMs: 999 }, { tools: 1.5 }])
      expect(() => importBounds(input)).to.throw(RangeError, /is a whole number from \d+ to \d+/);
  });
});
