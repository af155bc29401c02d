/** How texts of a program enter generated code: as ASCII literals and as made-up identifiers, never as they are. */

/** A JavaScript string literal of printable ASCII. */
export function stringLiteral(text: string): string {
  let literal = '"';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) literal += `\\${text[index]}`;
    else if (unit === 0x0a) literal += '\\n';
    else if (unit >= 0x20 && unit < 0x7f) literal += text[index];
    else literal += `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return `${literal}"`;
}

const HINT_LENGTH = 24;

/**
 * Letters, digits and single underscores that remind of a name; begins with a letter. Without patterns: each would be
 * compiled again in every isolate, for nearly every program (bench/README.md).
 */
export function letters(hint: string): string {
  let text = '';
  for (let index = 0; index < hint.length && text.length < HINT_LENGTH; index += 1) {
    const unit = hint.charCodeAt(index);
    if (isLetter(unit) || isDigit(unit)) text += hint[index];
    else if (text !== '' && !text.endsWith('_')) text += '_';
  }
  if (text.endsWith('_')) text = text.slice(0, -1);
  return text === '' || isDigit(text.charCodeAt(0)) ? `v${text}` : text;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** True for texts that may be repeated in generated code: identifiers and number literals. */
export function isSimple(expression: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_$]*$/.test(expression) || /^-?[0-9]+$/.test(expression);
}

/** Generated code is written without indentation, which would be a third of it; this adds it for people. */
export function indented(code: string): string {
  let depth = 0;
  const lines = code.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const shown = line === '' ? line : `${'  '.repeat(depth)}${line}`;
    if (line.endsWith('{')) depth += 1;
    return shown;
  });
  return lines.join('\n');
}
