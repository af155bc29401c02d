import { wrongArgument, wrongType } from '../errors.ts';
import { integer, isInteger } from '../values/double.ts';

/** Bit operations of functions.md §2: 64-bit two's complement, signed results, counts modulo 64. */

function bits(operation: string, position: number, value: unknown): bigint {
  if (isInteger(value)) {
    const wide = BigInt(value);
    if (BigInt.asIntN(64, wide) === wide) return wide;
  }
  if (value === null) throw wrongType(operation, position, 'a 64-bit integer', value);
  throw wrongArgument(operation, position, 'a 64-bit integer', value);
}

function isSmall(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

function signed(value: bigint): number | bigint {
  return integer(BigInt.asIntN(64, value));
}

export function bitAnd(a: unknown, b: unknown): number | bigint {
  if (isSmall(a) && isSmall(b)) return a & b;
  return signed(bits('bit-and', 1, a) & bits('bit-and', 2, b));
}

export function bitOr(a: unknown, b: unknown): number | bigint {
  if (isSmall(a) && isSmall(b)) return a | b;
  return signed(bits('bit-or', 1, a) | bits('bit-or', 2, b));
}

export function bitXor(a: unknown, b: unknown): number | bigint {
  if (isSmall(a) && isSmall(b)) return a ^ b;
  return signed(bits('bit-xor', 1, a) ^ bits('bit-xor', 2, b));
}

export function bitAndNot(a: unknown, b: unknown): number | bigint {
  if (isSmall(a) && isSmall(b)) return a & ~b;
  return signed(bits('bit-and-not', 1, a) & ~bits('bit-and-not', 2, b));
}

export function bitNot(a: unknown): number | bigint {
  return isSmall(a) ? ~a : signed(~bits('bit-not', 1, a));
}

function shiftCount(operation: string, count: unknown): bigint {
  return bits(operation, 2, count) & 63n;
}

export function bitShiftLeft(a: unknown, count: unknown): number | bigint {
  if (isSmall(a) && isSmall(count) && count >= 0 && count < 21) return a * 2 ** count;
  return signed(bits('bit-shift-left', 1, a) << shiftCount('bit-shift-left', count));
}

export function bitShiftRight(a: unknown, count: unknown): number | bigint {
  if (isSmall(a) && isSmall(count) && count >= 0 && count < 32) return a >> count;
  return signed(bits('bit-shift-right', 1, a) >> shiftCount('bit-shift-right', count));
}

export function unsignedShiftRight(a: unknown, count: unknown): number | bigint {
  const value = BigInt.asUintN(64, bits('unsigned-bit-shift-right', 1, a));
  return signed(value >> shiftCount('unsigned-bit-shift-right', count));
}

export function bitSet(a: unknown, index: unknown): number | bigint {
  return signed(bits('bit-set', 1, a) | (1n << shiftCount('bit-set', index)));
}

export function bitClear(a: unknown, index: unknown): number | bigint {
  return signed(bits('bit-clear', 1, a) & ~(1n << shiftCount('bit-clear', index)));
}

export function bitFlip(a: unknown, index: unknown): number | bigint {
  return signed(bits('bit-flip', 1, a) ^ (1n << shiftCount('bit-flip', index)));
}

export function bitTest(a: unknown, index: unknown): boolean {
  return (bits('bit-test', 1, a) & (1n << shiftCount('bit-test', index))) !== 0n;
}
