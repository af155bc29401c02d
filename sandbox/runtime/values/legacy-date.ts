import { daysFromCivil, isRealDate } from './calendar.ts';
import { MONTHS } from './date.ts';

/** Hours that zone names mean. */
const ZONES: Readonly<Record<string, number>> = {
  gmt: 0,
  ut: 0,
  utc: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** First day of the Gregorian calendar, 1582-10-15, before which legacy text is refused. */
const FIRST_DAY = -141_427;
const LONGEST = 200;

interface Fields {
  year: number | null;
  month: number | null;
  day: number | null;
  seconds: number | null;
  zone: number | null;
  half: 'am' | 'pm' | null;
}

function monthNamed(word: string): number | null {
  const at = MONTHS.findIndex((name) => word.length >= 3 && fullMonth(name).startsWith(word));
  return at === -1 ? null : at + 1;
}

const LONG_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

function fullMonth(short: string): string {
  return LONG_MONTHS[MONTHS.indexOf(short)] ?? short.toLowerCase();
}

/** Sets a field once; a second value is a fault. */
function put<K extends keyof Fields>(fields: Fields, key: K, value: Fields[K]): boolean {
  if (fields[key] !== null) return false;
  fields[key] = value;
  return true;
}

function takeWord(fields: Fields, word: string): boolean {
  const month = monthNamed(word);
  if (month !== null) return put(fields, 'month', month);
  if (word === 'am' || word === 'pm') return put(fields, 'half', word);
  const zone = ZONES[word];
  if (zone !== undefined) return put(fields, 'zone', zone * 60);
  return word.length >= 3 && WEEKDAYS.some((name) => name.startsWith(word));
}

/** A zone's offset in minutes: `±h`, `±hh`, `±hhmm`, `±hh:mm`. */
function offsetMinutes(sign: string, digits: string): number {
  const plain = digits.replace(':', '');
  const size = Number(plain);
  const minutes = plain.length <= 2 ? size * 60 : Math.floor(size / 100) * 60 + (size % 100);
  return sign === '-' ? -minutes : minutes;
}

function takeNumber(fields: Fields, digits: string): boolean {
  if (digits.length >= 4) return put(fields, 'year', Number(digits));
  return digits.length <= 2 && put(fields, 'day', Number(digits));
}

const TOKEN =
  /\s*(?:,|(\d{1,2}):(\d{2})(?::(\d{2}))?|(\d{1,2})\/(\d{1,2})\/(\d{4,})|(?:gmt|utc?)?([+-])(\d{1,2}:?\d{2}|\d{1,2})(?![\d/])|(\d+)|([a-z]+)\.?)\s*/y;

/**
 * Milliseconds of the text that `new Date(text)` accepts (functions.md §19, legacy Date text); null for anything else.
 */
export function parseLegacyDate(text: string): number | null {
  if (text.length > LONGEST) return null;
  const plain = text
    .replace(/\([^()]*\)/g, ' ')
    .trim()
    .toLowerCase();
  const fields: Fields = { year: null, month: null, day: null, seconds: null, zone: null, half: null };
  let at = 0;
  while (at < plain.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(plain);
    if (found === null || !takeToken(fields, found)) return null;
    at = TOKEN.lastIndex;
  }
  return millisecondsOf(fields);
}

function takeToken(fields: Fields, found: RegExpExecArray): boolean {
  const [, hour, minute, second, month, day, year, sign, offset, digits, word] = found;
  if (hour !== undefined) {
    const [h, m, s] = [Number(hour), Number(minute), Number(second ?? '0')];
    return h < 24 && m < 60 && s < 60 && put(fields, 'seconds', h * 3600 + m * 60 + s);
  }
  if (month !== undefined) {
    return put(fields, 'month', Number(month)) && put(fields, 'day', Number(day)) && put(fields, 'year', Number(year));
  }
  if (sign !== undefined && offset !== undefined) {
    fields.zone = fields.zone === 0 ? null : fields.zone;
    return put(fields, 'zone', offsetMinutes(sign, offset));
  }
  if (digits !== undefined) return takeNumber(fields, digits);
  return word === undefined || takeWord(fields, word);
}

function millisecondsOf({ year, month, day, seconds, zone, half }: Fields): number | null {
  if (year === null || month === null || day === null || !isRealDate({ year, month, day })) return null;
  const days = daysFromCivil({ year, month, day });
  const time = ofHalf(seconds ?? 0, half);
  if (days < FIRST_DAY || time === null || Math.abs(zone ?? 0) > 24 * 60) return null;
  return (days * 86_400 + time - (zone ?? 0) * 60) * 1000;
}

/** Twelve-hour times: 12 AM is midnight, 12 PM noon; other hours above 12 are refused. */
function ofHalf(seconds: number, half: Fields['half']): number | null {
  if (half === null) return seconds;
  const hour = Math.floor(seconds / 3600);
  if (hour < 1 || hour > 12) return null;
  return seconds - hour * 3600 + ((hour % 12) + (half === 'pm' ? 12 : 0)) * 3600;
}
