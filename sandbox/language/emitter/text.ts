/** How texts of a program enter generated code: as ASCII literals and as made-up identifiers, never as they are. */

/** A JavaScript string literal of printable ASCII. */
export function stringLiteral(text: string): string {
  let literal = '"';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) literal += `\\${text[index]}`;
    else if (unit >= 0x20 && unit < 0x7f) literal += text[index];
    else literal += `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return `${literal}"`;
}

const HINT_LENGTH = 24;

/** A JavaScript identifier that reminds of a name; the number makes it unique and keeps it off reserved words. */
export function identifier(hint: string, number: number): string {
  const letters = hint
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, HINT_LENGTH)
    .replace(/_+$/, '');
  return letters === '' || /^[0-9]/.test(letters) ? `v${letters}_${number}` : `${letters}_${number}`;
}

/** True for texts that may be repeated in generated code: identifiers and number literals. */
export function isSimple(expression: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_$]*$/.test(expression) || /^-?[0-9]+$/.test(expression);
}

/** True for number literals within 32 bits. */
export function isSmallInteger(expression: string): boolean {
  return /^-?[0-9]{1,9}$/.test(expression) && expression !== '-0';
}
