import { LispError } from '../errors.ts';
import { JavaDate } from '../values/date.ts';
import { daysInMonth, daysFromCivil, isLeapYear } from '../values/calendar.ts';
import { integer } from '../values/double.ts';
import { Duration } from '../values/duration.ts';
import { Instant } from '../values/instant.ts';
import { instantOf, parseInstant } from '../values/instant-text.ts';
import { LocalDate, localDateOfDay, YEAR_LIMIT } from '../values/local-date.ts';
import { DayOfWeek, dayOfWeek } from '../values/day-of-week.ts';
import {
  DATE_TIME,
  fixedMember,
  inRange,
  method,
  parsed,
  timeTypeFault,
  wholeNumber,
  beyond,
  type TimeMember,
  type TimeMethod,
} from './time-member.ts';

const NANOS = 1_000_000_000n;

export function dateOf(what: string, value: unknown): LocalDate {
  if (value instanceof LocalDate) return value;
  throw timeTypeFault(what, 'a LocalDate', value);
}

function pointOf(what: string, value: unknown): Instant {
  if (value instanceof Instant) return value;
  throw timeTypeFault(what, 'an Instant', value);
}

function spanOf(what: string, value: unknown): Duration {
  if (value instanceof Duration) return value;
  throw timeTypeFault(what, 'a Duration', value);
}

export function plusDays(what: string, date: LocalDate, days: bigint): LocalDate {
  return inRange(what, localDateOfDay(date.epochDay + Number(days)));
}

/** Months later, the day cut to the end of a shorter month. */
export function plusMonths(what: string, date: LocalDate, months: bigint): LocalDate {
  const { year, month, day } = date.date;
  const total = BigInt(year) * 12n + BigInt(month - 1) + months;
  const index = Number(((total % 12n) + 12n) % 12n);
  const newYear = Number((total - BigInt(index)) / 12n);
  if (Math.abs(newYear) > YEAR_LIMIT) throw beyond(what);
  return new LocalDate({ year: newYear, month: index + 1, day: Math.min(day, daysInMonth(newYear, index + 1)) });
}

export function localDate(year: bigint, month: bigint, day: bigint): LocalDate {
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const exists = Math.abs(date.year) <= YEAR_LIMIT && date.month >= 1 && date.month <= 12 && date.day >= 1;
  if (!exists || date.day > daysInMonth(date.year, date.month)) {
    throw new LispError('java_domain_error', DATE_TIME, `Invalid date ${year}-${month}-${day}`);
  }
  return new LocalDate(date);
}

function duration(nanos: bigint): Duration {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  const seconds = (nanos - rest) / NANOS;
  if (BigInt.asIntN(64, seconds) !== seconds) {
    throw new LispError('java_domain_error', 'java.lang.ArithmeticException', 'long overflow');
  }
  return new Duration(seconds, Number(rest));
}

function nanosOf(span: Duration): bigint {
  return span.seconds * NANOS + BigInt(span.nanos);
}

export function instantNanos(point: Instant): bigint {
  return BigInt(point.seconds) * NANOS + BigInt(point.nanos);
}

export function instant(what: string, nanos: bigint): Instant {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  return inRange(what, instantOf(Number((nanos - rest) / NANOS), Number(rest)));
}

function floorDiv(a: bigint, b: bigint): bigint {
  return (a - (((a % b) + b) % b)) / b;
}

/** `Duration/ofX` of a unit in nanoseconds. */
function durationOf(name: string, unit: bigint): readonly [string, TimeMember] {
  return fixedMember(`Duration/${name}`, [1], ([n]) => duration(wholeNumber(`Duration/${name}`, n) * unit));
}

const SECOND = NANOS;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const MILLISECOND = 1_000_000n;

/** Static members by `CLASS/NAME`. */
export const TIME_STATICS: readonly (readonly [string, TimeMember])[] = [
  fixedMember('LocalDate/of', [3], ([year, month, day]) =>
    localDate(wholeNumber('LocalDate/of', year), wholeNumber('LocalDate/of', month), wholeNumber('LocalDate/of', day)),
  ),
  fixedMember('LocalDate/ofEpochDay', [1], ([days]) =>
    inRange('LocalDate/ofEpochDay', localDateOfDay(Number(wholeNumber('LocalDate/ofEpochDay', days)))),
  ),
  fixedMember('Instant/parse', [1], ([text]) => parsed('Instant/parse', text, parseInstant)),
  fixedMember('Instant/ofEpochMilli', [1], ([ms]) =>
    instant('Instant/ofEpochMilli', wholeNumber('Instant/ofEpochMilli', ms) * MILLISECOND),
  ),
  fixedMember('Instant/ofEpochSecond', [1, 2], ([seconds, nanos = 0]) =>
    instant(
      'Instant/ofEpochSecond',
      wholeNumber('Instant/ofEpochSecond', seconds) * SECOND + wholeNumber('Instant/ofEpochSecond', nanos),
    ),
  ),
  fixedMember('Duration/between', [2], ([from, to]) =>
    duration(instantNanos(pointOf('Duration/between', to)) - instantNanos(pointOf('Duration/between', from))),
  ),
  durationOf('ofDays', DAY),
  durationOf('ofHours', HOUR),
  durationOf('ofMinutes', MINUTE),
  durationOf('ofSeconds', SECOND),
  durationOf('ofMillis', MILLISECOND),
];

function onDate(
  name: string,
  count: number,
  call: (self: LocalDate, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  return method(name, [count], dateOf, (value) => value instanceof LocalDate, call);
}

function onInstant(
  name: string,
  count: number,
  call: (self: Instant, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  return method(name, [count], pointOf, (value) => value instanceof Instant, call);
}

function onDuration(
  name: string,
  count: number,
  call: (self: Duration, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  return method(name, [count], spanOf, (value) => value instanceof Duration, call);
}

/** `.plusX` and `.minusX` of a date by a unit of days or months. */
function datePlus(suffix: string, unit: 'days' | 'months', size: bigint): (readonly [string, TimeMethod])[] {
  const step = unit === 'days' ? plusDays : plusMonths;
  return [
    onDate(`plus${suffix}`, 1, (self, [n], what) => step(what, self, wholeNumber(what, n) * size)),
    onDate(`minus${suffix}`, 1, (self, [n], what) => step(what, self, wholeNumber(what, n) * -size)),
  ];
}

function instantPlus(suffix: string, unit: bigint): (readonly [string, TimeMethod])[] {
  return [
    onInstant(`plus${suffix}`, 1, (self, [n], what) => instant(what, instantNanos(self) + wholeNumber(what, n) * unit)),
    onInstant(`minus${suffix}`, 1, (self, [n], what) =>
      instant(what, instantNanos(self) - wholeNumber(what, n) * unit),
    ),
  ];
}

const compareDates = (self: LocalDate, other: unknown, what: string): number => self.compare(dateOf(what, other)) ?? 0;
const compareInstants = (self: Instant, other: unknown, what: string): number =>
  self.compare(pointOf(what, other)) ?? 0;

/** Methods by name; one name may mean several classes. */
export const TIME_METHODS: readonly (readonly [string, TimeMethod])[] = [
  onDate('toEpochDay', 0, (self) => self.epochDay),
  ...datePlus('Days', 'days', 1n),
  ...datePlus('Weeks', 'days', 7n),
  ...datePlus('Months', 'months', 1n),
  ...datePlus('Years', 'months', 12n),
  onDate('isBefore', 1, (self, [other], what) => compareDates(self, other, what) < 0),
  onDate('isAfter', 1, (self, [other], what) => compareDates(self, other, what) > 0),
  onDate('compareTo', 1, (self, [other], what) => compareDates(self, other, what)),
  onDate('getYear', 0, (self) => self.date.year),
  onDate('getMonthValue', 0, (self) => self.date.month),
  onDate('getDayOfMonth', 0, (self) => self.date.day),
  onDate('getDayOfYear', 0, (self) => self.epochDay - daysFromCivil({ ...self.date, month: 1, day: 1 }) + 1),
  onDate('getDayOfWeek', 0, (self) => dayOfWeek(self.epochDay)),
  onDate('lengthOfMonth', 0, (self) => daysInMonth(self.date.year, self.date.month)),
  onDate('isLeapYear', 0, (self) => isLeapYear(self.date.year)),
  onDate('withDayOfMonth', 1, (self, [day], what) =>
    localDate(BigInt(self.date.year), BigInt(self.date.month), wholeNumber(what, day)),
  ),
  method(
    'getValue',
    [0],
    dayOf,
    (value) => value instanceof DayOfWeek,
    (self) => self.value,
  ),
  onInstant('toEpochMilli', 0, (self) => integer(floorDiv(instantNanos(self), MILLISECOND))),
  onInstant('getEpochSecond', 0, (self) => self.seconds),
  onInstant('isBefore', 1, (self, [other], what) => compareInstants(self, other, what) < 0),
  onInstant('isAfter', 1, (self, [other], what) => compareInstants(self, other, what) > 0),
  onInstant('compareTo', 1, (self, [other], what) => compareInstants(self, other, what)),
  ...instantPlus('Seconds', SECOND),
  ...instantPlus('Millis', MILLISECOND),
  onInstant('plus', 1, (self, [span], what) => instant(what, instantNanos(self) + nanosOf(spanOf(what, span)))),
  onDuration('toMillis', 0, (self) => integer(nanosOf(self) / MILLISECOND)),
  onDuration('toDays', 0, (self) => integer(nanosOf(self) / DAY)),
  onDuration('toHours', 0, (self) => integer(nanosOf(self) / HOUR)),
  onDuration('toMinutes', 0, (self) => integer(nanosOf(self) / MINUTE)),
  onDuration('getSeconds', 0, (self) => integer(self.seconds)),
  method(
    'toInstant',
    [0],
    legacyOf,
    (value) => value instanceof JavaDate,
    (self, _args, what) => instant(what, BigInt(self.ms) * MILLISECOND),
  ),
];

function dayOf(what: string, value: unknown): DayOfWeek {
  if (value instanceof DayOfWeek) return value;
  throw timeTypeFault(what, 'a DayOfWeek', value);
}

function legacyOf(what: string, value: unknown): JavaDate {
  if (value instanceof JavaDate) return value;
  throw timeTypeFault(what, 'a Date', value);
}
