/**
 * Where in the source is what generated code calls. The emitter puts a mark before every call that can fail, at the
 * column by which the engine names that call in a stack; the marks are then taken out of the text and become a table
 * from places in the code to places in the source. Only a fault that nobody caught looks into it, so nothing is paid
 * while programs run (language.md §17).
 */

export interface SourcePlace {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Enclose a mark; nothing else in generated code is a control character but the line feed. */
const OPEN = '\u0001';
const CLOSE = '\u0002';

export function mark({ start, end }: SourcePlace): string {
  return `${OPEN}${start} ${end - start}${CLOSE}`;
}

export interface PlacedCode {
  readonly code: string;
  /** The table as text: for each mark, in order, lines and columns from the one before, offset from it, and length. */
  readonly places: string;
}

/** Takes the marks out of a text. */
export function takeMarks(text: string): PlacedCode {
  const [first = '', ...marked] = text.split(OPEN);
  const parts = [first];
  const table: string[] = [];
  let lines = newLines(first);
  let column = columnAfter(0, first);
  let before = { column: 0, start: 0 };
  for (const part of marked) {
    const close = part.indexOf(CLOSE);
    const [start = 0, length = 0] = part.slice(0, close).split(' ').map(Number);
    table.push(
      digits(lines),
      digits(lines === 0 ? column - before.column : column),
      digits(zigzag(start - before.start)),
      digits(length),
    );
    before = { column, start };
    const code = part.slice(close + 1);
    parts.push(code);
    lines = newLines(code);
    column = columnAfter(column, code);
  }
  return { code: parts.join(''), places: table.join('') };
}

function newLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function columnAfter(column: number, text: string): number {
  const last = text.lastIndexOf('\n');
  return last < 0 ? column + text.length : text.length - last - 1;
}

/** A call in generated code; line and column from 0. */
export interface CodePlace {
  readonly line: number;
  readonly column: number;
}

/** The source places of calls in the code, in their order, found in one pass; null where there was no mark. */
export function placesAt(places: string, calls: readonly CodePlace[]): (SourcePlace | null)[] {
  const found = new Map<string, SourcePlace | null>(calls.map((call) => [keyOf(call), null]));
  let at = { line: 0, column: 0, start: 0 };
  let index = 0;
  const next = (): number => {
    let number = 0;
    for (;;) {
      const digit = DIGITS.indexOf(places[index] ?? '0');
      index += 1;
      number = number * HALF + (digit % HALF);
      if (digit < HALF) return number;
    }
  };
  while (index < places.length) {
    const lines = next();
    const columns = next();
    const start = at.start + unzigzag(next());
    const end = start + next();
    at = { line: at.line + lines, column: lines === 0 ? at.column + columns : columns, start };
    const key = keyOf(at);
    if (found.has(key)) found.set(key, { start, end });
  }
  return calls.map((call) => found.get(keyOf(call)) ?? null);
}

function keyOf({ line, column }: CodePlace): string {
  return `${line}:${column}`;
}

/** A number is digits of base 32, highest first; all but the last are from the upper half of these. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HALF = 32;

function digits(number: number): string {
  let text = DIGITS[number % HALF] ?? '';
  for (let rest = Math.floor(number / HALF); rest > 0; rest = Math.floor(rest / HALF))
    text = `${DIGITS[HALF + (rest % HALF)] ?? ''}${text}`;
  return text;
}

/** Negative numbers between the others: 0 -1 1 -2 2 … */
function zigzag(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number;
}

function unzigzag(number: number): number {
  return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
}
