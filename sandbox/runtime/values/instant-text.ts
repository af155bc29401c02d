import { daysFromCivil, isRealDate } from './calendar.ts';
import { Instant } from './instant.ts';

const INSTANT_TEXT =
  /^([+-]\d{4,10}|\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):(\d{2})(?::(\d{2}))?)$/;

/**
 * ISO text of an instant (functions.md §19): seconds required, `Z` or an offset of at most 18 hours, `24:00:00` is the
 * next day, `23:59:60` is `:59`; null for anything else.
 */
export function parseInstant(text: string): Instant | null {
  const found = INSTANT_TEXT.exec(text);
  if (found === null) return null;
  const [
    ,
    yearText = '',
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    ,
    sign,
    offsetHour = '0',
    offsetMinute = '0',
    offsetSecond = '0',
  ] = found;
  const date = { year: Number(yearText), month: Number(month), day: Number(day) };
  if (!isRealDate(date)) return null;
  const offset = Number(offsetHour) * 3600 + Number(offsetMinute) * 60 + Number(offsetSecond);
  if (offset > 64_800 || Number(offsetMinute) > 59 || Number(offsetSecond) > 59) return null;
  const nanos = Number(fraction.padEnd(9, '0'));
  const ofDay = secondOfDay(Number(hour), Number(minute), Number(second), nanos);
  if (ofDay === null) return null;
  const seconds = daysFromCivil(date) * 86_400 + ofDay - (sign === '-' ? -offset : offset);
  return instantOf(seconds, nanos);
}

function secondOfDay(hour: number, minute: number, second: number, nanos: number): number | null {
  if (hour === 24 && minute === 0 && second === 0 && nanos === 0) return 86_400;
  if (hour === 23 && minute === 59 && second === 60) return 86_399;
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : null;
}

/** The instant of seconds and nanoseconds; null beyond what seconds are exact for (285 million years either way). */
export function instantOf(seconds: number, nanos: number): Instant | null {
  return Number.isSafeInteger(seconds) ? new Instant(seconds, nanos) : null;
}
