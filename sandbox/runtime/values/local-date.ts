import { civilFromDays, type CivilDate, daysFromCivil, isRealDate, pad } from './calendar.ts';
import { isoYear } from './date.ts';
import { Temporal } from './temporal.ts';

/** Years a date may have, either way. */
export const YEAR_LIMIT = 999_999_999;

/** A java.time.LocalDate. */
export class LocalDate extends Temporal {
  declare readonly date: CivilDate;

  constructor(date: CivilDate) {
    super();
    this.date = date;
  }

  get javaName(): string {
    return 'java.time.LocalDate';
  }

  get epochDay(): number {
    return daysFromCivil(this.date);
  }

  equals(other: unknown): boolean {
    return other instanceof LocalDate && this.compare(other) === 0;
  }

  hash(): number {
    const { year, month, day } = this.date;
    return (year & 0xfffff800) ^ ((year << 11) + (month << 6) + day);
  }

  /** The difference of the years, else of the months, else of the days. */
  compare(other: unknown): number | null {
    if (!(other instanceof LocalDate)) return null;
    const { year, month, day } = this.date;
    return year - other.date.year || month - other.date.month || day - other.date.day;
  }

  display(): string {
    const { year, month, day } = this.date;
    return `${isoYear(year)}-${pad(month, 2)}-${pad(day, 2)}`;
  }

  print(): string {
    return `#object[java.time.LocalDate "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}

/** The date of a day number since 1970-01-01; null beyond the range. */
export function localDateOfDay(days: number): LocalDate | null {
  if (!(Math.abs(days) < 366 * (YEAR_LIMIT + 1))) return null;
  const date = civilFromDays(days);
  return Math.abs(date.year) > YEAR_LIMIT ? null : new LocalDate(date);
}

const DATE_TEXT = /^([+-]\d{4,9}|\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD` of a real date, more than four digits of a year signed; null for anything else. */
export function parseLocalDate(text: string): LocalDate | null {
  const found = DATE_TEXT.exec(text);
  if (found === null) return null;
  const [, yearText = '', month, day] = found;
  if (/^\+\d{4}$/.test(yearText) || yearText === '-0000') return null;
  const date = { year: Number(yearText), month: Number(month), day: Number(day) };
  return isRealDate(date) ? new LocalDate(date) : null;
}
