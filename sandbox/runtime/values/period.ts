import { Temporal } from './temporal.ts';

/** A java.time.Period: years, months and days that do not add up to each other. */
export class Period extends Temporal {
  declare readonly years: number;
  declare readonly months: number;
  declare readonly days: number;

  constructor(years: number, months: number, days: number) {
    super();
    this.years = years;
    this.months = months;
    this.days = days;
  }

  get javaName(): string {
    return 'java.time.Period';
  }

  equals(other: unknown): boolean {
    return (
      other instanceof Period && other.years === this.years && other.months === this.months && other.days === this.days
    );
  }

  hash(): number {
    const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
    return (this.years + rotated(this.months, 8) + rotated(this.days, 16)) | 0;
  }

  /** Periods have no order. */
  compare(): null {
    return null;
  }

  display(): string {
    const parts = [
      this.years === 0 ? '' : `${this.years}Y`,
      this.months === 0 ? '' : `${this.months}M`,
      this.days === 0 ? '' : `${this.days}D`,
    ];
    return `P${parts.join('') || '0D'}`;
  }

  print(): string {
    return `#object[java.time.Period "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}
