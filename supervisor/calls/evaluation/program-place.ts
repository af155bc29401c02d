import { linePosition } from '../../../contract/json/line-position.ts';
import type { ByteSpan } from '../../../contract/sandbox-protocol.ts';

/** A place of a program as a model is shown it (world.md §3.2). */
export interface ProgramPlace {
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
  /** The line, or the part of it that is around the place. */
  readonly text: string;
  /** Which character of `text` is the place, from 1; beyond the last where something is missing at the end. */
  readonly mark: number;
}

/** Characters of a line that are shown. */
const LINE_LENGTH_MAX = 160;
/** Those of them before the place, in a line that is cut. */
const BEFORE = 100;
const CUT = '…';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function programPlace(source: string, { start_byte: start }: ByteSpan): ProgramPlace {
  const bytes = encoder.encode(source);
  const { line, column, lineStart, lineEnd } = linePosition(bytes, start);
  // A tab would move the mark below it, and so would a character of no width of its own.
  const characters = Array.from(decoder.decode(bytes.subarray(lineStart, lineEnd)).replaceAll(/\p{Cc}/gu, ' '));
  if (characters.length <= LINE_LENGTH_MAX) return { line, column, text: characters.join(''), mark: column };
  const from = Math.min(Math.max(0, column - 1 - BEFORE), characters.length - LINE_LENGTH_MAX);
  const shown = characters.slice(from, from + LINE_LENGTH_MAX);
  if (from > 0) shown[0] = CUT;
  if (from + LINE_LENGTH_MAX < characters.length) shown[LINE_LENGTH_MAX - 1] = CUT;
  return { line, column, text: shown.join(''), mark: column - from };
}
