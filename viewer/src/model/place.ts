/** A part of a text, in UTF-16 units, and the line that it begins in, from 1. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Where the details of an error say that it was raised; null where they say nothing that the text has. */
export function placeIn(source: string, details: unknown): Place | null {
  const { line, column, start_byte: startByte, end_byte: endByte } = numbersOf(details);
  if (startByte !== null && endByte !== null) {
    const bytes = new TextEncoder().encode(source);
    if (startByte > endByte || endByte > bytes.length) return null;
    const unitsBefore = (at: number): number => new TextDecoder().decode(bytes.subarray(0, at)).length;
    const start = unitsBefore(startByte);
    return { start, end: Math.max(start, unitsBefore(endByte)), line: source.slice(0, start).split('\n').length };
  }
  if (line === null) return null;
  const lines = source.split('\n');
  const text = lines[line - 1];
  if (text === undefined) return null;
  const before = lines.slice(0, line - 1).reduce((all, { length }) => all + length + 1, 0);
  const units = Array.from(text)
    .slice(0, Math.max(0, (column ?? 1) - 1))
    .join('').length;
  return { start: before + units, end: before + text.length, line };
}

function numbersOf(details: unknown): Readonly<Record<'line' | 'column' | 'start_byte' | 'end_byte', number | null>> {
  const members: Readonly<Record<string, unknown>> = Object(details);
  const number = (name: string): number | null => {
    const value = members[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  return {
    line: number('line'),
    column: number('column'),
    start_byte: number('start_byte'),
    end_byte: number('end_byte'),
  };
}
