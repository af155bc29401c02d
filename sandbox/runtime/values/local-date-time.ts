import { type LocalDate, parseLocalDate } from './local-date.ts';
import { type LocalTime, parseLocalTime } from './local-time.ts';
import { Temporal } from './temporal.ts';

/** A java.time.LocalDateTime: a date and a time of day without a zone. */
export class LocalDateTime extends Temporal {
  declare readonly day: LocalDate;
  declare readonly time: LocalTime;

  constructor(day: LocalDate, time: LocalTime) {
    super();
    this.day = day;
    this.time = time;
  }

  get javaName(): string {
    return 'java.time.LocalDateTime';
  }

  equals(other: unknown): boolean {
    return other instanceof LocalDateTime && this.day.equals(other.day) && this.time.equals(other.time);
  }

  hash(): number {
    return this.day.hash() ^ this.time.hash();
  }

  compare(other: unknown): number | null {
    if (!(other instanceof LocalDateTime)) return null;
    const byDay = this.day.compare(other.day);
    return byDay === 0 ? this.time.compare(other.time) : byDay;
  }

  display(): string {
    return `${this.day.display()}T${this.time.display()}`;
  }

  print(): string {
    return `#object[java.time.LocalDateTime "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}

/** A date and a time with `T` between them; null for anything else. */
export function parseLocalDateTime(text: string): LocalDateTime | null {
  const at = text.search(/[Tt]/);
  if (at < 0) return null;
  const day = parseLocalDate(text.slice(0, at));
  const time = parseLocalTime(text.slice(at + 1));
  return day === null || time === null ? null : new LocalDateTime(day, time);
}
