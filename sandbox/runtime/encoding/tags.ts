/**
 * The text form of values.
 *
 * A value is a tag and what the tag announces; counts come first, so nothing is searched for. Texts are written as they
 * are, behind their length in UTF-16 units. Every compound value, keyword and longer text gets the next number where it
 * first occurs; where it occurs again there is only its number (`REFERENCE`, base 36). So shared parts are written once
 * and stay shared.
 *
 * What can change (atoms, volatiles, delays, lazy seqs, variables, multimethods, shared cells) is written as a mark
 * alone; the contents of all of them follow behind the value, in the order of the marks. That makes cycles, which
 * always pass through something that changes, no different from other sharing.
 *
 * A number of an object that was hashed by identity (language.md §5, last row) is before it, so that sets and maps with
 * such keys keep their order.
 */
export const TAGS = {
  nil: 'n',
  true: 't',
  false: 'f',
  /** `d1.5,` a double that is not integral. */
  double: 'd',
  /** `D3,` one that is. */
  boxed: 'D',
  notANumber: 'N',
  infinity: 'P',
  minusInfinity: 'M',
  float32: 'e',
  char: 'c',
  /** `s3:abc`. */
  text: 's',
  /** A text with lone surrogates: four hexadecimal digits for each unit. */
  units: 'S',
  keyword: 'k',
  qualifiedKeyword: 'K',
  symbol: 'y',
  qualifiedSymbol: 'Y',
  class: 'j',
  temporal: 'T',
  formatter: 'C',
  named: 'H',
  reference: '^',
  /** The metadata of the compound value that follows it. */
  metadata: '*',
  identity: '#',
  vector: 'v',
  entry: 'x',
  list: 'l',
  /** The first cells of a list, before one that is written elsewhere or has metadata. */
  listOnto: 'm',
  emptySeq: 'E',
  realised: 'q',
  counted: 'Q',
  vectorSeq: 'u',
  deferredSeq: 'g',
  conses: 'o',
  range: 'r',
  lazySeq: 'z',
  arrayMap: 'a',
  hashMap: 'h',
  hashSet: 'i',
  sortedMap: 'A',
  sortedSet: 'B',
  eduction: 'Z',
  atom: '@',
  volatile: '~',
  reduced: '=',
  delay: 'w',
  variable: 'V',
  multimethod: 'X',
  record: 'I',
  recordType: 'J',
  protocol: 'L',
  reified: 'W',
  queue: '$',
  matcher: '%',
  cell: '&',
  /** A function of a code unit: block, number, captures. */
  unit: 'F',
  builtin: 'b',
  /** A function that a built-in made of its arguments. */
  derived: 'G',
  exported: 'O',
  exception: '!',
  program: 'p',
  regex: 'R',
  absent: '?',
  unbound: 'U',
} as const;

/** States of what runs once, before its content. */
export const STATES = {
  /** Not run: a function of the program. */
  waiting: '0',
  /** Not run: a body of the runtime's own, and its captures. */
  waitingBody: '1',
  /** Run; the value. */
  done: '2',
  /** Run, but what it gave is not looked at yet; of a delay: the exception it raised. */
  other: '3',
} as const;

/** Texts this long get a number. A number is rarely longer. */
export const NUMBERED_TEXT = 4;
