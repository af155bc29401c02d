/**
 * What to do about a run-time error whose own words only say what is wrong: its reason (language.md §17), how it is
 * worded, the remedy.
 */
const REMEDIES: readonly (readonly [string, RegExp, string])[] = [
  ['index_error', /^subs: /u, 'keep begin and end within 0 and (count s)'],
  ['index_error', /^assoc: /u, 'append with conj, or keep the index within 0 and (count v)'],
  [
    'index_error',
    /^nth: /u,
    'test it against (count coll), or give a value for an element that is not there: (nth coll i nil)',
  ],
  ['type_error', / found nothing; /u, 'write the key as the map has it'],
  ['not_callable', / found nothing; /u, 'write the key as the map has it'],
  ['type_error', / must be a number, not string$/u, 'convert it with (parse-long s) or (parse-double s)'],
  [
    'type_error',
    / must be a number, not nil$/u,
    'look for a key that the map does not have, or give nil a value: (:price order 0), (or x 0)',
  ],
  ['type_error', / must be a regex, not string$/u, 'write #"…", or (re-pattern s)'],
  [
    'type_error',
    / must be an atom, not /u,
    'make one with (atom …); a map is changed by assoc or update, which give a new one',
  ],
  [
    'type_error',
    /^nth not supported on this type: /u,
    'take apart a vector or list as [a b], and a map as {:keys [a b]}',
  ],
  [
    'type_error',
    /(?:takes a collection, not|a collection is needed, not|must be a collection, not|^count not supported) /u,
    'give it a collection; [x] is one of a single value',
  ],
  [
    'type_error',
    /^compare: cannot compare /u,
    'sort values of one kind, or (sort-by f coll) with an f that gives one kind',
  ],
  ['type_error', /, not nil$/u, 'give nil a value with (or x …), or leave it out with (some-> x …)'],
  [
    'not_callable',
    /^nil is not a function/u,
    'look for what gives nil here: a key that the map does not have, or a name without a value',
  ],
  ['not_callable', / needs one$/u, 'write a function there: the name of one, a keyword, or #(…)'],
  [
    'not_callable',
    /(?:, not a function|stands first in a call)$/u,
    'write a function first, or the value without brackets around it',
  ],
  ['arithmetic_error', /^Divide by zero$/u, 'test the divisor with zero? before'],
  [
    'java_domain_error',
    /^For input string: /u,
    'use (parse-long s) or (parse-double s), which give nil for such a text',
  ],
  ['value_error', /^Can't pop empty /u, 'test it with seq before'],
  ['value_error', /^No matching clause: /u, 'add the clause, or a last form without a value before it for all others'],
  ['value_error', /^not JSON at offset /u, 'correct the text, or catch the exception where a text may be broken'],
  ['pmap_error', /^pmap: branch /u, 'correct or catch what fails in the function; branch 0 has the first element'],
  ['pcalls_error', /^pcalls: branch /u, 'correct or catch what fails in the function; branch 0 is the first'],
];

/** Null where the words say what to do, or nobody knows. */
export function runRemedyOf(reason: string, message: string): string | null {
  return REMEDIES.find(([known, form]) => known === reason && form.test(message))?.[2] ?? null;
}
