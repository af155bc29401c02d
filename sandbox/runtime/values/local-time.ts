import { pad } from './calendar.ts';
import { fraction } from './date.ts';
import { foldInt64 } from './hashing.ts';
import { Temporal } from './temporal.ts';

const NANOS = 1_000_000_000;

/** A java.time.LocalTime: nanoseconds since midnight, below 86,400 seconds. */
export class LocalTime extends Temporal {
  declare readonly nanoOfDay: number;

  constructor(nanoOfDay: number) {
    super();
    this.nanoOfDay = nanoOfDay;
  }

  get javaName(): string {
    return 'java.time.LocalTime';
  }

  get secondOfDay(): number {
    return Math.floor(this.nanoOfDay / NANOS);
  }

  get hour(): number {
    return Math.floor(this.secondOfDay / 3600);
  }

  get minute(): number {
    return Math.floor(this.secondOfDay / 60) % 60;
  }

  get second(): number {
    return this.secondOfDay % 60;
  }

  get nano(): number {
    return this.nanoOfDay % NANOS;
  }

  equals(other: unknown): boolean {
    return other instanceof LocalTime && other.nanoOfDay === this.nanoOfDay;
  }

  hash(): number {
    return foldInt64(BigInt(this.nanoOfDay));
  }

  compare(other: unknown): number | null {
    return other instanceof LocalTime ? Math.sign(this.nanoOfDay - other.nanoOfDay) : null;
  }

  /** Seconds are left out when they and their fraction are zero. */
  display(): string {
    const minutes = `${pad(this.hour, 2)}:${pad(this.minute, 2)}`;
    return this.nanoOfDay % (60 * NANOS) === 0 ? minutes : `${minutes}:${pad(this.second, 2)}${fraction(this.nano)}`;
  }

  print(): string {
    return `#object[java.time.LocalTime "${this.display()}"]`;
  }

  json(): string {
    return this.display();
  }
}

/** The time of an hour, a minute, a second and nanoseconds; null where one is out of range. */
export function localTime(hour: number, minute: number, second: number, nano: number): LocalTime | null {
  const within = (value: number, bound: number): boolean => Number.isInteger(value) && value >= 0 && value < bound;
  if (!within(hour, 24) || !within(minute, 60) || !within(second, 60) || !within(nano, NANOS)) return null;
  return new LocalTime((hour * 3600 + minute * 60 + second) * NANOS + nano);
}

const TIME_TEXT = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/** `hh:mm[:ss[.f]]`; null for anything else. */
export function parseLocalTime(text: string): LocalTime | null {
  const found = TIME_TEXT.exec(text);
  if (found === null) return null;
  const [, hour, minute, second = '0', part = ''] = found;
  return localTime(Number(hour), Number(minute), Number(second), Number(part.padEnd(9, '0')));
}
