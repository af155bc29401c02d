/** The classes and members of Java's that programs may use, from the table that compiles them. */
import { javaMemberValue, javaNew, javaStatic } from '../../sandbox/language/java/calls.ts';
import { COLLECTION_METHODS } from '../../sandbox/language/java/collections.ts';
import { newException } from '../../sandbox/language/java/exceptions.ts';
import { STRING_METHODS } from '../../sandbox/language/java/strings.ts';
import { CONSTRUCTORS, FIELDS, METHODS, STATICS } from '../../sandbox/language/java/table.ts';
import { keyword } from '../../sandbox/runtime/values/keyword.ts';
import { classNamed } from '../../sandbox/runtime/values/java.ts';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

/** A value of each class that has methods of its own. */
function receivers(): readonly (readonly [string, unknown])[] {
  const date = javaStatic('java.time.LocalDate', 'parse', '2024-02-29');
  return [
    ['java.util.Date', javaNew('java.util.Date', 0)],
    ['java.time.LocalDate', date],
    ['java.time.LocalTime', javaStatic('java.time.LocalTime', 'parse', '10:15')],
    ['java.time.LocalDateTime', javaStatic('java.time.LocalDateTime', 'parse', '2024-02-29T10:15')],
    ['java.time.Instant', javaStatic('java.time.Instant', 'parse', '2024-02-29T10:15:00Z')],
    ['java.time.Duration', javaStatic('java.time.Duration', 'ofDays', 1)],
    ['java.time.Period', javaStatic('java.time.Period', 'between', date, date)],
    ['java.time.format.DateTimeFormatter', javaStatic('java.time.format.DateTimeFormatter', 'ofPattern', 'yyyy')],
    ['java.time.temporal.ChronoUnit', javaMemberValue('java.time.temporal.ChronoUnit', 'DAYS')],
    [
      'java.time.DayOfWeek',
      METHODS.get('getDayOfWeek')
        ?.find(({ takes }) => takes(date))
        ?.call([date]),
    ],
    ['exceptions', newException('java.lang.IllegalArgumentException', ['text'])],
    ['keywords and symbols', keyword(null, 'a')],
    ['java.lang.Class', classNamed('java.lang.String')],
  ];
}

interface Counted {
  readonly counts: readonly number[];
}

/** A name, with the numbers of arguments that it takes after a receiver, unless that is one. */
function shown(name: string, { counts }: Counted, besides = 0): string {
  const input = counts.map((count) => count - besides);
  const [first, last] = [input[0] ?? 0, input.at(-1) ?? 0];
  return input.length > 5
    ? `\`${name}\` (${first} or more)`
    : first === 1 && last === 1
      ? code(name)
      : `\`${name}\` (${first === last ? first : input.join(' or ')})`;
}

function methodsOf(value: unknown): readonly string[] {
  const common = new Set(['equals', 'getClass', 'hashCode', 'toString']);
  return [...METHODS].flatMap(([name, all]) => {
    const own = common.has(name) ? undefined : all.find(({ takes }) => takes(value));
    return own === undefined ? [] : [shown(name, own, 1)];
  });
}

function statics(): string {
  const all = [
    ...[...CONSTRUCTORS].map(([name, made]) => [name, shown('new', made)] as const),
    ...[...STATICS].map(([name, made]) => [name.split('/')[0] ?? '', shown(name.split('/')[1] ?? '', made)] as const),
    ...[...FIELDS.keys()].map((name) => [name.split('/')[0] ?? '', `\`${name.split('/')[1] ?? ''}\``] as const),
  ];
  return members(
    'Class',
    Map.groupBy(all, ([name]) => name)
      .entries()
      .map(([name, of]) => [name, of.map(([, text]) => text)] as const)
      .toArray(),
  );
}

function methods(): string {
  return members('Receiver', [
    ['java.lang.String', STRING_METHODS.map(([name, made]) => shown(name, made, 1))],
    ['collections', COLLECTION_METHODS.map(([name, made]) => shown(name, made, 1))],
    ...receivers().map(([name, value]) => [name, methodsOf(value)] as const),
    ['any value', ['`equals`', '`getClass` (0)', '`hashCode` (0)', '`toString` (0)']],
  ]);
}

function members(first: string, rows: readonly (readonly [string, readonly string[]])[]): string {
  return table(
    [first, 'Members'],
    rows.map(([name, of]) => [name.startsWith('java') ? code(name) : name, [...new Set(of)].join(', ')]),
  );
}

/** The whole page. */
export function javaInteropPage(): string {
  return fromTemplate('java-interop', { parts: { statics: statics(), methods: methods() } });
}
