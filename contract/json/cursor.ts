import type { JsonFault } from './fault.ts';

/** The position of a scan. Byte offset = `index` + `shift`: one UTF-16 unit takes one to three bytes. */
export interface Cursor {
  readonly text: string;
  index: number;
  shift: number;
  /** Where a scan in slices leaves off, at the next place where it can; the text's end in the last slice. */
  stopAt: number;
  /** The string in which it left off. */
  token: OpenString | null;
  /** Set by whichever function returned `undefined`. */
  fault: JsonFault | null;
}

/** A string token of which the cursor has passed only the beginning. */
export interface OpenString {
  /** Position of its quote. */
  readonly start: number;
  /** Index of the first unit that is not in `decoded` yet, and what is. */
  readonly index: number;
  readonly decoded: string;
}

/** Notes a fault at the cursor and returns the sign of it. */
export function refuse(cursor: Cursor, kind: Exclude<JsonFault['kind'], 'duplicate_key'>): undefined {
  cursor.fault = { kind, offset: cursor.index + cursor.shift };
  return undefined;
}

/** Code unit at the cursor, -1 at the end. */
export function unitAt(cursor: Cursor): number {
  return cursor.index < cursor.text.length ? cursor.text.charCodeAt(cursor.index) : -1;
}

/** Passes the four white space characters of JSON. */
export function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let index = cursor.index;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) {
      break;
    }
    index += 1;
  }
  cursor.index = index;
}
