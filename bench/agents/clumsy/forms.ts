/** Places of forms in the text of a program, as far as whoever corrects one has to find them. */

/** Offsets: of the first character, and behind the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const DELIMITERS = new Set(['(', ')', '[', ']', '{', '}', '"', ';', ',']);

/** Offset of a line and column, both from 1. */
export function offsetOf(program: string, line: number, column: number): number {
  const lines = program.split('\n');
  return lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}

/** What closes the delimiter that stands at an offset; null: none stands there. */
export function closerAt(program: string, offset: number): string | null {
  return CLOSERS[program[offset] ?? ''] ?? null;
}

/** The form that begins at an offset or behind the spaces and comments there; null: none does, or it does not end. */
export function formAt(program: string, from: number): Span | null {
  const start = skipSpace(program, from);
  const first = program[start];
  if (first === undefined || first === ')' || first === ']' || first === '}') return null;
  if (first === '"') return textFrom(program, start, start);
  if (first === '#' && program[start + 1] === '"') return textFrom(program, start, start + 1);
  if (first === "'" || first === '#') {
    const inner = formAt(program, start + 1);
    return inner === null ? null : { start, end: inner.end };
  }
  if (first in CLOSERS) {
    const inside = partsOf(program, start);
    if (inside === null) return null;
    const end = skipSpace(program, inside.at(-1)?.end ?? start + 1);
    return program[end] === CLOSERS[first] ? { start, end: end + 1 } : null;
  }
  let end = start;
  while (end < program.length && !DELIMITERS.has(program[end] ?? '') && !/\s/.test(program[end] ?? '')) end += 1;
  return { start, end };
}

/** The forms within the list, vector or map that opens at an offset; null: one of them does not end. */
export function partsOf(program: string, open: number): readonly Span[] | null {
  const parts: Span[] = [];
  let at = skipSpace(program, open + 1);
  while (at < program.length && !')]}'.includes(program[at] ?? '')) {
    const part = formAt(program, at);
    if (part === null) return null;
    parts.push(part);
    at = skipSpace(program, part.end);
  }
  return parts;
}

/** Text of a span. */
export function textOf(program: string, { start, end }: Span): string {
  return program.slice(start, end);
}

/** A program with another text in the place of a span. */
export function replaced(program: string, { start, end }: Span, text: string): string {
  return program.slice(0, start) + text + program.slice(end);
}

/** The forms of a program that stand in no other. */
export function topForms(program: string): readonly Span[] {
  const forms: Span[] = [];
  for (let form = formAt(program, 0); form !== null; form = formAt(program, form.end)) forms.push(form);
  return forms;
}

/** Offsets of the lists that begin with a name. */
export function callsOf(program: string, name: string): readonly number[] {
  const found: number[] = [];
  for (let at = program.indexOf(`(${name}`); at >= 0; at = program.indexOf(`(${name}`, at + 1))
    if (/[\s)]/.test(program[at + name.length + 1] ?? ' ')) found.push(at);
  return found;
}

/** The value that stands behind a key in a map literal, `"key"` or `:key`; the last one of several. */
export function valueOfKey(program: string, key: string): Span | null {
  const at = Math.max(
    program.lastIndexOf(`"${key}" `),
    program.lastIndexOf(`{:${key} `),
    program.lastIndexOf(` :${key} `),
  );
  if (at < 0) return null;
  const literal = formAt(program, program[at] === '"' ? at : at + 1);
  return literal === null ? null : formAt(program, literal.end);
}

/** A program in which a symbol, keyword or text has another name everywhere. */
export function renamed(program: string, from: string, to: string): string {
  const quoted = from.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return program.replace(new RegExp(`(?<![\\w./*+!?:<>=-])${quoted}(?![\\w./*+!?<>=-])`, 'g'), () => to);
}

function skipSpace(program: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < program.length && /[\s,]/.test(program[at] ?? '')) at += 1;
    if (program[at] !== ';') return at;
    while (at < program.length && program[at] !== '\n') at += 1;
  }
}

function textFrom(program: string, start: number, quote: number): Span | null {
  for (let at = quote + 1; at < program.length; at += 1) {
    if (program[at] === '\\') at += 1;
    else if (program[at] === '"') return { start, end: at + 1 };
  }
  return null;
}
