import { expect } from 'chai';
import fc from 'fast-check';
import { hash } from '../equality.ts';
import { displayString, printString } from '../print.ts';
import { outcome } from '../testing/builtins.ts';
import { civilFromDays, daysFromCivil } from '../values/calendar.ts';
import { JavaDate } from '../values/date.ts';
import { parseInstant } from '../values/instant-text.ts';
import { parseLegacyDate } from '../values/legacy-date.ts';
import { parseLocalDate } from '../values/local-date.ts';
import { DATE_TIME_STATICS } from './date-times.ts';
import { TIME_METHODS, TIME_STATICS } from './time.ts';

const STATICS = new Map([...TIME_STATICS, ...DATE_TIME_STATICS]);

function make(name: string, ...args: readonly unknown[]): unknown {
  const member = STATICS.get(`java.time.${name}`);
  if (member === undefined) throw new TypeError(`no ${name}`);
  expect(member.counts).to.include(args.length);
  return member.call(args);
}

function send(name: string, receiver: unknown, ...args: readonly unknown[]): unknown {
  const found = TIME_METHODS.find(([key, method]) => key === name && method.takes(receiver));
  if (found === undefined) throw new TypeError(`no .${name}`);
  expect(found[1].counts).to.include(args.length + 1);
  return found[1].call([receiver, ...args]);
}

/** Expression results checked on Clojure 1.11 with JDK 17. */
const RESULTS: readonly (readonly [string, () => unknown, string])[] = [
  ['a leap day', () => make('LocalDate/parse', '2024-02-29'), '2024-02-29'],
  ['a date before the common era', () => make('LocalDate/parse', '-0001-12-31'), '-0001-12-31'],
  ['the last day of a shorter month', () => send('plusMonths', make('LocalDate/parse', '2024-01-31'), 1), '2024-02-29'],
  ['a leap day four years on', () => send('plusYears', make('LocalDate/parse', '2024-02-29'), 1), '2025-02-28'],
  ['weeks back', () => send('minusWeeks', make('LocalDate/parse', '2024-03-01'), 1), '2024-02-23'],
  ['a day of the week', () => send('getDayOfWeek', make('LocalDate/parse', '2024-02-29')), 'THURSDAY'],
  ['a day of the year', () => send('getDayOfYear', make('LocalDate/parse', '2024-12-31')), '366'],
  ['days since 1970', () => send('toEpochDay', make('LocalDate/parse', '1969-12-31')), '-1'],
  ['an instant with an offset', () => make('Instant/parse', '2020-01-01T01:00:00+01:00'), '2020-01-01T00:00:00Z'],
  [
    'an instant with nine digits',
    () => make('Instant/parse', '2020-01-01T00:00:00.123456789Z'),
    '2020-01-01T00:00:00.123456789Z',
  ],
  [
    'an instant with a short fraction',
    () => make('Instant/parse', '2020-01-01T00:00:00.5Z'),
    '2020-01-01T00:00:00.500Z',
  ],
  ['midnight of the next day', () => make('Instant/parse', '2020-01-01T24:00:00Z'), '2020-01-02T00:00:00Z'],
  ['a leap second', () => make('Instant/parse', '2016-12-31T23:59:60Z'), '2016-12-31T23:59:59Z'],
  [
    'milliseconds below zero are floored',
    () => send('toEpochMilli', make('Instant/parse', '1969-12-31T23:59:59.9995Z')),
    '-1',
  ],
  ['hours and a fraction', () => make('Duration/ofMillis', 86_400_500), 'PT24H0.5S'],
  ['nothing', () => make('Duration/ofSeconds', 0), 'PT0S'],
  ['less than nothing', () => make('Duration/ofMillis', -1500), 'PT-1.5S'],
  ['half a second less', () => make('Duration/ofMillis', -500), 'PT-0.5S'],
  ['minutes less', () => make('Duration/ofSeconds', -3661), 'PT-1H-1M-1S'],
  ['days are cut toward zero', () => send('toDays', make('Duration/ofHours', -47)), '-1'],
];

const LEGACY: readonly (readonly [string, number | null])[] = [
  ['Jan 2 2020 03:04:05 GMT', 1577934245000],
  ['Thu, 2 Jan 2020 03:04:05 GMT', 1577934245000],
  ['Thu Jan 02 03:04:05 UTC 2020', 1577934245000],
  ['2 Jan 2020', 1577923200000],
  ['1/2/2020', 1577923200000],
  ['1/2/2020 3:04 PM', 1577977440000],
  ['Jan 2 2020 03:04 EST', 1577952240000],
  ['Jan 2 2020 03:04 GMT+0530', 1577914440000],
  ['2 Jan 2020 (a note)', 1577923200000],
  ['30 Feb 2020', null],
  ['2020-01-02T03:04:05Z', null],
  ['', null],
  ['Jan 2 1500', null],
];

describe('dates and times', () => {
  for (const [what, action, expected] of RESULTS) {
    it(`${what}: ${expected}`, () => {
      expect(displayString(action())).to.equal(expected);
    });
  }

  for (const [text, ms] of LEGACY) {
    it(`legacy text ${JSON.stringify(text)} is ${ms === null ? 'refused' : ms}`, () => {
      expect(parseLegacyDate(text)).to.equal(ms);
    });
  }

  for (const bad of [
    '2023-02-29',
    '2024-2-1',
    '24-01-01',
    '+2024-01-01',
    '-0000-01-01',
    '2024-13-01',
    '2024-01-01T00:00:00Z',
    '',
  ]) {
    it(`refuses the date ${JSON.stringify(bad)}`, () => {
      expect(parseLocalDate(bad)).to.equal(null);
      expect(outcome(() => make('LocalDate/parse', bad))).to.equal('java_domain_error/DateTimeParseException');
    });
  }

  for (const bad of [
    '2020-01-01',
    '2020-01-01T00:00Z',
    '2020-01-01T00:00:00',
    '2020-01-01T25:00:00Z',
    '2020-01-01T00:00:00+19:00',
    '2020-01-01T24:00:01Z',
  ]) {
    it(`refuses the instant ${bad}`, () => {
      expect(parseInstant(bad)).to.equal(null);
    });
  }

  it('refuses what leaves the range, and wrong types', () => {
    expect(outcome(() => send('plusYears', make('LocalDate/parse', '2024-01-01'), 2_000_000_000))).to.equal(
      'java_domain_error/DateTimeException',
    );
    expect(outcome(() => make('LocalDate/of', 2023, 2, 29))).to.equal('java_domain_error/DateTimeException');
    expect(outcome(() => make('Duration/ofDays', 9_007_199_254_740_991))).to.equal(
      'java_domain_error/ArithmeticException',
    );
    expect(outcome(() => make('LocalDate/parse', 5))).to.equal('java_type_error/ClassCastException');
    expect(outcome(() => send('isBefore', make('LocalDate/parse', '2024-01-01'), null))).to.equal(
      'java_type_error/NullPointerException',
    );
  });

  it('hash as the reference does (language.md §5)', () => {
    expect(hash(parseLocalDate('2024-02-29'))).to.equal(4145309);
    expect(hash(parseLocalDate('-0044-03-15'))).to.equal(88271);
    expect(hash(parseInstant('2020-01-01T00:00:00Z'))).to.equal(1577836800);
    expect(hash(parseInstant('2020-01-01T00:00:00.123456789Z'))).to.equal(-715801553);
  });

  it('of java.util.Date show the day and the instant', () => {
    const date = new JavaDate(1577934245678);
    expect(displayString(date)).to.equal('Thu Jan 02 03:04:05 UTC 2020');
    expect(printString(date)).to.equal('#inst "2020-01-02T03:04:05.678-00:00"');
  });

  it('count days forth and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400_000_000, max: 400_000_000 }), (days) => {
        expect(daysFromCivil(civilFromDays(days))).to.equal(days);
      }),
    );
  });
});
