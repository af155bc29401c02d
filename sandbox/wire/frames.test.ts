import { expect } from 'chai';
import fc from 'fast-check';
import { createFrameReader, encodeFrame, type Frame, MAX_HEADER_BYTES } from './frames.ts';

const BODY_BOUND = 4096;

const frame = fc.record<Frame>({
  channel: fc.constantFrom('host', 'broker'),
  header: fc.string({ unit: 'grapheme', maxLength: 40 }),
  body: fc.string({ unit: 'grapheme', maxLength: 80 }),
});

function readAll(chunks: readonly Buffer[], bound = BODY_BOUND): readonly Frame[] | string {
  const reader = createFrameReader(bound);
  const frames: Frame[] = [];
  for (const chunk of chunks) {
    const read = reader.push(chunk);
    if (read.status === 'violation') return read.reason;
    frames.push(...read.frames);
  }
  return frames;
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

describe('frames', () => {
  it('come back as they went, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (frames, size) => {
        expect(readAll(cut(Buffer.concat(frames.map(encodeFrame)), size))).to.deep.equal(frames);
      }),
    );
  });

  it('come back as they went with long bodies, which are read as they come', () => {
    const text = fc
      .tuple(fc.constantFrom('x', 'é', '€', '😀', '\ud800'), fc.integer({ min: 100_000, max: 400_000 }))
      .map(([unit, count]) => unit.repeat(count));
    const mixed = fc.array(
      fc.oneof(frame, fc.record<Frame>({ channel: fc.constant('host'), header: fc.string(), body: text })),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(mixed, fc.constantFrom(4099, 65_536, 300_007, 10_000_000), (frames, size) => {
        const read = readAll(cut(Buffer.concat(frames.map(encodeFrame)), size), 4_000_000);
        expect(read).to.deep.equal(frames.map((each) => ({ ...each, body: each.body.toWellFormed() })));
      }),
      { numRuns: 40 },
    );
  });

  it('are not shown before they are whole', () => {
    const bytes = encodeFrame({ channel: 'host', header: '{}', body: 'text' });
    expect(readAll([bytes.subarray(0, bytes.length - 1)])).to.deep.equal([]);
  });

  it('with a body at the bound pass, one byte more is refused by its prefix alone', () => {
    const header = 'h'.repeat(MAX_HEADER_BYTES);
    expect(readAll([encodeFrame({ channel: 'host', header, body: 'x'.repeat(BODY_BOUND) })])).to.have.length(1);
    const beyond = encodeFrame({ channel: 'host', header, body: 'x'.repeat(BODY_BOUND + 1) });
    expect(readAll([beyond.subarray(0, 4)])).to.match(/frame length/);
  });

  const violations: readonly (readonly [title: string, bytes: number[], reason: RegExp])[] = [
    ['a giant length', [0xff, 0xff, 0xff, 0xff], /frame length/],
    ['a length of nothing', [0, 0, 0, 0], /frame length/],
    ['a length shorter than the fixed part', [0, 0, 0, 2, 0, 0], /frame length/],
    ['an unknown channel', [0, 0, 0, 3, 2, 0, 0], /channel/],
    ['a header longer than the frame', [0, 0, 0, 4, 0, 0, 2, 65], /header length/],
    ['a header beyond its bound', [0, 0, 8, 0, 0, 4, 1, ...Array.from({ length: 2045 }, () => 65)], /header length/],
    ['text instead of frames', [...Buffer.from('GET / HTTP/1.1\r\n')], /frame length/],
  ];
  for (const [title, bytes, reason] of violations) {
    it(`refuse ${title}`, () => {
      expect(readAll([Buffer.from(bytes)])).to.match(reason);
    });
  }

  it('throw for a header of our own beyond its bound', () => {
    expect(() => encodeFrame({ channel: 'host', header: 'x'.repeat(MAX_HEADER_BYTES + 1), body: '' })).to.throw(
      RangeError,
    );
  });
});
