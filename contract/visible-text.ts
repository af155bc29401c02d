/**
 * What cannot be seen and can move a cursor, start a command of the terminal, forge a line or turn the direction of
 * writing: control characters of both blocks, line and paragraph separators, marks of direction, lone surrogates. Line
 * feed and tab are kept where a text may have lines.
 */
// eslint-disable-next-line no-control-regex
const UNSEEN_IN_LINES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu;
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu;
/** All of that, and what has no width or no shape: two texts that differ in it look the same. */
const INVISIBLE_IN_LINES = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
/** White space that merely ends a line or moves ahead. */
const BREAKS = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/gu;

/**
 * A text of programs, models, servers or files as a person may see it: its lines and tabs stay, nothing else acts
 * (first-day.md §6).
 */
export function visibleLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN_IN_LINES, shown);
}

/** The same on one line: what ends lines becomes a space. */
export function visibleText(text: string): string {
  return text.replaceAll(BREAKS, ' ').replaceAll(UNSEEN, shown);
}

/**
 * Canonical JSON as a person may see it: what cannot be seen is there as the escape that JSON has for it, so that the
 * value is the same. A line feed is between values alone.
 */
export function visibleJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_LINES, escaped);
}

/**
 * A text that a person decides about (approvals.md §3): nothing in it is invisible, not even what holds emoji together,
 * so that what is shown is what is sent.
 */
export function exactLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(INVISIBLE_IN_LINES, shown);
}

/** The same on one line. */
export function exactText(text: string): string {
  return text.replaceAll(BREAKS, ' ').replaceAll(INVISIBLE, shown);
}

/** Canonical JSON that a person decides about, as the same value. */
export function exactJson(json: string): string {
  return json.replaceAll(INVISIBLE_IN_LINES, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function shown(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
