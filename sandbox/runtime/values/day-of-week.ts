import { polynomialHash } from './hashing.ts';
import { Temporal } from './temporal.ts';

const NAMES = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

/** A java.time.DayOfWeek: 1 is Monday. */
export class DayOfWeek extends Temporal {
  declare readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  get javaName(): string {
    return 'java.time.DayOfWeek';
  }

  equals(other: unknown): boolean {
    return other instanceof DayOfWeek && other.value === this.value;
  }

  hash(): number {
    return polynomialHash(this.display());
  }

  compare(other: unknown): number | null {
    return other instanceof DayOfWeek ? this.value - other.value : null;
  }

  display(): string {
    return NAMES[this.value - 1] ?? '';
  }

  print(): string {
    return `#object[java.time.DayOfWeek "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}

/** The day of a day number since 1970-01-01, which was a Thursday. */
export function dayOfWeek(epochDay: number): DayOfWeek {
  return new DayOfWeek(((((epochDay + 3) % 7) + 7) % 7) + 1);
}
