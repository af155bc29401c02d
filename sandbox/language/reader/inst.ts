import { daysFromCivil, isRealDate } from '../../runtime/values/calendar.ts';
import { JavaDate } from '../../runtime/values/date.ts';

const INST =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(?:Z|([+-])(\d\d):(\d\d))?$/;

/** The date of `#inst`: any prefix of a timestamp down to the year, and an offset (functions.md §19). */
export function readInst(text: string): JavaDate | null {
  const match = INST.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) =>
    Number(match[group] ?? (group === 2 || group === 3 ? 1 : 0)),
  );
  const offset = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  const civil = { year: year ?? 0, month: month ?? 1, day: day ?? 1 };
  const inRange =
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) <= 60 &&
    Number(match[9] ?? 0) < 24 &&
    Number(match[10] ?? 0) < 60;
  if (!inRange || !isRealDate(civil)) return null;
  const millis = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const minutes = (hour ?? 0) * 60 + (minute ?? 0) - (match[8] === '-' ? -offset : offset);
  return new JavaDate(daysFromCivil(civil) * 86_400_000 + minutes * 60_000 + (second ?? 0) * 1000 + millis);
}
