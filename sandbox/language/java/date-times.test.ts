import { expect } from 'chai';
import { outcomeOf } from '../testing/guest-under-test.ts';

/** Program and what the reference prints for it (functions.md §19). */
const PROGRAMS: readonly (readonly [string, string])[] = [
  [
    '(map str [(java.time.LocalTime/parse "10:15:30.5") (java.time.LocalTime/of 23 59) (java.time.LocalTime/of 1 2 3 4) (.plusHours (java.time.LocalTime/of 23 59) 2) (.minusMinutes (java.time.LocalTime/of 0 0) 1)])',
    '("10:15:30.500" "23:59" "01:02:03.000000004" "01:59" "23:59")',
  ],
  [
    '[(.getHour (java.time.LocalTime/of 23 59 58)) (.toSecondOfDay (java.time.LocalTime/of 1 0 1)) (compare (java.time.LocalTime/of 1 0) (java.time.LocalTime/of 5 0)) (hash (java.time.LocalTime/of 1 2 3)) (hash (java.time.LocalDateTime/of 2024 2 29 1 2)) (hash (java.time.Period/between (java.time.LocalDate/of 2020 1 1) (java.time.LocalDate/of 2024 3 4)))]',
    '[23 3601 -1 -736645790 561517567 197124]',
  ],
  [
    '(map str [(java.time.LocalDateTime/of 2024 2 29 10 15) (java.time.LocalDateTime/of (java.time.LocalDate/of 2024 1 1) (java.time.LocalTime/of 1 2 3)) (.plusSeconds (java.time.LocalDateTime/of 2024 2 29 23 59 59) 1) (.minusHours (java.time.LocalDateTime/of 2024 3 1 0 0) 1) (.plusMonths (java.time.LocalDateTime/of 2024 1 31 0 0) 1) (.minusYears (java.time.LocalDateTime/of 2024 2 29 0 0) 1)])',
    '("2024-02-29T10:15" "2024-01-01T01:02:03" "2024-03-01T00:00" "2024-02-29T23:00" "2024-02-29T00:00" "2023-02-28T00:00")',
  ],
  [
    '[(str (.toInstant (java.time.LocalDateTime/of 2024 2 29 10 15) java.time.ZoneOffset/UTC)) (compare (java.time.LocalDateTime/of 2024 2 29 10 15) (java.time.LocalDateTime/of 2022 2 28 10 15)) (.isBefore (java.time.LocalDateTime/of 2024 2 29 10 15) (java.time.LocalDateTime/of 2024 2 29 10 16)) (str (.getDayOfWeek (java.time.LocalDateTime/of 2024 2 29 10 15)))]',
    '["2024-02-29T10:15:00Z" 2 true "THURSDAY"]',
  ],
  [
    '(map (fn [[a b]] (str (java.time.Period/between (java.time.LocalDate/parse a) (java.time.LocalDate/parse b)))) [["2020-01-31" "2020-02-29"] ["2024-03-31" "2024-02-29"] ["2024-02-29" "2020-01-31"] ["2020-01-01" "2020-01-01"] ["2021-05-10" "2020-05-11"] ["2020-12-31" "2021-03-01"]])',
    '("P29D" "P-1M-2D" "P-4Y-29D" "P0D" "P-11M-30D" "P2M1D")',
  ],
  [
    '(map (fn [u] (.between u (java.time.LocalDate/parse "2020-01-31") (java.time.LocalDate/parse "2024-01-30"))) [java.time.temporal.ChronoUnit/DAYS java.time.temporal.ChronoUnit/WEEKS java.time.temporal.ChronoUnit/MONTHS java.time.temporal.ChronoUnit/YEARS])',
    '(1460 208 47 3)',
  ],
  [
    '(map (fn [u] (.between u (java.time.LocalDate/parse "2024-01-30") (java.time.LocalDate/parse "2020-01-31"))) [java.time.temporal.ChronoUnit/DAYS java.time.temporal.ChronoUnit/WEEKS java.time.temporal.ChronoUnit/MONTHS java.time.temporal.ChronoUnit/YEARS])',
    '(-1460 -208 -47 -3)',
  ],
  [
    '[(.between java.time.temporal.ChronoUnit/HOURS (java.time.LocalDateTime/of 2024 2 29 10 15) (java.time.LocalDateTime/of 2024 3 1 10 14)) (.between java.time.temporal.ChronoUnit/DAYS (java.time.Instant/parse "2020-01-01T00:00:00Z") (java.time.Instant/parse "2019-12-30T12:00:00Z"))]',
    '[23 -1]',
  ],
  [
    '(map (fn [p] (.format (java.time.LocalDateTime/of 2024 2 9 15 4 5 123456789) (java.time.format.DateTimeFormatter/ofPattern p))) ["yyyy-MM-dd\'T\'HH:mm:ss.SSS" "d/M/yy h:mm a" "MMM d, uuuu" "\'\'yy\'\' H" "hh \'o\'\'clock\' a" "y" "HHmm" "EEE" "MM.dd"])',
    '("2024-02-09T15:04:05.123" "9/2/24 3:04 PM" "Feb 9, 2024" "\'24\' 15" "03 o\'clock PM" "2024" "1504" "Fri" "02.09")',
  ],
  [
    '(map (fn [[t p]] (str (java.time.LocalDate/parse t (java.time.format.DateTimeFormatter/ofPattern p)))) [["31.02.2024" "dd.MM.yyyy"] ["5/3/24" "d/M/yy"] ["20240229" "yyyyMMdd"] ["2024-02-29 10:15" "yyyy-MM-dd HH:mm"]])',
    '("2024-02-29" "2024-03-05" "2024-02-29" "2024-02-29")',
  ],
  [
    '(map (fn [[t p]] (str (java.time.LocalDateTime/parse t (java.time.format.DateTimeFormatter/ofPattern p)))) [["2024-02-29 10:15" "yyyy-MM-dd HH:mm"] ["29/02/2024 03:05:06 PM" "dd/MM/yyyy hh:mm:ss a"] ["2024-02-29 10:15:00.5" "yyyy-MM-dd HH:mm:ss.S"]])',
    '("2024-02-29T10:15" "2024-02-29T15:05:06" "2024-02-29T10:15:00.500")',
  ],
  [
    '(map #(try (%) (catch Throwable e (.getName (class e)))) [#(java.time.LocalTime/of 24 0) #(java.time.LocalTime/parse "24:00") #(java.time.LocalDateTime/parse "2024-02-30T00:00") #(java.time.format.DateTimeFormatter/ofPattern "qq{") #(java.time.LocalDate/parse "x" (java.time.format.DateTimeFormatter/ofPattern "yyyy")) #(java.time.LocalDate/parse "32.01.2024" (java.time.format.DateTimeFormatter/ofPattern "dd.MM.yyyy"))])',
    '("java.time.DateTimeException" "java.time.format.DateTimeParseException" "java.time.format.DateTimeParseException" "java.lang.IllegalArgumentException" "java.time.format.DateTimeParseException" "java.time.format.DateTimeParseException")',
  ],
  [
    '[(.format java.time.format.DateTimeFormatter/ISO_LOCAL_DATE (java.time.LocalDate/of 2024 2 9)) (.format java.time.format.DateTimeFormatter/ISO_INSTANT (java.time.Instant/parse "2020-01-01T00:00:00Z")) (str (.atTime (java.time.LocalDate/of 2024 2 9) 10 30)) (str (java.time.LocalDate/parse "2024-02-09" java.time.format.DateTimeFormatter/ISO_LOCAL_DATE))]',
    '["2024-02-09" "2020-01-01T00:00:00Z" "2024-02-09T10:30" "2024-02-09"]',
  ],
];

/** Program and the reason and exception class it ends with. */
const REFUSALS: readonly (readonly [string, string])[] = [
  ['(.format (LocalDate/of 2024 1 1) (DateTimeFormatter/ofPattern "HH"))', 'java_domain_error/DateTimeException'],
  ['(.format (DateTimeFormatter/ofPattern "yyyy") 5)', 'java_type_error/IllegalArgumentException'],
  ['(DateTimeFormatter/ofPattern nil)', 'java_type_error/NullPointerException'],
  [
    '(LocalDateTime/parse "2024-01-01" (DateTimeFormatter/ofPattern "yyyy-MM-dd"))',
    'java_domain_error/DateTimeParseException',
  ],
  ['(LocalTime/parse "3:05" (DateTimeFormatter/ofPattern "h:mm"))', 'java_domain_error/DateTimeParseException'],
  ['(.toInstant (LocalDateTime/of 2024 1 1 0 0) 5)', 'java_type_error/IllegalArgumentException'],
  [
    '(.between ChronoUnit/HOURS (LocalDate/of 2024 1 1) (LocalDate/of 2024 1 2))',
    'java_domain_error/DateTimeException',
  ],
  ['(.plusDays (LocalDateTime/of 2024 1 1 0 0) 9007199254740991)', 'java_domain_error/DateTimeException'],
  ['(compare (Period/between (LocalDate/of 2024 1 1) (LocalDate/of 2024 1 1)) 1)', 'type_error/ClassCastException'],
  ['(LocalDate/of 2024 1)', 'java_arity_error'],
];

describe('dates with times of day, periods and formatters', () => {
  for (const [source, expected] of [...PROGRAMS, ...REFUSALS]) {
    it(source, () => expect(outcomeOf(source)).to.equal(expected));
  }

  it('reads a text by a long pattern in bounded time', () => {
    const pattern = 'dMHmsdMHmsdMHmsd';
    expect(outcomeOf(`(LocalDate/parse "${'1'.repeat(60)}" (DateTimeFormatter/ofPattern "${pattern}"))`)).to.equal(
      'java_domain_error/DateTimeParseException',
    );
    expect(outcomeOf(`(DateTimeFormatter/ofPattern "${pattern}M")`)).to.equal(
      'java_domain_error/IllegalArgumentException',
    );
  });
});
