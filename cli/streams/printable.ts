/** Names and pointers outside these characters are quoted (cli.md §4). */
const PLAIN = /^[A-Za-z0-9._~/-]+$/;

/** A name or pointer as the failure line shows it: as it is, or as an ASCII string literal. */
export function quotedName(name: string): string {
  if (PLAIN.test(name)) return name;
  const escaped = JSON.stringify(name).replaceAll(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped;
}
