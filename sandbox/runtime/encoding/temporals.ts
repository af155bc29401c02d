import { JavaDate } from '../values/date.ts';
import { DayOfWeek } from '../values/day-of-week.ts';
import { Duration } from '../values/duration.ts';
import { Instant } from '../values/instant.ts';
import { LocalDate } from '../values/local-date.ts';
import { LocalDateTime } from '../values/local-date-time.ts';
import { LocalTime } from '../values/local-time.ts';
import { Period } from '../values/period.ts';
import type { Temporal } from '../values/temporal.ts';
import { Uuid } from '../values/uuid.ts';
import type { TextReader } from './text-reader.ts';

/** A kind of date or time: its letter, how many numbers it is written as, and both ways. */
interface Kind {
  readonly size: number;
  readonly numbers: (value: Temporal) => readonly (number | bigint)[] | null;
  readonly make: (numbers: readonly (number | bigint)[]) => Temporal;
}

function dateNumbers({ date: { year, month, day } }: LocalDate): number[] {
  return [year, month, day];
}

function localDate([year = 0, month = 0, day = 0]: readonly (number | bigint)[]): LocalDate {
  return new LocalDate({ year: Number(year), month: Number(month), day: Number(day) });
}

const KINDS: Readonly<Record<string, Kind>> = {
  d: {
    size: 1,
    numbers: (value) => (value instanceof JavaDate ? [value.ms] : null),
    make: ([ms]) => new JavaDate(Number(ms)),
  },
  i: {
    size: 2,
    numbers: (value) => (value instanceof Instant ? [value.seconds, value.nanos] : null),
    make: ([seconds, nanos]) => new Instant(Number(seconds), Number(nanos)),
  },
  l: { size: 3, numbers: (value) => (value instanceof LocalDate ? dateNumbers(value) : null), make: localDate },
  h: {
    size: 1,
    numbers: (value) => (value instanceof LocalTime ? [value.nanoOfDay] : null),
    make: ([nanos]) => new LocalTime(Number(nanos)),
  },
  L: {
    size: 4,
    numbers: (value) => (value instanceof LocalDateTime ? [...dateNumbers(value.day), value.time.nanoOfDay] : null),
    make: (numbers) => new LocalDateTime(localDate(numbers), new LocalTime(Number(numbers[3]))),
  },
  D: {
    size: 2,
    numbers: (value) => (value instanceof Duration ? [value.seconds, value.nanos] : null),
    make: ([seconds = 0, nanos]) => new Duration(BigInt(seconds), Number(nanos)),
  },
  P: {
    size: 3,
    numbers: (value) => (value instanceof Period ? [value.years, value.months, value.days] : null),
    make: ([years, months, days]) => new Period(Number(years), Number(months), Number(days)),
  },
  w: {
    size: 1,
    numbers: (value) => (value instanceof DayOfWeek ? [value.value] : null),
    make: ([day]) => new DayOfWeek(Number(day)),
  },
};

/** Letter of a UUID, whose 32 digits are behind it. */
const UUID = 'u';
const UUID_DIGITS = 32;
const GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** What is behind the tag of dates and times: a letter, and numbers or digits. */
export function temporalText(value: Temporal): string {
  if (value instanceof Uuid) return UUID + value.text.replaceAll('-', '');
  for (const [letter, { numbers }] of Object.entries(KINDS)) {
    const found = numbers(value);
    if (found !== null) return letter + found.map((number) => `${number},`).join('');
  }
  throw new TypeError('a date or time of no known kind');
}

/** Reads what `temporalText` wrote; null for a letter of no kind. */
export function readTemporal(reader: TextReader): Temporal | null {
  const letter = reader.unit();
  if (letter === UUID) {
    const groups = GROUPS.exec(reader.take(UUID_DIGITS));
    return groups === null || /[^0-9a-f]/.test(groups[0]) ? null : new Uuid(groups.slice(1).join('-'));
  }
  const kind = Object.hasOwn(KINDS, letter) ? KINDS[letter] : undefined;
  if (kind === undefined) return null;
  const numbers: (number | bigint)[] = [];
  for (let left = kind.size; left > 0; left -= 1) numbers.push(reader.integer());
  return kind.make(numbers);
}
