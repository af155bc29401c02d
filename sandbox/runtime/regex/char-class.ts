import { foldedSet, negated } from './char-sets.ts';
import { classEscape, escapedCodePoint } from './escapes.ts';
import type { PatternCursor } from './pattern-cursor.ts';
import type { CharTest } from './syntax.ts';

/** A bracketed class after its `[`. */
export function charClass(cursor: PatternCursor): CharTest {
  cursor.enter();
  const negative = cursor.eat('^');
  const operands: CharTest[][] = [[]];
  for (let started = false; ; started = true) {
    const quoted = cursor.quoted();
    if (cursor.at >= cursor.text.length) cursor.fail('Unclosed character class');
    if (quoted) {
      operands.at(-1)?.push(classMember(cursor));
      continue;
    }
    if (started && cursor.eat(']')) break;
    if (cursor.eat('&&')) operands.push([]);
    else if (cursor.eat('[')) operands.at(-1)?.push(charClass(cursor));
    else operands.at(-1)?.push(classMember(cursor));
  }
  cursor.leave();
  const parts = operands.filter((members) => members.length > 0).map(union);
  const all: CharTest = parts.length === 1 && parts[0] !== undefined ? parts[0] : (c) => parts.every((part) => part(c));
  return negative ? negated(all) : all;
}

/** One character, range or escape inside brackets. */
function classMember(cursor: PatternCursor): CharTest {
  const escaped = !cursor.isQuoting && cursor.eat('\\');
  if (escaped) {
    const test = classEscape(cursor);
    if (test !== null) return test;
  }
  const low = escaped ? escapedCodePoint(cursor) : cursor.codePoint();
  if (cursor.isQuoting || !isRange(cursor)) return foldedSet((c) => c === low, cursor.flags);
  cursor.at++;
  const high = cursor.eat('\\') ? escapedCodePoint(cursor) : cursor.codePoint();
  if (high < low) cursor.fail('Illegal character range');
  return foldedSet((c) => c >= low && c <= high, cursor.flags);
}

function isRange(cursor: PatternCursor): boolean {
  if (cursor.peek() !== '-') return false;
  const after = cursor.text.charAt(cursor.at + 1);
  return after !== '' && after !== ']' && after !== '[' && !cursor.text.startsWith('&&', cursor.at + 1);
}

function union(members: readonly CharTest[]): CharTest {
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : (c) => members.some((member) => member(c));
}
