/**
 * What is wrong with JSON at a place, reported by what is there and before it; nothing of the text itself is reported.
 */
export interface SyntaxProblem {
  readonly problem: string | null;
  /** The byte at which it is, which may be before the one at which it was seen. */
  readonly offset: number;
}

interface TextContext {
  /** The character at which the text stops to be JSON; empty at its end. */
  readonly here: string;
  /** The last one before it that is no white space; empty at the beginning. */
  readonly before: string;
  /** Whether nothing is between the two. */
  readonly adjoins: boolean;
}

const BEGINS_NUMBER = /[\d-]/u;
const ENDS_VALUE = /["\d\]}a-z]/u;

/** The first that holds is reported. */
const PROBLEMS: readonly (readonly [(around: TextContext) => boolean, string])[] = [
  [({ here, before }) => here === '' && before === '', 'the document is empty'],
  [({ here }) => here === '', 'the document ends too early: a quotation mark, a brace or a bracket is not closed'],
  [({ here }) => here === '/' || here === '#', 'comments are not JSON'],
  [({ here }) => here === "'", 'texts and names stand in double quotation marks'],
  [endsWithComma, 'a comma stands behind the last member or item'],
  [({ here, before }) => isClosing(here) && before === ':', 'a value is missing'],
  [({ here }) => isClosing(here), 'a brace or bracket closes nothing that is open here'],
  [({ here }) => here < ' ', 'a text goes on over the end of its line, or holds a control character'],
  [({ here }) => here === '\\', 'the text has an escape that JSON does not have'],
  [
    ({ here, before, adjoins }) => /[+.]/u.test(here) || (adjoins && /\d/u.test(before) && /[\da-z]/iu.test(here)),
    'a number is written as JSON does not write numbers',
  ],
  [
    ({ here }) => /\p{L}/u.test(here),
    'a word that JSON does not have; texts and names stand in double quotation marks',
  ],
  [
    ({ here, before }) => /["\d{[-]/u.test(here) && ENDS_VALUE.test(before),
    'a comma or a colon is missing before this',
  ],
  [({ here, before }) => BEGINS_NUMBER.test(here) && !ENDS_VALUE.test(before), 'the number is too large'],
];

/** Why a text is no JSON, where it stops to be JSON at `offset`. */
export function syntaxProblem(bytes: Uint8Array, offset: number): SyntaxProblem {
  let last = offset - 1;
  while (last >= 0 && isWhiteSpace(bytes[last])) last -= 1;
  const around: TextContext = {
    here: characterAt(bytes, offset),
    before: characterAt(bytes, last),
    adjoins: last === offset - 1,
  };
  const found = PROBLEMS.find(([holds]) => holds(around));
  return { problem: found?.[1] ?? null, offset: endsWithComma(around) ? last : offset };
}

function endsWithComma({ here, before }: TextContext): boolean {
  return isClosing(here) && before === ',';
}

function isClosing(character: string): boolean {
  return character === '}' || character === ']';
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** UTF-8 bytes of one character at most. */
const CHARACTER_BYTES_MAX = 4;

const decoder = new TextDecoder();

function characterAt(bytes: Uint8Array, offset: number): string {
  return offset < 0 ? '' : (Array.from(decoder.decode(bytes.subarray(offset, offset + CHARACTER_BYTES_MAX)))[0] ?? '');
}
