/** Variables of an environment file by name; the last assignment of a name counts. */
export type EnvironmentValues = ReadonlyMap<string, string>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * `KEY=VALUE` lines (providers.md §4): blank ones and those that begin with `#` are passed over, outer white space and one
 * pair of quotes go, nothing is expanded. Null for a line that is neither.
 */
export function parseEnvironmentFile(text: string): EnvironmentValues | null {
  const values = new Map<string, string>();
  for (const untrimmed of text.split('\n')) {
    const line = untrimmed.trim();
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(0, equals)).trim();
    if (!NAME.test(name)) return null;
    values.set(name, withoutQuotes(line.slice(equals + 1).trim()));
  }
  return values;
}

function withoutQuotes(value: string): string {
  const [first] = value;
  const isQuoted = value.length >= 2 && (first === '"' || first === "'") && value.endsWith(first);
  return isQuoted ? value.slice(1, -1) : value;
}
