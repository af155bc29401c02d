import { foldInt64 } from './hashing.ts';
import { Temporal } from './temporal.ts';
import { civilFromDays, pad } from './calendar.ts';

const DAY = 86_400_000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A java.util.Date: milliseconds since 1970, UTC. */
export class JavaDate extends Temporal {
  declare readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }

  get javaName(): string {
    return 'java.util.Date';
  }

  equals(other: unknown): boolean {
    return other instanceof JavaDate && other.ms === this.ms;
  }

  hash(): number {
    return foldInt64(BigInt(this.ms));
  }

  compare(other: unknown): number | null {
    if (!(other instanceof JavaDate)) return null;
    return this.ms === other.ms ? 0 : this.ms < other.ms ? -1 : 1;
  }

  display(): string {
    const days = Math.floor(this.ms / DAY);
    const { year, month, day } = civilFromDays(days);
    const weekday = WEEKDAYS[(((days + 4) % 7) + 7) % 7] ?? '';
    return `${weekday} ${MONTHS[month - 1] ?? ''} ${pad(day, 2)} ${clock(this.ms)} UTC ${pad(Math.abs(year), 4)}`;
  }

  print(): string {
    const { year, month, day } = civilFromDays(Math.floor(this.ms / DAY));
    const millis = pad(((this.ms % 1000) + 1000) % 1000, 3);
    return `#inst "${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock(this.ms)}.${millis}-00:00"`;
  }

  json(): string {
    return isoInstant(Math.floor(this.ms / 1000), (((this.ms % 1000) + 1000) % 1000) * 1_000_000);
  }
}

/** `hh:mm:ss` of a time in milliseconds. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const second = ((seconds % 86400) + 86400) % 86400;
  return `${pad(Math.floor(second / 3600), 2)}:${pad(Math.floor(second / 60) % 60, 2)}:${pad(second % 60, 2)}`;
}

/** Text of a point in time: UTC, fraction of 0, 3, 6 or 9 digits, `Z`. */
export function isoInstant(seconds: number, nanos: number): string {
  const { year, month, day } = civilFromDays(Math.floor(seconds / 86400));
  const text = `${isoYear(year)}-${pad(month, 2)}-${pad(day, 2)}T${clock(seconds * 1000)}`;
  return `${text}${fraction(nanos)}Z`;
}

/** A fraction of a second: nothing, or a point and 3, 6 or 9 digits. */
export function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = pad(nanos, 9);
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return nanos % 1000 === 0 ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** A year in ISO text: four digits, signed beyond. */
export function isoYear(year: number): string {
  if (year > 9999) return `+${year}`;
  return year < 0 ? `-${pad(-year, 4)}` : pad(year, 4);
}
