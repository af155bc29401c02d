import { expect } from 'chai';
import { readSignature, signatureText } from './signature.ts';

/** Text and its canonical form (language.md §15). */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['(a :int, b [:string]) -> {x :float?}', '(a :int, b [:string]) -> {x :float?}'],
  ['( a\t:boolean ,b  {c :map , d [[:any?]]?}? )->:datetime?', '(a :bool, b {c :map, d [[:any?]]?}?) -> :datetime?'],
  [':string', '() -> :string'],
  ['-> {}', '() -> {}'],
  ['() -> :keyword', '() -> :keyword'],
];

const INVALID: readonly string[] = [
  '',
  ' ',
  '()',
  '() ->',
  '[] ',
  '[:int',
  '[:int :int]',
  '{a}',
  '{a :int,}',
  '(a :int,) -> :int',
  '(a) -> :int',
  '(a :int) :int',
  ':integer',
  ': int',
  ':int ?',
  ':int??',
  ':int :int',
  '(1a :int) -> :int',
  '(a-b :int, a_b :int) -> :int',
  '{a :int, a :int}',
  `${'['.repeat(100)}:int${']'.repeat(100)}`,
];

describe('signatures', () => {
  for (const [text, canonical] of SIGNATURES) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const reading = readSignature(text);
      expect(reading.ok && signatureText(reading.signature)).to.equal(canonical);
      const again = readSignature(canonical);
      expect(again.ok && signatureText(again.signature)).to.equal(canonical);
    });
  }

  for (const text of INVALID) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(readSignature(text).ok).to.equal(false);
    });
  }
});
