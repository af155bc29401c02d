import { expect } from 'chai';
import * as fc from 'fast-check';
import { arbitraryJson } from './arbitrary-json.ts';
import { canonicalJson, writeCanonical } from './canonical.ts';
import { slicedValue, valueOf } from './node.ts';
import type { Pace } from './paced.ts';
import { parseJson, parseJsonText, readJson, readJsonText } from './parse.ts';
import { slicedScan } from './scan.ts';
import type { Sliced } from './sliced.ts';
import type { JsonValue } from './value.ts';

const LIMITS = { bytes: Number.MAX_SAFE_INTEGER, depth: 100, nodes: Number.MAX_SAFE_INTEGER };

const SLICE_UNITS = 16_384;

/** Counts the turns that work waits for. */
function countedPace(units: number): Pace & { readonly turns: () => number } {
  let turns = 0;
  return {
    units,
    next: async () => {
      turns += 1;
    },
    turns: () => turns,
  };
}

/** Turns that a piece of work takes which all fit in one, and beyond it. */
async function turnsOf(work: (pace: Pace) => unknown, units: number): Promise<number> {
  const pace = countedPace(units);
  await work(pace);
  return pace.turns();
}

/** All results, whatever the size of a slice, are what comes of the work done at once. */
function inSlices<T>(work: Sliced<T>, units: number): T {
  for (;;) {
    const done = work.advance(units);
    if (done !== null) return done.result;
  }
}

describe('work in slices', () => {
  const kinds: Readonly<Record<string, (length: number) => JsonValue>> = {
    'a string': (length) => 'x'.repeat(length - 2),
    'a list': (length) => Array.from({ length: (length - 1) / 2 }, () => 1),
  };
  for (const [what, valueOfLength] of Object.entries(kinds)) {
    for (const [beyond, isAtOnce] of [
      [-1, true],
      [0, true],
      [1, false],
    ] as const) {
      it(`reads ${what} of ${beyond} units beyond a slice ${isAtOnce ? 'at once' : 'in a later turn too'}`, async () => {
        const units = 1001;
        const text = canonicalJson(valueOfLength(units))
          .padEnd(units + beyond)
          .slice(0, units + beyond);
        const pace = countedPace(units);
        const reading = readJsonText(text, LIMITS, pace);
        expect(reading instanceof Promise).to.equal(!isAtOnce);
        await reading;
      });
    }
  }

  it('reads as many slices as the text has, and then its value', async () => {
    const text = canonicalJson('x'.repeat(9998));
    for (const [units, slices] of [
      [9999, 2],
      [10_000, 1],
      [10_001, 1],
      [2500, 4],
      [2499, 5],
    ] as const) {
      expect(await turnsOf((pace) => readJsonText(text, LIMITS, pace), units), String(units)).to.equal(slices - 1);
    }
  });

  it('reads bytes in as many slices as their text, with the fault that they have at once', async () => {
    const text = new TextEncoder().encode(canonicalJson('x'.repeat(998)));
    expect(await turnsOf((pace) => readJson(text, LIMITS, pace), 500)).to.equal(1);
    expect(await turnsOf((pace) => readJson(text, LIMITS, pace), 1000)).to.equal(0);
    const texts = ['[1,2,3,]', '\uFEFF[1,2,3]', '{"a":1,"a":2}', '[1,2,3,4]'].map((one) =>
      new TextEncoder().encode(one),
    );
    for (const bytes of [...texts, Uint8Array.of(0x22, 0x22, 0x22, 0x22, 0xff, 0x22)]) {
      for (const limits of [LIMITS, { ...LIMITS, bytes: 4 }, { ...LIMITS, bytes: 8 }]) {
        const parsed = parseJson(bytes, limits);
        const whole = parsed.ok ? { ok: true, value: valueOf(parsed.root) } : parsed;
        expect(await readJson(bytes, limits, countedPace(3)), Buffer.from(bytes).toString()).to.deep.equal(whole);
      }
    }
  });

  it('fills as many items in a turn as a slice has units', () => {
    const parsed = parseJsonText(canonicalJson([[...Array(99).keys()], [...Array(99).keys()]]), LIMITS);
    if (!parsed.ok) throw new Error('canonical text is JSON');
    const work = slicedValue(parsed.root);
    expect(work.advance(199)).to.equal(null);
    expect(work.advance(1)).to.deep.equal({ result: [[...Array(99).keys()], [...Array(99).keys()]] });
  });

  it('writes a list one slice in each turn', async () => {
    const value = Array.from({ length: 50_000 }, () => 1);
    const length = 100_001;
    for (const units of [SLICE_UNITS, length]) {
      const turns = await turnsOf((pace) => writeCanonical(value, pace), units);
      expect(turns, String(units)).to.be.within(Math.floor(length / units) - 1, Math.ceil(length / units) + 1);
    }
    expect(writeCanonical([1], countedPace(5))).to.equal('[1]');
  });

  it('writes no more than a piece of a long string in one step', () => {
    const piece = 16_384;
    for (const [length, turns] of [
      [piece, 0],
      [piece + 1, 2],
      [2 * piece, 2],
      [2 * piece + 1, 3],
    ] as const) {
      const pace = countedPace(piece);
      const text = writeCanonical('\n'.repeat(length), pace);
      if (turns === 0) expect(text).to.equal(`"${'\\n'.repeat(length)}"`);
      else expect(text).to.be.instanceOf(Promise);
    }
  });

  it('sorts the members of a large object in several turns, as it does at once', async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${(index * 7919) % 20_000}\u{1F600}`);
    const object = new Map(keys.map((key) => [key, 1]));
    const pace = countedPace(SLICE_UNITS);
    const written = await writeCanonical(object, pace);
    expect(written).to.equal(
      `{${[...keys]
        .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
        .map((key) => `"${key}":1`)
        .join(',')}}`,
    );
    // Read and sorted in runs, merged six times, written.
    expect(pace.turns()).to.be.above((20_000 * 4 + 20_000 * 5) / SLICE_UNITS);
  });

  it('comes to the same in slices of any size', () => {
    fc.assert(
      fc.property(arbitraryJson, fc.integer({ min: 1, max: 20 }), (value, units) => {
        const text = canonicalJson(value);
        const whole = parseJsonText(text, LIMITS);
        const scanned = inSlices(slicedScan(text, LIMITS), units);
        expect(scanned.ok && whole.ok).to.equal(true);
        if (!scanned.ok || !whole.ok) return;
        expect(scanned.root).to.deep.equal(whole.root);
        expect(inSlices(slicedValue(scanned.root), units)).to.deep.equal(valueOf(whole.root));
      }),
    );
  });

  it('finds the same fault, wherever a slice ends', () => {
    const texts = [
      '{"a":1,"b":[tru]}',
      '{"a\\n":1,"a\\n":2}',
      '"\\ud83d\\ude00\\ud83d"',
      '{"key',
      '["é\\u00e9',
      '[1,',
      '{"a":{"b":1,"b":2},"a":3}',
      '"a\u0001"',
      '[[1]] 2',
    ];
    for (const text of texts) {
      const whole = inSlices(slicedScan(text, LIMITS), text.length + 1);
      for (let units = 1; units <= text.length; units += 1) {
        expect(inSlices(slicedScan(text, LIMITS), units), `${text} by ${units}`).to.deep.equal(whole);
      }
    }
  });

  it('decodes escapes and pairs that a slice would have cut', () => {
    const text = String.raw`{"k\u00e9y":"\ud83d\ude00 \"x\" ` + '\u{1F600}é' + String.raw`\\"}`;
    for (let units = 1; units <= text.length; units += 1) {
      const scanned = inSlices(slicedScan(text, LIMITS), units);
      expect(scanned.ok && valueOf(scanned.root), String(units)).to.deep.equal(
        new Map([['kéy', '\u{1F600} "x" \u{1F600}é\\']]),
      );
    }
  });
});
