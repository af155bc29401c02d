/** Which units separate tokens, after language.md §2. */

/** Java's isWhitespace: Unicode separators except the three no-break spaces, and the ASCII controls that separate. */
export function isJavaWhitespace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f);
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

const COMMA = 0x2c;

export function isBlank(unit: number): boolean {
  return unit === COMMA || isJavaWhitespace(unit);
}

const TERMINATORS = new Set(Array.from('";@^`~\\()[]{}', (text) => text.charCodeAt(0)));

/** True where a symbol, keyword, number or character token must end. */
export function endsToken(unit: number): boolean {
  return isBlank(unit) || TERMINATORS.has(unit);
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
