import { daysInMonth, isRealDate, pad } from '../values/calendar.ts';
import { MONTHS } from '../values/date.ts';
import type { DateFormatter, PatternPart } from '../values/date-formatter.ts';
import { DayOfWeek, dayOfWeek } from '../values/day-of-week.ts';
import { LocalDate } from '../values/local-date.ts';
import { LocalDateTime } from '../values/local-date-time.ts';
import { LocalTime, localTime } from '../values/local-time.ts';

const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** What a formatter reads from a value; null for a part the value does not have. */
export interface Moment {
  readonly day: LocalDate | null;
  readonly time: LocalTime | null;
}

/** `Monday` of `MONDAY`. */
function dayName(day: DayOfWeek): string {
  const name = day.display();
  return name.slice(0, 1) + name.slice(1).toLowerCase();
}

function yearText(year: number, width: number): string {
  if (width === 2) return pad(((year % 100) + 100) % 100, 2);
  return year > 9999 && width === 4 ? `+${year}` : pad(year, width);
}

function dateText(letter: string, width: number, day: LocalDate): string {
  const { year, month, day: dayOfMonth } = day.date;
  if (letter === 'y' || letter === 'u') return yearText(year, width);
  if (letter === 'd') return pad(dayOfMonth, width);
  if (letter === 'E')
    return width === 4 ? dayName(dayOfWeek(day.epochDay)) : dayName(dayOfWeek(day.epochDay)).slice(0, 3);
  if (width === 3) return MONTHS[month - 1] ?? '';
  return width === 4 ? (LONG_MONTHS[month - 1] ?? '') : pad(month, width);
}

function timeText(letter: string, width: number, time: LocalTime): string {
  switch (letter) {
    case 'H':
      return pad(time.hour, width);
    case 'h':
      return pad(((time.hour + 11) % 12) + 1, width);
    case 'm':
      return pad(time.minute, width);
    case 's':
      return pad(time.second, width);
    case 'S':
      return pad(time.nano, 9).slice(0, width);
    default:
      return time.hour < 12 ? 'AM' : 'PM';
  }
}

/** The text of a date, a time or both by a pattern; null where the pattern asks for what the value does not have. */
export function formatMoment({ parts }: DateFormatter, { day, time }: Moment): string | null {
  let text = '';
  for (const part of parts) {
    if ('text' in part) text += part.text;
    else if (/[yuMdE]/.test(part.letter)) {
      if (day === null) return null;
      text += dateText(part.letter, part.width, day);
    } else {
      if (time === null) return null;
      text += timeText(part.letter, part.width, time);
    }
  }
  return text;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The texts a part may read, as a regular expression with one group for each letter. */
function partPattern(part: PatternPart): string {
  if ('text' in part) return escaped(part.text);
  const { letter, width } = part;
  if (letter === 'M' && width > 2) return `(${(width === 3 ? MONTHS : LONG_MONTHS).join('|')})`;
  if (letter === 'E') {
    const names = [1, 2, 3, 4, 5, 6, 7].map((value) => dayName(new DayOfWeek(value)));
    return `(${names.map((name) => (width === 4 ? name : name.slice(0, 3))).join('|')})`;
  }
  if (letter === 'a') return '(AM|PM)';
  if ((letter === 'y' || letter === 'u') && width !== 2)
    return width === 4 ? String.raw`(\d{4}|[+-]\d{4,9})` : String.raw`(-?\d{${width},9})`;
  return width === 1 && letter !== 'S' ? String.raw`(\d{1,2})` : String.raw`(\d{${width}})`;
}

function numberOf(letter: string, width: number, text: string): number {
  if (letter === 'M' && width > 2) return MONTHS.indexOf(text.slice(0, 3)) + 1;
  if (letter === 'S') return Number(text.padEnd(9, '0'));
  if (letter === 'a') return text === 'AM' ? 0 : 12;
  const value = Number(text);
  return (letter === 'y' || letter === 'u') && width === 2 ? 2000 + value : value;
}

/** Reads a text by a pattern; null where it does not fit, or its fields make no date or time. */
export function parseMoment({ parts }: DateFormatter, text: string): Moment | null {
  const found = new RegExp(`^${parts.map(partPattern).join('')}$`).exec(text);
  if (found === null) return null;
  const fields = new Map<string, number>();
  let group = 0;
  for (const part of parts) {
    if ('text' in part) continue;
    group += 1;
    const letter = part.letter === 'u' ? 'y' : part.letter;
    const value = numberOf(part.letter, part.width, found[group] ?? '');
    if (letter !== 'E' && (fields.get(letter) ?? value) !== value) return null;
    fields.set(letter, value);
  }
  const day = dayOf(fields);
  const time = timeOf(fields);
  return day === undefined || time === undefined ? null : { day, time };
}

/** A day up to 31 that a month does not have becomes its last one; undefined for other impossible dates. */
function dayOf(fields: ReadonlyMap<string, number>): LocalDate | null | undefined {
  const [year, month, day] = ['y', 'M', 'd'].map((letter) => fields.get(letter));
  if (year === undefined || month === undefined || day === undefined) return null;
  if (month < 1 || month > 12 || day > 31) return undefined;
  const date = { year, month, day: Math.min(day, daysInMonth(year, month)) };
  return isRealDate(date) ? new LocalDate(date) : undefined;
}

function timeOf(fields: ReadonlyMap<string, number>): LocalTime | null | undefined {
  const half = fields.get('a');
  const twelve = fields.get('h');
  if (twelve !== undefined && (twelve < 1 || twelve > 12)) return undefined;
  const hour = fields.get('H') ?? (half === undefined || twelve === undefined ? undefined : (twelve % 12) + half);
  if (hour === undefined) return null;
  return localTime(hour, fields.get('m') ?? 0, fields.get('s') ?? 0, fields.get('S') ?? 0) ?? undefined;
}

/** A value as a formatter sees it; null for anything that is neither date nor time. */
export function momentOf(value: unknown): Moment | null {
  if (value instanceof LocalDate) return { day: value, time: null };
  if (value instanceof LocalTime) return { day: null, time: value };
  if (value instanceof LocalDateTime) return { day: value.day, time: value.time };
  return null;
}
