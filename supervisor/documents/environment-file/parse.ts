/** Variables of an environment file by name; the last assignment of a name counts. */
export type EnvironmentValues = ReadonlyMap<string, string>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * `KEY=VALUE` lines (providers.md §4): blank ones and those that begin with `#` are passed over, outer white space and
 * one pair of quotes go, nothing is expanded. The number of the first line that is neither, from 1, where there is one.
 */
export function parseEnvironmentFile(text: string): EnvironmentValues | number {
  const values = new Map<string, string>();
  for (const [index, untrimmed] of text.split('\n').entries()) {
    const line = untrimmed.trim();
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(0, equals)).trim();
    if (!NAME.test(name)) return index + 1;
    values.set(name, withoutQuotes(line.slice(equals + 1).trim()));
  }
  return values;
}

function withoutQuotes(value: string): string {
  const [first] = value;
  const isQuoted = value.length >= 2 && (first === '"' || first === "'") && value.endsWith(first);
  return isQuoted ? value.slice(1, -1) : value;
}
