/** Classes and members that programs may use in the syntax of Java interop. */
import { CONSTRUCTORS, FIELDS, METHODS, STATICS } from '../../sandbox/language/java/table.ts';
import { code, page, table } from './tables.ts';

const counts = (given: readonly number[]): string => [...new Set(given)].toSorted((left, right) => left - right).join(' or ');

function byClass(): ReadonlyMap<string, { readonly statics: readonly string[]; readonly fields: readonly string[] }> {
  const classes = new Map<string, { statics: string[]; fields: string[] }>();
  const of = (key: string): { statics: string[]; fields: string[] } => {
    const [name = ''] = key.split('/');
    const found = classes.get(name) ?? { statics: [], fields: [] };
    classes.set(name, found);
    return found;
  };
  for (const [key, member] of STATICS) of(key).statics.push(`${key.split('/')[1] ?? key} (${counts(member.counts)})`);
  for (const key of FIELDS.keys()) of(key).fields.push(key.split('/')[1] ?? key);
  return classes;
}

/** The whole page. */
export function javaInteropPage(): string {
  const classes = [...byClass()].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const methods = [...METHODS].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return page(
    '# Java-style interop',
    'Models write Java interop into Clojure because most Clojure does. The part of it that works on text, numbers, dates and collections is here, in its usual spelling; there is no Java virtual machine behind it, no reflection, and no class beyond this page.',
    '## Forms',
    table(['Form', 'What it does'], [
      ['`(.method value argument ...)`, `(. value method argument ...)`', 'calls a method of a value'],
      ['`(Class/member argument ...)`', 'calls a static member'],
      ['`Class/FIELD`', 'the value of a static field'],
      ['`(Class. argument ...)`, `(new Class argument ...)`', 'makes a value'],
      ['`(.. value (a) (b))`, `(doto value (.a) (.b))`', 'calls one after the other'],
      ['`(instance? Class value)`', 'whether a value is of a class; the usual classes and interfaces of Clojure\'s own values are known'],
      ['`(catch Class e ...)`', 'catches errors of a class and of those below it'],
    ]),
    'A method that a value does not have is an error when it is called, one that no value has already when the program is compiled, both with the nearest name. A number of arguments that a member does not take is refused in the same way.',
    '## Constructors',
    table(['Class', 'Arguments'], [...CONSTRUCTORS].map(([name, { counts: given }]) => [code(name), counts(given)])),
    '## Static members and fields',
    'The number in brackets is how many arguments a member takes.',
    table(['Class', 'Members', 'Fields'], classes.map(([name, { statics, fields }]) => [code(name), statics.map(code).join(', ') || '-', fields.map(code).join(', ') || '-'])),
    '## Methods',
    'Arguments are counted without the value that the method is called on.',
    table(['Method', 'Arguments'], methods.map(([name, all]) => [code(`.${name}`), counts(all.flatMap((method) => method.counts))])),
    '## Examples',
    ['```clojure', '(.toUpperCase "abc")', ';=> "ABC"', '(Math/abs -3)', ';=> 3', '(Integer/parseInt "42")', ';=> 42', '(.plusDays (java.time.LocalDate/parse "2024-02-28") 2)', ';=> #object[java.time.LocalDate "2024-03-01"]', '```'].join('\n'),
  );
}
