import type { Variables } from '../process/variables.ts';

/** How text for people may look on one stream (cli.md §12.3). Piped bytes are always plain and never wrapped. */
export interface Styling {
  readonly colour: boolean;
  /** Columns to wrap to; null: never wrap. */
  readonly width: number | null;
}

export interface StreamFacts {
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined when unknown. */
  readonly columns: number | undefined;
}

/** Columns assumed of a terminal that does not report its width (cli.md §12.3). */
const WIDTH_DEFAULT = 80;
/** Narrower text is unreadable; a terminal that claims less is not believed. */
const WIDTH_LEAST = 40;

export const PLAIN_STYLING: Styling = { colour: false, width: null };

export function stylingOf({ isTerminal, columns }: StreamFacts, variables: Variables): Styling {
  // Some terminals say 0 for a width they do not know.
  const reported = columns === undefined || columns === 0 ? WIDTH_DEFAULT : columns;
  const width = isTerminal ? Math.max(WIDTH_LEAST, reported) : null;
  return { colour: mayColour(isTerminal, variables), width };
}

/** NO_COLOR wins over FORCE_COLOR; both count when set to anything but the empty string. */
function mayColour(isTerminal: boolean, variables: Variables): boolean {
  if (isSet(variables['NO_COLOR'])) return false;
  if (isSet(variables['FORCE_COLOR']) && variables['FORCE_COLOR'] !== '0') return true;
  return isTerminal && variables['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

const CODES = { bold: ['1', '22'], red: ['31', '39'], yellow: ['33', '39'] } as const;

export function styled(text: string, look: keyof typeof CODES, styling: Styling): string {
  if (!styling.colour) return text;
  const [on, off] = CODES[look];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** A failure or warning line with its first word set off. */
export function styledLine(line: string, styling: Styling): string {
  const [, word, rest] = /^(error|warning|evaluation):(.*)$/su.exec(line) ?? [];
  if (word === undefined || rest === undefined) return line;
  return `${styled(`${word}:`, word === 'warning' ? 'yellow' : 'red', styling)}${rest}`;
}

/**
 * Breaks words onto lines of at most `width` columns; later lines are indented by `indent` spaces, which the caller
 * has already written on the first one. A word longer than a line stays whole.
 */
export function wrapped(text: string, width: number | null, indent: number): string {
  if (width === null || indent + text.length <= width) return text;
  const room = Math.max(1, width - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.join(`\n${' '.repeat(indent)}`);
}
