import { LispError } from '../errors.ts';
import { daysInMonth } from '../values/calendar.ts';
import { DateFormatter, dateFormatter } from '../values/date-formatter.ts';
import { dayOfWeek } from '../values/day-of-week.ts';
import { integer } from '../values/double.ts';
import { Instant } from '../values/instant.ts';
import { LocalDate, parseLocalDate } from '../values/local-date.ts';
import { LocalDateTime, parseLocalDateTime } from '../values/local-date-time.ts';
import { LocalTime, localTime, parseLocalTime } from '../values/local-time.ts';
import { NamedTemporal } from '../values/named-temporal.ts';
import { Period } from '../values/period.ts';
import { formatMoment, momentOf, parseMoment, type Moment } from './format-dates.ts';
import { dateOf, instant, instantNanos, localDate, plusDays, plusMonths } from './time.ts';
import {
  DATE_TIME,
  fixedMember,
  method,
  parsed,
  timeTypeFault,
  wholeNumber,
  type TimeMember,
  type TimeMethod,
} from './time-member.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

function timeOf(what: string, value: unknown): LocalTime {
  if (value instanceof LocalTime) return value;
  throw timeTypeFault(what, 'a LocalTime', value);
}

function dateTimeOf(what: string, value: unknown): LocalDateTime {
  if (value instanceof LocalDateTime) return value;
  throw timeTypeFault(what, 'a LocalDateTime', value);
}

function periodOf(what: string, value: unknown): Period {
  if (value instanceof Period) return value;
  throw timeTypeFault(what, 'a Period', value);
}

function formatterOf(what: string, value: unknown): DateFormatter {
  if (value instanceof DateFormatter) return value;
  throw timeTypeFault(what, 'a DateTimeFormatter', value);
}

function timeOfParts(what: string, parts: readonly unknown[]): LocalTime {
  const [hour = 0, minute = 0, second = 0, nano = 0] = parts.map((part) => Number(wholeNumber(what, part)));
  const made = localTime(hour, minute, second, nano);
  if (made === null)
    throw new LispError('java_domain_error', DATE_TIME, `${what}: an hour, minute or second is out of range`);
  return made;
}

function dateTimeOfParts(what: string, args: readonly unknown[]): LocalDateTime {
  if (args.length === 2) return new LocalDateTime(dateOf(what, args[0]), timeOf(what, args[1]));
  const [year, month, day, ...time] = args;
  return new LocalDateTime(
    localDate(wholeNumber(what, year), wholeNumber(what, month), wholeNumber(what, day)),
    timeOfParts(what, time),
  );
}

/** `Class/parse` of a text alone or by a formatter, of which it takes the part that the class needs. */
function parser<T>(
  name: string,
  plain: (text: string) => T | null,
  part: (moment: Moment) => T | null,
): readonly [string, TimeMember] {
  const what = `${name}/parse`;
  return fixedMember(what, [1, 2], (args) => {
    if (args.length === 1) return parsed(what, args[0], plain);
    const formatter = formatterOf(what, args[1]);
    return parsed(what, args[0], (text) => {
      const moment = parseMoment(formatter, text);
      return moment === null ? null : part(moment);
    });
  });
}

function both({ day, time }: Moment): LocalDateTime | null {
  return day === null || time === null ? null : new LocalDateTime(day, time);
}

function formatterNamed(text: unknown): DateFormatter {
  const what = 'DateTimeFormatter/ofPattern';
  if (typeof text !== 'string') throw timeTypeFault(what, 'a string', text, 'java.lang.ClassCastException');
  const made = dateFormatter(text);
  if (made !== null) return made;
  throw new LispError(
    'java_domain_error',
    'java.lang.IllegalArgumentException',
    `${what}: letters y u M d H h m s S a E and quoted text are supported`,
  );
}

/** Whole months from one date to another, toward zero. */
function monthsBetween(from: LocalDate, to: LocalDate): number {
  const packed = ({ date }: LocalDate): number => (date.year * 12 + date.month - 1) * 32 + date.day;
  return Math.trunc((packed(to) - packed(from)) / 32);
}

function periodBetween(from: LocalDate, to: LocalDate): Period {
  let months = to.date.year * 12 + to.date.month - (from.date.year * 12 + from.date.month);
  let days = to.date.day - from.date.day;
  if (months > 0 && days < 0) {
    months -= 1;
    days = to.epochDay - plusMonths('Period/between', from, BigInt(months)).epochDay;
  } else if (months < 0 && days > 0) {
    months += 1;
    days -= daysInMonth(to.date.year, to.date.month);
  }
  return new Period(Math.trunc(months / 12), months % 12, days);
}

/** Nanoseconds that distinguish two values of one class; null for values without time of day. */
function nanosOfPoint(value: unknown): bigint | null {
  if (value instanceof Instant) return instantNanos(value);
  if (value instanceof LocalTime) return BigInt(value.nanoOfDay);
  return value instanceof LocalDateTime ? BigInt(value.day.epochDay) * DAY + BigInt(value.time.nanoOfDay) : null;
}

const UNIT = 'java.time.temporal.ChronoUnit';
const TIME_UNITS: Readonly<Record<string, bigint>> = {
  NANOS: 1n,
  MICROS: 1000n,
  MILLIS: 1_000_000n,
  SECONDS: SECOND,
  MINUTES: MINUTE,
  HOURS: HOUR,
  DAYS: DAY,
};
const DATE_UNITS = ['DAYS', 'WEEKS', 'MONTHS', 'YEARS'];

/** `(.between ChronoUnit/DAYS a b)`: whole units, toward zero. */
function unitsBetween(unit: string, from: unknown, to: unknown): unknown {
  if (from instanceof LocalDate && to instanceof LocalDate && DATE_UNITS.includes(unit)) {
    if (unit === 'MONTHS' || unit === 'YEARS') return Math.trunc(monthsBetween(from, to) / (unit === 'YEARS' ? 12 : 1));
    return Math.trunc((to.epochDay - from.epochDay) / (unit === 'WEEKS' ? 7 : 1));
  }
  const size = TIME_UNITS[unit];
  const [start, end] = [nanosOfPoint(from), nanosOfPoint(to)];
  const sameClass =
    from instanceof Instant === to instanceof Instant && from instanceof LocalTime === to instanceof LocalTime;
  if (size !== undefined && start !== null && end !== null && sameClass) return integer((end - start) / size);
  if (from === null || to === null) throw timeTypeFault('.between', 'two dates or times', null);
  throw new LispError('java_domain_error', DATE_TIME, `.between: ${unit} does not divide what is between these values`);
}

function formatted(what: string, formatter: DateFormatter, value: unknown): string {
  if (formatter.name === ISO_INSTANT.name && value instanceof Instant) return value.display();
  const moment = momentOf(value);
  const text = moment === null || formatter.name === ISO_INSTANT.name ? null : formatMoment(formatter, moment);
  if (text !== null) return text;
  if (moment === null && !(value instanceof Instant)) throw timeTypeFault(what, 'a date or time', value);
  throw new LispError(
    'java_domain_error',
    DATE_TIME,
    `${what}: the pattern asks for a field that the value does not have`,
  );
}

const ISO_LOCAL_DATE = new DateFormatter('ISO_LOCAL_DATE', [
  { letter: 'y', width: 4 },
  { text: '-' },
  { letter: 'M', width: 2 },
  { text: '-' },
  { letter: 'd', width: 2 },
]);
const ISO_INSTANT = new DateFormatter('ISO_INSTANT', []);

/** Static fields by `CLASS/NAME`. */
export const DATE_TIME_FIELDS: readonly (readonly [string, unknown])[] = [
  ...[...new Set([...Object.keys(TIME_UNITS), ...DATE_UNITS])].map(
    (name) => [`${UNIT}/${name}`, new NamedTemporal(UNIT, name)] as const,
  ),
  ['java.time.ZoneOffset/UTC', new NamedTemporal('java.time.ZoneOffset', 'Z')],
  ['java.time.format.DateTimeFormatter/ISO_LOCAL_DATE', ISO_LOCAL_DATE],
  ['java.time.format.DateTimeFormatter/ISO_INSTANT', ISO_INSTANT],
];

/** Static members by `CLASS/NAME`. */
export const DATE_TIME_STATICS: readonly (readonly [string, TimeMember])[] = [
  parser('LocalDate', parseLocalDate, ({ day }) => day),
  parser('LocalTime', parseLocalTime, ({ time }) => time),
  parser('LocalDateTime', parseLocalDateTime, both),
  fixedMember('LocalTime/of', [2, 3, 4], (args) => timeOfParts('LocalTime/of', args)),
  fixedMember('LocalDateTime/of', [2, 5, 6, 7], (args) => dateTimeOfParts('LocalDateTime/of', args)),
  fixedMember('Period/between', [2], ([from, to]) =>
    periodBetween(dateOf('Period/between', from), dateOf('Period/between', to)),
  ),
  fixedMember('format.DateTimeFormatter/ofPattern', [1], ([text]) => formatterNamed(text)),
];

const isDate = (value: unknown): boolean => value instanceof LocalDate;
const isTime = (value: unknown): boolean => value instanceof LocalTime;
const isDateTime = (value: unknown): boolean => value instanceof LocalDateTime;
const isFormatter = (value: unknown): boolean => value instanceof DateFormatter;

function onTime(
  name: string,
  count: number,
  call: (self: LocalTime, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  return method(name, [count], timeOf, isTime, call);
}

function onDateTime(
  name: string,
  count: number,
  call: (self: LocalDateTime, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  return method(name, [count], dateTimeOf, isDateTime, call);
}

function onPeriod(name: string, call: (self: Period) => unknown): readonly [string, TimeMethod] {
  return method(name, [0], periodOf, (value) => value instanceof Period, call);
}

/** A getter of dates that date-times have too. */
function dateGetter(name: string, call: (self: LocalDate) => unknown): readonly [string, TimeMethod] {
  return onDateTime(name, 0, (self) => call(self.day));
}

/** A getter of times that date-times have too. */
function timeGetter(name: string, call: (self: LocalTime) => unknown): (readonly [string, TimeMethod])[] {
  return [onTime(name, 0, call), onDateTime(name, 0, (self) => call(self.time))];
}

/** A date-time some nanoseconds later. */
function later(what: string, self: LocalDateTime, nanos: bigint): LocalDateTime {
  const total = BigInt(self.time.nanoOfDay) + nanos;
  const ofDay = ((total % DAY) + DAY) % DAY;
  return new LocalDateTime(plusDays(what, self.day, (total - ofDay) / DAY), new LocalTime(Number(ofDay)));
}

/** `.plusX` and `.minusX` by a unit of time; a time of day goes round. */
function timeSteps(suffix: string, unit: bigint): (readonly [string, TimeMethod])[] {
  return (['plus', 'minus'] as const).flatMap((word) => {
    const amount = (what: string, n: unknown): bigint => wholeNumber(what, n) * (word === 'plus' ? unit : -unit);
    return [
      onTime(
        `${word}${suffix}`,
        1,
        (self, [n], what) => new LocalTime(Number((((BigInt(self.nanoOfDay) + amount(what, n)) % DAY) + DAY) % DAY)),
      ),
      onDateTime(`${word}${suffix}`, 1, (self, [n], what) => later(what, self, amount(what, n))),
    ];
  });
}

/** `.plusX` and `.minusX` of a date-time by days or months. */
function dateSteps(suffix: string, step: typeof plusDays, size: bigint): (readonly [string, TimeMethod])[] {
  return (['plus', 'minus'] as const).map((word) =>
    onDateTime(
      `${word}${suffix}`,
      1,
      (self, [n], what) =>
        new LocalDateTime(step(what, self.day, wholeNumber(what, n) * (word === 'plus' ? size : -size)), self.time),
    ),
  );
}

/** `.isBefore`, `.isAfter`, `.compareTo`. */
function comparisons(
  of: (what: string, value: unknown) => LocalTime | LocalDateTime,
  takes: (value: unknown) => boolean,
): (readonly [string, TimeMethod])[] {
  const order = (self: LocalTime | LocalDateTime, other: unknown, what: string): number =>
    self.compare(of(what, other)) ?? 0;
  return [
    method('isBefore', [1], of, takes, (self, [other], what) => order(self, other, what) < 0),
    method('isAfter', [1], of, takes, (self, [other], what) => order(self, other, what) > 0),
    method('compareTo', [1], of, takes, (self, [other], what) => order(self, other, what)),
  ];
}

/** Methods by name; one name may mean several classes. */
export const DATE_TIME_METHODS: readonly (readonly [string, TimeMethod])[] = [
  method('atStartOfDay', [0], dateOf, isDate, (self) => new LocalDateTime(self, new LocalTime(0))),
  method(
    'atTime',
    [1, 2, 3, 4],
    dateOf,
    isDate,
    (self, args, what) => new LocalDateTime(self, args.length === 1 ? timeOf(what, args[0]) : timeOfParts(what, args)),
  ),
  onTime('atDate', 1, (self, [day], what) => new LocalDateTime(dateOf(what, day), self)),
  onTime('toSecondOfDay', 0, (self) => self.secondOfDay),
  ...timeGetter('getHour', (time) => time.hour),
  ...timeGetter('getMinute', (time) => time.minute),
  ...timeGetter('getSecond', (time) => time.second),
  ...timeGetter('getNano', (time) => time.nano),
  ...timeSteps('Hours', HOUR),
  ...timeSteps('Minutes', MINUTE),
  ...timeSteps('Seconds', SECOND),
  ...comparisons(timeOf, isTime),
  ...comparisons(dateTimeOf, isDateTime),
  dateGetter('getYear', ({ date }) => date.year),
  dateGetter('getMonthValue', ({ date }) => date.month),
  dateGetter('getDayOfMonth', ({ date }) => date.day),
  dateGetter('getDayOfWeek', ({ epochDay }) => dayOfWeek(epochDay)),
  ...dateSteps('Days', plusDays, 1n),
  ...dateSteps('Weeks', plusDays, 7n),
  ...dateSteps('Months', plusMonths, 1n),
  ...dateSteps('Years', plusMonths, 12n),
  onDateTime('toLocalDate', 0, (self) => self.day),
  onDateTime('toLocalTime', 0, (self) => self.time),
  onDateTime('toInstant', 1, (self, [zone], what) => {
    if (!(zone instanceof NamedTemporal) || zone.javaName !== 'java.time.ZoneOffset')
      throw timeTypeFault(what, 'a ZoneOffset', zone);
    return instant(what, nanosOfPoint(self) ?? 0n);
  }),
  onPeriod('getYears', (self) => self.years),
  onPeriod('getMonths', (self) => self.months),
  onPeriod('getDays', (self) => self.days),
  method('between', [2], unitOf, isUnit, (unit, [from = null, to = null]) => unitsBetween(unit.name, from, to)),
  method('format', [1], formatterOf, isFormatter, (self, [value], what) => formatted(what, self, value)),
  method(
    'format',
    [1],
    (_what, value) => value,
    (value) => momentOf(value) !== null,
    (self, [formatter], what) => formatted(what, formatterOf(what, formatter), self),
  ),
];

function isUnit(value: unknown): boolean {
  return value instanceof NamedTemporal && value.javaName === UNIT;
}

function unitOf(what: string, value: unknown): NamedTemporal {
  if (value instanceof NamedTemporal) return value;
  throw timeTypeFault(what, 'a ChronoUnit', value);
}
