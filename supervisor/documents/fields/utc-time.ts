import { matches, UTC_TIME } from './patterns.ts';

/** Whether a text is an RFC 3339 time in UTC on a day that the calendar has. */
export function isUtcTime(text: string): boolean {
  if (!matches(UTC_TIME, text)) return false;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(0);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
