import { expect } from 'chai';
import * as fc from 'fast-check';
import type { CompiledReply } from '../bundle-store.ts';
import { decodeEntry, encodeEntry, entryName, isEntryName } from './entry.ts';

const HASH = 'a'.repeat(64);
const NAME = entryName('compiler', { environment: 'workflow', hash: HASH });
const REPLY: CompiledReply = {
  status: 'compiled',
  code: 'code “é”\n\0',
  exports: [
    {
      ref: 'main/run',
      kind: 'function',
      arities: [1],
      variadic_from: null,
      requirements: ['tool:a'],
      effect: 'read',
      declared_effect: 'read',
      visibility: 'prompt',
      doc: null,
    },
  ],
};

describe('entries of the bundle cache', () => {
  it('give back what was kept', () => {
    expect(decodeEntry(NAME, encodeEntry(NAME, REPLY))).to.deep.equal(REPLY);
  });

  it('have a name for each compiler, environment and bundle', () => {
    const names = ['compiler', 'other'].flatMap((compiler) =>
      (['workflow', 'mission'] as const).flatMap((environment) =>
        [HASH, 'b'.repeat(64)].map((hash) => entryName(compiler, { environment, hash })),
      ),
    );
    expect(new Set(names).size).to.equal(8);
    expect(names.every(isEntryName)).to.equal(true);
  });

  it('are believed under their own name only', () => {
    const other = entryName('compiler', { environment: 'mission', hash: HASH });
    expect(decodeEntry(other, encodeEntry(NAME, REPLY))).to.equal(null);
  });

  it('with any byte changed, left out or added are none', () => {
    const bytes = encodeEntry(NAME, REPLY);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const poisoned = Uint8Array.from(bytes);
        poisoned[at] = (bytes[at] ?? 0) ^ change;
        expect(decodeEntry(NAME, poisoned)).to.equal(null);
        expect(decodeEntry(NAME, bytes.subarray(0, at))).to.equal(null);
      }),
      { numRuns: 500 },
    );
    expect(decodeEntry(NAME, Buffer.concat([bytes, Buffer.from(' ')]))).to.equal(null);
  });

  it('of any bytes, never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeEntry(NAME, bytes)).to.equal(null);
      }),
    );
  });

  it('never hold a refusal, whatever digest it carries', () => {
    const refusal = {
      status: 'refused',
      fault: { reason: 'r', message: 'm', component: null, span: null, details: {} },
    };
    const lie = JSON.parse(JSON.stringify(refusal));
    expect(decodeEntry(NAME, encodeEntry(NAME, lie))).to.equal(null);
    expect(decodeEntry(NAME, encodeEntry(NAME, { ...REPLY, code: JSON.parse('1') }))).to.equal(null);
  });
});
