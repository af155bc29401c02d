import { expect } from 'chai';
import { jsonFromPlain, plainFromJson } from '../json/plain.ts';
import * as fc from 'fast-check';
import { arbitraryJson } from '../json/arbitrary-json.ts';
import { doAll, type Sliced } from '../json/sliced.ts';
import { isJsonArray, isJsonFloat, isJsonObject, type JsonValue } from '../json/value.ts';
import { ANSWER_SECRET_BYTES, Scrubber, secretTexts } from './scrubber.ts';
import { slicedScrub } from './sliced-scrub.ts';

const SECRET = 'sk-a"b/c+d ÿ\n1';
const bytes = Buffer.from(SECRET);

describe('what servers say, without credentials (providers.md §5.6)', () => {
  const scrubber = new Scrubber([SECRET]);
  const forms: Readonly<Record<string, string>> = {
    'as it is': SECRET,
    'in JSON': JSON.stringify(SECRET).slice(1, -1),
    'in JSON within JSON': JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1),
    'in a URL': encodeURIComponent(SECRET),
    'in a form': new URLSearchParams([['', SECRET]]).toString().slice(1),
    'in hex': bytes.toString('hex'),
    'in capital hex': bytes.toString('hex').toUpperCase(),
    'in base64': bytes.toString('base64'),
    'in base64 for URLs': bytes.toString('base64url'),
  };
  for (const [what, form] of Object.entries(forms)) {
    it(`${what}: none is left, once or twice`, () => {
      expect(scrubber.text(form)).to.equal('[redacted]');
      expect(scrubber.text(`key ${form}, ${form}.`)).to.equal('key [redacted], [redacted].');
    });
  }

  for (const before of ['', 'u', 'us', 'user:']) {
    it(`in base64 behind ${before.length} bytes: none is left`, () => {
      const text = Buffer.from(`${before}${SECRET}`).toString('base64');
      const left = scrubber.text(text);
      expect(left).to.include('[redacted]');
      expect(Buffer.from(left.replace('[redacted]', ''), 'base64').toString()).not.to.include(SECRET.slice(1, 5));
    });
  }

  for (const [text, asBeginning, asEnd] of [
    ['say sesame-open-sesa', 'say [redacted]', 'say sesame-open-sesa'],
    ['me-open-sesame, please', 'me-open-sesame, please', '[redacted], please'],
    ['sesame-open-sesame', '[redacted]', '[redacted]'],
    ['say ses', 'say ses', 'say ses'],
  ] as const)
    it(`what is cut loses the part of a credential at the cut: ${text}`, () => {
      const scrubber = new Scrubber(['sesame-open-sesame']);
      expect(scrubber.beginningText(text)).to.equal(asBeginning);
      expect(scrubber.endText(text)).to.equal(asEnd);
    });

  it('two that overlap leave nothing of either', () => {
    expect(new Scrubber(['abcdefgh', 'efghijkl', 'cdef']).text('-abcdefghijkl-')).to.equal('-[redacted]-');
    expect(new Scrubber(['abcdefgh', 'ijklmnop']).text('abcdefghijklmnop!')).to.equal('[redacted][redacted]!');
  });

  for (const [length, isLeft] of [
    [ANSWER_SECRET_BYTES - 1, true],
    [ANSWER_SECRET_BYTES, false],
    [ANSWER_SECRET_BYTES + 1, false],
  ] as const) {
    it(`of ${length} bytes is ${isLeft ? '' : 'not '}left in answers`, () => {
      const secret = 'abcdefghij'.slice(0, length);
      expect(new Scrubber([secret], ANSWER_SECRET_BYTES).text(`= ${secret}`)).to.equal(
        isLeft ? `= ${secret}` : '= [redacted]',
      );
    });
  }

  it('values are scrubbed at any depth: keys, texts and numbers', () => {
    const input = jsonFromPlain({ a: ['x', `say ${SECRET}`, { [SECRET]: true }], n: 12_345_678, f: 0.5, none: null });
    if (input === undefined) throw new Error('this is JSON');
    const numbers = new Scrubber([SECRET, '12345678']);
    expect(plainFromJson(doAll(slicedScrub(numbers, input)))).to.deep.equal({
      a: ['x', 'say [redacted]', { '[redacted]': true }],
      n: '[redacted]',
      f: 0.5,
      none: null,
    });
    const clean = jsonFromPlain({ a: ['x', { b: 12_345_679 }] });
    if (clean === undefined) throw new Error('this is JSON');
    expect(doAll(slicedScrub(numbers, clean)), 'the very same').to.equal(clean);
  });

  it('without credentials nothing is changed', () => {
    expect(new Scrubber([]).text('anything at all')).to.equal('anything at all');
    expect(new Scrubber(['', 'abc']).text('abc and abc')).to.equal('abc and abc');
  });

  it('a pair of keys is repeated whole or in its parts', () => {
    const pair = 'AKIAABCDEFGHIJKLMNOP:secret/part+more';
    expect(new Scrubber(secretTexts(pair)).text('AKIAABCDEFGHIJKLMNOP and secret/part+more')).to.equal(
      '[redacted] and [redacted]',
    );
    expect(secretTexts('user:password')).to.deep.equal(['user:password']);
  });
});

describe('credentials taken out of long answers, in slices', () => {
  const scrubber = new Scrubber([SECRET, '12345678', 'aaaa']);

  function inSlices<T>(work: Sliced<T>, units: number): { readonly result: T; readonly slices: number } {
    for (let slices = 1; ; slices += 1) {
      const done = work.advance(units);
      if (done !== null) return { ...done, slices };
    }
  }

  it('no text is passed in larger pieces than a slice', () => {
    for (const [units, slices] of [
      [1001, 1],
      [1000, 1],
      [999, 2],
      [100, 10],
      [99, 11],
    ] as const) {
      const text = 'x'.repeat(1000);
      expect(inSlices(scrubber.slicedText(text), units), String(units)).to.deep.equal({ result: text, slices });
    }
  });

  it('a slice has as many items, keys and units of text as it may', () => {
    const items = Array.from({ length: 1000 }, () => true);
    const object = new Map(items.map((item, index) => [String(index).padStart(3, '0'), item]));
    const texts = Array.from({ length: 100 }, () => 'x'.repeat(99));
    const rows: readonly (readonly [JsonValue, number])[] = [
      [items, 1000],
      [object, 5000],
      [texts, 10_000],
      [['x'.repeat(10_000)], 10_000],
      [[items, items], 2000],
    ];
    for (const [value, work] of rows) {
      const { result, slices } = inSlices(slicedScrub(scrubber, value), 100);
      expect(result).to.equal(value);
      expect(slices).to.be.within(work / 100, work / 100 + 1);
    }
  });

  it('an object that changed is made again in as many slices as its members need', () => {
    const object = new Map(Array.from({ length: 1000 }, (_, index) => [`k${1000 + index}`, SECRET]));
    const { result, slices } = inSlices(slicedScrub(scrubber, object), 100);
    expect(result).to.deep.equal(new Map([...object.keys()].map((key) => [key, '[redacted]'])));
    const scrubbing = 1000 * (2 + 'k1000'.length + SECRET.length);
    expect(slices).to.be.within((scrubbing + 1000) / 100, (scrubbing + 1000) / 100 + 2);
  });

  it('what a slice would have cut is found', () => {
    const text = `say ${SECRET}${SECRET}, 12345678aaaaaa`;
    for (let units = 1; units <= text.length; units += 1) {
      expect(inSlices(scrubber.slicedText(text), units).result, String(units)).to.equal(
        'say [redacted][redacted], [redacted][redacted]',
      );
    }
  });

  it('all comes to the same in slices of any size, keys that become one too', () => {
    const secrets = fc.constantFrom<JsonValue>(
      SECRET,
      12_345_678,
      new Map<string, JsonValue>([
        [SECRET, 1],
        ['b', [SECRET]],
        ['12345678', 2],
      ]),
      [[SECRET], 'x'],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(arbitraryJson, secrets)), fc.integer({ min: 1, max: 20 }), (value, units) => {
        expect(inSlices(slicedScrub(scrubber, value), units).result).to.deep.equal(scrubbedAtOnce(scrubber, value));
      }),
    );
  });
});

/** As plainly as it can be said. */
function scrubbedAtOnce(scrubber: Scrubber, value: JsonValue): JsonValue {
  if (typeof value === 'string') return scrubber.text(value);
  if (isJsonArray(value)) return value.map((item) => scrubbedAtOnce(scrubber, item));
  if (isJsonObject(value))
    return new Map([...value].map(([key, member]) => [scrubber.text(key), scrubbedAtOnce(scrubber, member)]));
  const digits = isJsonFloat(value) ? String(value.value) : String(value);
  return scrubber.text(digits) === digits ? value : '[redacted]';
}
