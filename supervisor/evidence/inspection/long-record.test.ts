import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Sliced } from '../../../contract/json/sliced.ts';
import { appendRecord, beginContainer } from './container.ts';
import { slicedRecord, slicedUpdate } from './long-record.ts';

const { state } = beginContainer({ runId: 'r', traceId: 't', created: 'now' });

function inSlices<T>(work: Sliced<T>, units: number): { readonly result: T; readonly slices: number } {
  for (let slices = 1; ; slices += 1) {
    const done = work.advance(units);
    if (done !== null) return { ...done, slices };
  }
}

describe('a long record of an inspection, in slices (evidence.md §6)', () => {
  it('has the line and the chain that it has at once, wherever a slice ends', () => {
    for (const text of ['{}', '{"a":"\u{1F600}é\u{1F600}\u{1F600}x€"}']) {
      const whole = appendRecord(state, text);
      for (let units = 1; units <= 2 * text.length + 1; units += 1) {
        const { line, state: after } = inSlices(slicedRecord(state, text), units).result;
        expect(Buffer.from(line).toString(), String(units)).to.equal(Buffer.from(whole.line).toString());
        expect({ ...after, chain: Buffer.from(after.chain) }).to.deep.equal({
          ...whole.state,
          chain: Buffer.from(whole.state.chain),
        });
      }
    }
  });

  it('encodes and hashes no more in a turn than a slice has', () => {
    for (const [units, slices] of [
      [2001, 1],
      [2000, 2],
      [1000, 3],
      [100, 21],
    ] as const) {
      expect(inSlices(slicedRecord(state, 'x'.repeat(1000)), units).slices, String(units)).to.equal(slices);
    }
  });

  it('is added to the digest of the file a slice in each turn', () => {
    const bytes = Buffer.from('x'.repeat(1000));
    for (const [units, slices] of [
      [1000, 1],
      [999, 2],
      [100, 10],
    ] as const) {
      const digest = createHash('sha256');
      expect(inSlices(slicedUpdate(digest, bytes), units).slices, String(units)).to.equal(slices);
      expect(digest.digest('hex')).to.equal(createHash('sha256').update(bytes).digest('hex'));
    }
  });
});
