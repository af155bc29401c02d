import { expect } from 'chai';
import { component, guestUnderTest } from './testing/guest-under-test.ts';
import { framesOf, sourceName } from './stack.ts';

describe('stacks', () => {
  it('give the frames of generated code, innermost first, and no others', () => {
    const stack = [
      'Error',
      '    at add (<anonymous>:1:2345)',
      '    at f_helper (svc:app.b-c_d@0123456789abcdef:12:8)',
      '    at svc:0123456789abcdef:4:1',
      '    at Array.map (<anonymous>)',
      '    at eval (eval at instantiate (file:///x/svc:1:2), <anonymous>:3:4)',
    ].join('\n');
    expect(framesOf(stack)).to.deep.equal([
      { block: 'app.b-c_d@0123456789abcdef', line: 9, column: 7 },
      { block: '0123456789abcdef', line: 1, column: 0 },
    ]);
    expect(framesOf('')).to.deep.equal([]);
  });

  it('know a block by a name that no text can leave', () => {
    expect(sourceName('a\nb\u2028c*/(d)@1')).to.equal('svc:a_b_c___d_@1');
    const guest = guestUnderTest();
    for (const end of ['\n', '\r', '\u2028', '\u2029']) {
      const reply = guest.compile([component(`a${end}globalThis.broken = 1;//`, '(ns app) (defn f [x] (inc x))')]);
      if (reply.status === 'compiled') guest.load(reply.code);
      expect(Reflect.has(globalThis, 'broken')).to.equal(false);
    }
  });
});
