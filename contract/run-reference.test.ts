import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { isRunReference, newRunReference } from './run-reference.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function fromBytes(bytes: readonly number[]): string {
  return newRunReference((target) => target.set(bytes));
}

describe('run references (runtime.md §2)', () => {
  const last = [...Array.from({ length: 15 }, () => 0), 31];
  const cases: readonly (readonly [readonly number[], string])[] = [
    [Array.from({ length: 16 }, () => 0), `cmd-${'0'.repeat(26)}`],
    [Array.from({ length: 16 }, () => 0xff), `cmd-7${'z'.repeat(25)}`],
    [last, `cmd-${'0'.repeat(25)}z`],
    [[0x20, ...Array.from({ length: 15 }, () => 0)], `cmd-1${'0'.repeat(25)}`],
  ];
  for (const [bytes, reference] of cases) {
    it(reference, () => {
      expect(fromBytes(bytes)).to.equal(reference);
    });
  }

  it('spell the random number, most significant group first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 16, maxLength: 16 }), (bytes) => {
        const reference = fromBytes(bytes);
        expect(isRunReference(reference)).to.equal(true);
        const number = Array.from(reference.slice(4)).reduce(
          (sum, symbol) => sum * 32n + BigInt(ALPHABET.indexOf(symbol)),
          0n,
        );
        expect(number.toString(16).padStart(32, '0')).to.equal(Buffer.from(bytes).toString('hex'));
      }),
    );
  });

  it('are zeros without entropy, also when it fails half-way', () => {
    const zeros = `cmd-${'0'.repeat(26)}`;
    expect(
      newRunReference((bytes) => {
        bytes.fill(7, 0, 8);
        throw new Error('no entropy');
      }),
    ).to.equal(zeros);
  });

  it('differ from each other', () => {
    const references = new Set(Array.from({ length: 1000 }, () => newRunReference(randomFillSync)));
    expect(references.size).to.equal(1000);
  });

  it('are recognised exactly', () => {
    const reference = newRunReference(randomFillSync);
    expect(isRunReference(reference)).to.equal(true);
    for (const other of [
      '',
      reference.toUpperCase(),
      ` ${reference}`,
      `${reference}\n`,
      `${reference}0`,
      reference.slice(0, -1),
      `cmd-8${'0'.repeat(25)}`,
      `cmd-0${'i'.repeat(25)}`,
      null,
      undefined,
      [reference],
    ]) {
      expect(isRunReference(other)).to.equal(false);
    }
  });
});
