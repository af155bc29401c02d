import { expect } from 'chai';
import { jsonFromPlain, plainFromJson } from '../json/plain.ts';
import { ANSWER_SECRET_BYTES, Scrubber, secretTexts } from './scrubber.ts';

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
    const given = jsonFromPlain({ a: ['x', `say ${SECRET}`, { [SECRET]: true }], n: 12_345_678, f: 0.5, none: null });
    if (given === undefined) throw new Error('this is JSON');
    const numbers = new Scrubber([SECRET, '12345678']);
    expect(plainFromJson(numbers.value(given))).to.deep.equal({
      a: ['x', 'say [redacted]', { '[redacted]': true }],
      n: '[redacted]',
      f: 0.5,
      none: null,
    });
    const clean = jsonFromPlain({ a: ['x', { b: 12_345_679 }] });
    if (clean === undefined) throw new Error('this is JSON');
    expect(numbers.value(clean), 'the very same').to.equal(clean);
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
