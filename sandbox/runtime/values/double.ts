/** A double whose value is integral (or -0.0): boxed so that it stays a double (design.md §2.1). */
export class BoxedDouble {
  declare readonly value: number;
  constructor(value: number) {
    this.value = value;
  }

  get javaName(): string {
    return 'java.lang.Double';
  }
}

/** A 32-bit float, made only by `float`, `unchecked-float` and `Float/…`. */
export class Float32 {
  declare readonly value: number;
  /** Rounds to 32 bits. */
  constructor(value: number) {
    this.value = Math.fround(value);
  }

  get javaName(): string {
    return 'java.lang.Float';
  }
}

/** The double with this value: boxed if integral, else the JavaScript number itself (also NaN and infinities). */
export function double(value: number): number | BoxedDouble {
  return Number.isInteger(value) ? new BoxedDouble(value) : value;
}

/** A JavaScript integer as a language integer: bigints inside the safe range become numbers. */
export function integer(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** True for integers of any size. */
export function isInteger(value: unknown): value is number | bigint {
  return (typeof value === 'number' && Number.isInteger(value)) || typeof value === 'bigint';
}

/** True for 64-bit doubles. */
export function isDouble(value: unknown): value is number | BoxedDouble {
  return (typeof value === 'number' && !Number.isInteger(value)) || value instanceof BoxedDouble;
}

/** True for doubles and 32-bit floats. */
export function isFloating(value: unknown): value is number | BoxedDouble | Float32 {
  return isDouble(value) || value instanceof Float32;
}

export type LispNumber = number | bigint | BoxedDouble | Float32;

export function isNumber(value: unknown): value is LispNumber {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof BoxedDouble || value instanceof Float32
  );
}

/** The nearest JavaScript number of any number value. */
export function toFloat(value: LispNumber): number {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : value.value;
}
