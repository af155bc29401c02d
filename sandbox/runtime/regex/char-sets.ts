import type { CharTest, Flags } from './syntax.ts';
import { isStackEnd } from '../errors.ts';

export function isAsciiWord(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95;
}

function between(least: number, most: number): CharTest {
  return (c) => c >= least && c <= most;
}

function oneOf(text: string): CharTest {
  const members = new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0));
  return (c) => members.has(c);
}

const isDigit = between(48, 57);
const isLower = between(97, 122);
const isUpper = between(65, 90);
const isAlpha: CharTest = (c) => isLower(c) || isUpper(c);
const isAlnum: CharTest = (c) => isAlpha(c) || isDigit(c);
const isSpace = oneOf(' \t\n\u000b\f\r');
const isPunctuation: CharTest = (c) => c > 32 && c < 127 && !isAlnum(c);

export const isHorizontalSpace = oneOf(
  ' \t\u00a0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);
export const isVerticalSpace = oneOf('\n\u000b\f\r\u0085\u2028\u2029');
export const isLineTerminator = oneOf('\n\r\u0085\u2028\u2029');

export function negated(test: CharTest): CharTest {
  return (c) => !test(c);
}

/** A property of Unicode as the engine knows it; the first 256 answers are kept. */
function unicodeProperty(expression: string): CharTest | null {
  let matcher: RegExp;
  try {
    matcher = new RegExp(`^\\p{${expression}}$`, 'u');
  } catch (error) {
    if (error instanceof SyntaxError && !isStackEnd(error)) return null;
    throw error;
  }
  const known = new Map<number, boolean>();
  return (c) => {
    const found = c < 256 ? known.get(c) : undefined;
    if (found !== undefined) return found;
    const answer = matcher.test(String.fromCodePoint(c));
    if (c < 256) known.set(c, answer);
    return answer;
  };
}

const unicodeWord = unicodeProperty('Alphabetic');
const unicodeMark = unicodeProperty('M');
const unicodeDigit = unicodeProperty('Nd');
const unicodeConnector = unicodeProperty('Pc');
const unicodeSpace = unicodeProperty('White_Space');

function anyOf(tests: readonly (CharTest | null)[]): CharTest {
  return (c) => tests.some((test) => test?.(c) === true);
}

export const isUnicodeWord: CharTest = anyOf([
  unicodeWord,
  unicodeMark,
  unicodeDigit,
  unicodeConnector,
  (c) => c === 0x200c || c === 0x200d,
]);

/** `\d \w \s \h \v` and their opposites; null for other letters. */
export function shorthand(letter: string, flags: Flags): CharTest | null {
  const unicode = flags.unicodeClasses;
  switch (letter) {
    case 'd':
      return unicode && unicodeDigit !== null ? unicodeDigit : isDigit;
    case 'w':
      return unicode ? isUnicodeWord : isAsciiWord;
    case 's':
      return unicode && unicodeSpace !== null ? unicodeSpace : isSpace;
    case 'h':
      return isHorizontalSpace;
    case 'v':
      return isVerticalSpace;
    case 'D':
    case 'W':
    case 'S':
    case 'H':
    case 'V': {
      const positive = shorthand(letter.toLowerCase(), flags);
      return positive === null ? null : negated(positive);
    }
    default:
      return null;
  }
}

const POSIX: Readonly<Record<string, CharTest>> = {
  Lower: isLower,
  Upper: isUpper,
  ASCII: between(0, 127),
  Alpha: isAlpha,
  Digit: isDigit,
  Alnum: isAlnum,
  Punct: isPunctuation,
  Graph: between(33, 126),
  Print: between(32, 126),
  Blank: oneOf(' \t'),
  Cntrl: (c) => c < 32 || c === 127,
  XDigit: (c) => isDigit(c) || between(97, 102)(c) || between(65, 70)(c),
  Space: isSpace,
};

const unicodeGraph = negated(anyOf(['White_Space', 'Cc', 'Cs', 'Cn'].map(unicodeProperty)));
const unicodeBlank = anyOf([unicodeProperty('Zs'), (c) => c === 9]);

const POSIX_UNICODE: Readonly<Record<string, CharTest | null>> = {
  Lower: unicodeProperty('Lowercase'),
  Upper: unicodeProperty('Uppercase'),
  Alpha: unicodeWord,
  Digit: unicodeDigit,
  Alnum: anyOf([unicodeWord, unicodeDigit]),
  Punct: unicodeProperty('P'),
  Graph: unicodeGraph,
  Print: anyOf([unicodeGraph, unicodeBlank]),
  Blank: unicodeBlank,
  Cntrl: unicodeProperty('Cc'),
  XDigit: anyOf([unicodeDigit, unicodeProperty('Hex_Digit')]),
  Space: unicodeSpace,
};

/**
 * Sets of letters of one case by how Java asks for them: where case does not count, each of a kind is all of its kind.
 */
const CASES: readonly (readonly string[])[] = [
  ['Lu', 'Ll', 'Lt'],
  ['Upper', 'Lower'],
  ['javaUpperCase', 'javaLowerCase', 'javaTitleCase'],
  ['IsUppercase', 'IsLowercase', 'IsTitlecase'],
];

/** The names of the sets that a name means where case does not count; null for a name that is not about case. */
function everyCase(name: string): readonly string[] | null {
  const property = name.replace(/^(?:Is|(?:gc|general_category)=)(?=L[ult]$)/i, '');
  return (
    CASES.find((names) =>
      names.some(
        (each) => each === property || (each.startsWith('Is') && each.toLowerCase() === property.toLowerCase()),
      ),
    ) ?? null
  );
}

const JAVA_TESTS: Readonly<Record<string, string>> = {
  javaLowerCase: 'Lowercase',
  javaUpperCase: 'Uppercase',
  javaAlphabetic: 'Alphabetic',
  javaDigit: 'Nd',
  javaLetter: 'L',
  javaIdeographic: 'Ideographic',
  javaTitleCase: 'Lt',
  javaDefined: 'Assigned',
};

const BINARY: Readonly<Record<string, string>> = {
  ALPHABETIC: 'Alphabetic',
  LOWERCASE: 'Lowercase',
  UPPERCASE: 'Uppercase',
  IDEOGRAPHIC: 'Ideographic',
  LETTER: 'L',
  DIGIT: 'Nd',
  PUNCTUATION: 'P',
  CONTROL: 'Cc',
  TITLECASE: 'Lt',
  WHITE_SPACE: 'White_Space',
  WHITESPACE: 'White_Space',
  HEX_DIGIT: 'Hex_Digit',
  HEXDIGIT: 'Hex_Digit',
  JOIN_CONTROL: 'Join_Control',
  ASSIGNED: 'Assigned',
  EMOJI: 'Emoji',
  EMOJI_PRESENTATION: 'Emoji_Presentation',
  EXTENDED_PICTOGRAPHIC: 'Extended_Pictographic',
};

function scriptProperty(name: string): CharTest | null {
  const proper = name
    .toLowerCase()
    .replace(/(^|_)([a-z])/g, (_all, gap: string, letter: string) => gap + letter.toUpperCase());
  return unicodeProperty(`Script=${proper}`);
}

/** The set that `\p{NAME}` means; null when it is unknown or not supported. */
export function property(name: string, flags: Flags): CharTest | null {
  const cases = flags.ignoreCase ? everyCase(name) : null;
  return cases === null ? propertyOfCase(name, flags) : anyOf(cases.map((each) => propertyOfCase(each, flags)));
}

function propertyOfCase(name: string, flags: Flags): CharTest | null {
  const equals = name.indexOf('=');
  if (equals !== -1) {
    const key = name.slice(0, equals).toLowerCase();
    const value = name.slice(equals + 1);
    if (key === 'sc' || key === 'script') return scriptProperty(value);
    if (key === 'gc' || key === 'general_category') return unicodeProperty(`General_Category=${value}`);
    return null;
  }
  if (flags.unicodeClasses && POSIX_UNICODE[name] !== undefined) return POSIX_UNICODE[name];
  const simple = POSIX[name];
  if (simple !== undefined) return simple;
  const java = JAVA_TESTS[name];
  if (java !== undefined) return unicodeProperty(java);
  if (name === 'javaWhitespace') return isJavaWhitespace;
  if (name === 'L1') return between(0, 255);
  if (name === 'all') return () => true;
  if (name === 'LC') return unicodeProperty('LC');
  if (name.startsWith('Is')) {
    const rest = name.slice(2);
    const binary = BINARY[rest.toUpperCase()];
    if (binary !== undefined) return unicodeProperty(binary);
    return generalCategory(rest) ?? scriptProperty(rest);
  }
  return generalCategory(name);
}

function generalCategory(name: string): CharTest | null {
  return /^[A-Z][a-z]?$/.test(name) ? unicodeProperty(`General_Category=${name}`) : null;
}

/** Java's Character.isWhitespace: separators without the no-break ones, and control characters that are space. */
export function isJavaWhitespace(c: number): boolean {
  if (c < 128) return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
  return (
    c === 0x1680 ||
    (c >= 0x2000 && c <= 0x200a && c !== 0x2007) ||
    c === 0x2028 ||
    c === 0x2029 ||
    c === 0x205f ||
    c === 0x3000
  );
}

function single(text: string, fallback: number): number {
  const code = text.codePointAt(0) ?? fallback;
  return String.fromCodePoint(code) === text ? code : fallback;
}

/** Simple case folding of one code point, as Java does it: upper case, then lower. */
export function foldUnicode(c: number): number {
  const upper = single(String.fromCodePoint(c).toUpperCase(), c);
  return single(String.fromCodePoint(upper).toLowerCase(), upper);
}

export function foldAscii(c: number): number {
  return c >= 65 && c <= 90 ? c + 32 : c;
}

/** A set that also takes the other case of its members where the flags ask for it. */
export function foldedSet(test: CharTest, flags: Flags): CharTest {
  if (!flags.ignoreCase) return test;
  if (!flags.unicodeCase) {
    return (c) => test(c) || (isUpper(c) ? test(c + 32) : isLower(c) && test(c - 32));
  }
  return (c) => {
    if (test(c)) return true;
    const text = String.fromCodePoint(c);
    const upper = single(text.toUpperCase(), c);
    return test(upper) || test(single(text.toLowerCase(), c)) || test(foldUnicode(c));
  };
}
