import { expect } from 'chai';
import { MAX_BODY_BYTES_FROM_HOST } from '../wire/frames.ts';
import { createGuest } from './guest.ts';
import { isCarried, MAX_REPLY_BYTES } from './reply-size.ts';

describe('the text of a reply', () => {
  it('fits into a message with what stands before it', () => {
    expect(MAX_REPLY_BYTES).to.be.below(MAX_BODY_BYTES_FROM_HOST);
  });

  for (const [what, unit, bytes] of [
    ['one byte', 'x', 1],
    ['two bytes', 'é', 2],
    ['three bytes', '€', 3],
    ['four bytes', '😀', 4],
  ] as const) {
    it(`is carried up to its bytes: characters of ${what}`, () => {
      const most = Math.floor(MAX_REPLY_BYTES / bytes);
      const fill = 'x'.repeat(MAX_REPLY_BYTES - most * bytes);
      const text = unit.repeat(most) + fill;
      expect(Buffer.byteLength(text)).to.equal(MAX_REPLY_BYTES);
      expect([isCarried(text.slice(0, -unit.length)), isCarried(text), isCarried(`${text}x`)]).to.deep.equal([
        true,
        true,
        false,
      ]);
    });
  }

  it('beyond it is the lack of memory of its program', () => {
    const guest = createGuest(() => '');
    const ask = (count: number): unknown =>
      JSON.parse(
        guest.handle(
          JSON.stringify({
            operation: 'evaluate',
            environment: 'mission',
            source: `(let [line (apply str (repeat 2000 "x"))] (dotimes [i ${count}] (println line)))`,
            data: {},
            tools: [],
            loop_iterations: null,
            projection: 'json',
          }),
        ),
      );
    expect(ask(19_000)).to.include({ outcome: 'continued' });
    expect(ask(20_000))
      .to.deep.include({ outcome: 'evaluation_error', prints: [] })
      .and.nested.include({ 'fault.reason': 'memory_exceeded' });
  });
});
