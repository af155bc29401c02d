import { expect } from 'chai';
import { readTraceparent } from './traceparent.ts';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

describe('a traceparent', () => {
  it('is one of version 00', () => {
    expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).to.deep.equal({ traceId: TRACE, spanId: SPAN, flags: 1 });
    expect(readTraceparent(`00-${TRACE}-${SPAN}-ff`)?.flags).to.equal(255);
  });

  it('is nothing else', () => {
    const others = [
      undefined,
      7,
      '',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-`,
      ` 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01\n`,
      `01-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
    ];
    for (const other of others) expect(readTraceparent(other), String(other)).to.equal(null);
  });
});
