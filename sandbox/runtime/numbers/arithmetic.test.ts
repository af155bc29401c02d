import { expect } from 'chai';
import fc from 'fast-check';
import { LimitSignal, LispError } from '../errors.ts';
import { BoxedDouble, double, integer, isNumber, toFloat } from '../values/double.ts';
import { add, divide, isLess, mod, multiply, negate, quot, rem, subtract } from './arithmetic.ts';
import { bitAnd, bitNot, bitOr, bitShiftLeft, bitShiftRight, bitXor, unsignedShiftRight } from './bits.ts';
import { parseDouble, parseLong } from './parse.ts';
import { finiteText } from './double-text.ts';

/** Integers around every border: 32 bits, the safe range, 64 bits, beyond. */
const wide = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.integer().map(BigInt),
  fc.maxSafeInteger().map(BigInt),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 31n,
    -(2n ** 31n),
    2n ** 53n,
    2n ** 53n - 1n,
    -(2n ** 53n),
    2n ** 63n,
    -(2n ** 63n),
  ),
);

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (thrown) {
    return thrown;
  }
  return null;
}

function flooredMod(a: bigint, b: bigint): bigint {
  const remainder = a % b;
  return remainder !== 0n && remainder < 0n !== b < 0n ? remainder + b : remainder;
}

describe('integer arithmetic', () => {
  it('is exact at any size (A3)', () => {
    fc.assert(
      fc.property(wide, wide, (a, b) => {
        expect(add(integer(a), integer(b))).to.equal(integer(a + b));
        expect(subtract(integer(a), integer(b))).to.equal(integer(a - b));
        expect(multiply(integer(a), integer(b))).to.equal(integer(a * b));
        expect(negate(integer(a))).to.equal(integer(-a));
        expect(isLess(integer(a), integer(b))).to.equal(a < b);
        if (b === 0n) return;
        expect(quot(integer(a), integer(b))).to.equal(integer(a / b));
        expect(rem(integer(a), integer(b))).to.equal(integer(a % b));
        expect(mod(integer(a), integer(b))).to.equal(integer(flooredMod(a, b)));
      }),
      { numRuns: 2000 },
    );
  });

  it('never gives a negative zero', () => {
    for (const zero of [multiply(0, -5), negate(0), quot(-1, 2), rem(-4, 2), mod(-4, 2), divide(0, -5)]) {
      expect(Object.is(zero, 0)).to.equal(true);
    }
  });

  it('divides exactly where it can and to the nearest double where it cannot (A2)', () => {
    expect(divide(6, 3)).to.equal(2);
    expect(divide(6, 4)).to.equal(1.5);
    expect(divide(1, 3)).to.equal(1 / 3);
    expect(divide(2n ** 80n, 2n ** 70n)).to.equal(1024);
    const quotient = divide(10n ** 40n + 1n, 10n ** 20n);
    expect(isNumber(quotient) && toFloat(quotient)).to.equal(1e20);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        if (b === 0) return;
        const result = divide(a, b);
        expect(isNumber(result) && toFloat(result)).to.equal(a / b + 0);
      }),
    );
  });

  it('refuses integers beyond a million bits before making them (language.md §20)', () => {
    const large = 1n << 999_990n;
    expect(thrownBy(() => multiply(large, large))).to.be.instanceOf(LimitSignal);
    expect(thrownBy(() => add((1n << 999_999n) - 1n, (1n << 999_999n) - 1n))).to.be.instanceOf(LimitSignal);
  });
});

describe('double arithmetic', () => {
  it('keeps the class of integral results', () => {
    expect(add(0.5, 0.5)).to.be.instanceOf(BoxedDouble);
    expect(multiply(double(2), 3)).to.be.instanceOf(BoxedDouble);
    expect(divide(1, double(4))).to.equal(0.25);
  });

  const zeroDivisions: readonly (readonly [string, () => unknown])[] = [
    ['(/ 1 0)', () => divide(1, 0)],
    ['(/ 1.5 0.0)', () => divide(1.5, double(0))],
    ['(mod 5 0.0)', () => mod(5, double(0))],
    ['(quot 5 0)', () => quot(5, 0)],
    ['(rem 5 -0.0)', () => rem(5, double(-0))],
  ];
  for (const [text, action] of zeroDivisions) {
    it(`${text} is Divide by zero`, () => {
      const thrown = thrownBy(action);
      expect(thrown).to.be.instanceOf(LispError);
      expect(thrown).to.include({ reason: 'arithmetic_error', message: 'Divide by zero' });
    });
  }

  it('takes NaN through a division by zero', () => {
    expect(divide(Number.NaN, double(0))).to.satisfy(Number.isNaN);
  });
});

describe('bit operations', () => {
  it("are those of 64-bit two's complement", () => {
    const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const small = fc.integer().map(BigInt);
    fc.assert(
      fc.property(fc.oneof(long, small), fc.oneof(long, small), fc.integer({ min: 0, max: 130 }), (a, b, count) => {
        const signed = (value: bigint): unknown => integer(BigInt.asIntN(64, value));
        expect(bitAnd(integer(a), integer(b))).to.equal(signed(a & b));
        expect(bitOr(integer(a), integer(b))).to.equal(signed(a | b));
        expect(bitXor(integer(a), integer(b))).to.equal(signed(a ^ b));
        expect(bitNot(integer(a))).to.equal(signed(~a));
        const shift = BigInt(count % 64);
        expect(bitShiftLeft(integer(a), count)).to.equal(signed(a << shift));
        expect(bitShiftRight(integer(a), count)).to.equal(signed(a >> shift));
        expect(unsignedShiftRight(integer(a), count)).to.equal(signed(BigInt.asUintN(64, a) >> shift));
      }),
    );
  });
});

describe('numbers as text', () => {
  const layouts: readonly (readonly [number, string])[] = [
    [100, '100.0'],
    [0.001, '0.001'],
    [1e-4, '1.0E-4'],
    [123456.789, '123456.789'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [12345678.9, '1.23456789E7'],
    [1e21, '1.0E21'],
    [-0, '-0.0'],
    [5e-324, '4.9E-324'],
    [2e-323, '2.0E-323'],
    [1.7976931348623157e308, '1.7976931348623157E308'],
  ];
  for (const [value, text] of layouts) {
    it(`lays out ${text} (language.md §18)`, () => {
      expect(finiteText(value)).to.equal(text);
    });
  }

  it('reads back what it lays out', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(parseDouble(finiteText(value)), value)).to.equal(true);
      }),
    );
  });

  it('reads hexadecimal floats, rounding once', () => {
    expect(parseDouble('0x1p3')).to.equal(8);
    expect(parseDouble('-0x1.8p1f')).to.equal(-3);
    expect(parseDouble('0x1.fffffffffffff8p1023')).to.equal(Number.POSITIVE_INFINITY);
    expect(parseDouble('0x1p-1074')).to.equal(5e-324);
    expect(parseDouble('0x1p-1075')).to.equal(0);
    expect(parseDouble('0x.p1')).to.equal(null);
  });

  it('reads 64-bit integers in digits of any script, and nothing else', () => {
    expect(parseLong('9223372036854775807')).to.equal(9223372036854775807n);
    expect(parseLong('9223372036854775808')).to.equal(null);
    expect(parseLong('+5')).to.equal(5n);
    expect(parseLong('٣٤')).to.equal(34n);
    for (const bad of ['', '-', ' 1', '1 ', '1.0', '1N', '0x1', '--1']) expect(parseLong(bad)).to.equal(null);
  });
});
