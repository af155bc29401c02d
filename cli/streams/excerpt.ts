import { eastAsianWidth } from 'get-east-asian-width';
import type { ExplainedPlace } from '../../contract/diagnostics/explanation.ts';
import { visibleLines } from '../../contract/visible-text.ts';
import { styled, type Styling } from './styling.ts';

/** Columns from one tab stop to the next. */
const TAB = 4;

/** Columns for a line where the stream does not report its width. */
const WIDTH_DEFAULT = 80;

/** Columns before what is meant, of a line too long to be shown whole: the lesser part of its room. */
const LEADING_PART = 3;

interface Cell {
  readonly text: string;
  /** Columns. */
  readonly width: number;
}

/**
 * The line of a place and a caret below what is meant, for a terminal; nothing for a place without excerpt. A line that
 * is wider than the terminal is cut on the sides; none of it can move the cursor.
 */
export function excerptLines({ line, column, excerpt }: ExplainedPlace, styling: Styling): readonly string[] {
  if (excerpt === null) return [];
  const number = String(line);
  const gutter = `  ${number} | `;
  const room = (styling.width ?? WIDTH_DEFAULT) - gutter.length - 1;
  const target = Math.max(0, column - 1 - (excerpt.skipped ?? 0));
  const { before, within, after } = cut(excerpt.text, target, excerpt.length, room);
  const caret = '^'.repeat(Math.max(1, widthOf(within)));
  return [
    `${gutter}${textOf(before)}${styled(textOf(within), 'bold', styling)}${textOf(after)}`,
    `  ${' '.repeat(number.length)} | ${' '.repeat(widthOf(before))}${styled(caret, 'red', styling)}`,
  ];
}

interface Parts {
  readonly before: readonly Cell[];
  readonly within: readonly Cell[];
  readonly after: readonly Cell[];
}

const ELLIPSIS: Cell = { text: '…', width: 1 };

/** What of a line fits into `room` columns around the part that begins `target` code points from its start. */
function cut(text: string, target: number, length: number, room: number): Parts {
  const start = offsetOf(text, target);
  // No more code points than columns are looked at on either side, however long the line.
  const ahead = cells(text.slice(Math.max(0, start - room * 2), start));
  const behind = cells(text.slice(start, start + (room + 1) * 2));
  const isWhole =
    start <= room * 2 && start + (room + 1) * 2 >= text.length && widthOf(ahead) + widthOf(behind) <= room;
  if (isWhole) return { before: ahead, within: behind.slice(0, length), after: behind.slice(length) };
  const least = Math.min(length, behind.length);
  const before = lastWithin(ahead, Math.max(Math.floor(room / LEADING_PART), room - widthOf(behind)), start > room * 2);
  const left = room - widthOf(before);
  const shown = firstWithin(behind, left, start + (room + 1) * 2 < text.length);
  return { before, within: shown.slice(0, least), after: shown.slice(least) };
}

/** As many of the last cells as fit, behind an ellipsis if some are missing. */
function lastWithin(all: readonly Cell[], room: number, isCut: boolean): readonly Cell[] {
  if (!isCut && widthOf(all) <= room) return all;
  return [ELLIPSIS, ...firstFitting(all.toReversed(), room - 1).toReversed()];
}

function firstWithin(all: readonly Cell[], room: number, isCut: boolean): readonly Cell[] {
  if (!isCut && widthOf(all) <= room) return all;
  return [...firstFitting(all, room - 1), ELLIPSIS];
}

function firstFitting(all: readonly Cell[], room: number): readonly Cell[] {
  let width = 0;
  const beyond = all.findIndex((cell) => (width += cell.width) > room);
  return beyond === -1 ? all : all.slice(0, beyond);
}

/** Code units before so many code points. */
function offsetOf(text: string, points: number): number {
  let offset = 0;
  for (let passed = 0; passed < points && offset < text.length; passed += 1) {
    const isPair = text.codePointAt(offset) ?? 0;
    offset += isPair > 0xffff ? 2 : 1;
  }
  return offset;
}

function cells(text: string): readonly Cell[] {
  let column = 0;
  return Array.from(text, (character) => {
    const cell = cellOf(character, column);
    column += cell.width;
    return cell;
  });
}

/** Marks on the character before, and joiners. */
const WITHOUT_WIDTH = /^(?:\p{M}|[\u200b-\u200d]|\ufe0f)$/u;

function cellOf(character: string, column: number): Cell {
  const point = character.codePointAt(0) ?? 0;
  if (character === '\t') {
    const width = TAB - (column % TAB);
    return { text: ' '.repeat(width), width };
  }
  const text = visibleLines(character);
  if (text !== character) return { text, width: text.length };
  return { text, width: WITHOUT_WIDTH.test(character) ? 0 : eastAsianWidth(point) };
}

function widthOf(all: readonly Cell[]): number {
  return all.reduce((sum, { width }) => sum + width, 0);
}

function textOf(all: readonly Cell[]): string {
  return all.map(({ text }) => text).join('');
}
