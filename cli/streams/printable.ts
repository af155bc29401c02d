/**
 * Text of unknown origin on one line of a terminal: control characters, line separators and characters that turn the
 * direction of writing become spaces, so that nothing printed can move the cursor or forge a second line.
 */
export function onOneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, ' ');
}

/** Names and pointers outside these characters are quoted (cli.md §4). */
const PLAIN = /^[A-Za-z0-9._~/-]+$/;

/** A name or pointer as the failure line shows it: as it is, or as an ASCII string literal. */
export function quotedName(name: string): string {
  if (PLAIN.test(name)) return name;
  const escaped = JSON.stringify(name)
    .replaceAll(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped;
}
