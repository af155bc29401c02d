import { collectedBytes } from '../../http/collected-bytes.ts';

/** One event of a stream: its type, empty for the usual one, and its data. */
export interface StreamEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Where a stream goes on when it broke off. */
export interface StreamPlace {
  /** Of the last event that had one; empty where none had. */
  readonly lastEventId: string;
  /** Milliseconds before it is asked for again; null where the server does not say. */
  readonly retryMs: number | null;
}

/** Events of a stream, however it was cut into pieces. */
export interface EventReader {
  /** The events that a piece completes, each given as it is found; false from `onEvent` ends it. */
  take(piece: Uint8Array, onEvent: (event: StreamEvent) => boolean): void;
  place(): StreamPlace;
}

/** Bytes of an id that can be sent back. */
const ID_BYTES = 1024;

const [LINE_FEED, RETURN, COLON, SPACE] = [0x0a, 0x0d, 0x3a, 0x20];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads server-sent events as bytes: lines that end in CR, LF or both, comments, and fields (providers.md §7.1). Holds
 * one event of at most `maxBytes`, and takes time that its bytes bound; anyone who reads a stream bounds these.
 */
export function eventReader(maxBytes: number): EventReader {
  const line = collectedBytes(maxBytes);
  const data = collectedBytes(maxBytes);
  let type = '';
  let hasData = false;
  let id = '';
  let lastEventId = '';
  let retryMs: number | null = null;
  let isFirstLine = true;
  /** The last line ended in CR: an LF behind it is of the same end. */
  let isAfterReturn = false;

  function field(given: Uint8Array): void {
    const bytes = isFirstLine && BOM.equals(given.subarray(0, BOM.length)) ? given.subarray(BOM.length) : given;
    isFirstLine = false;
    const colon = bytes.indexOf(COLON);
    const name = nameOf(colon === -1 ? bytes : bytes.subarray(0, colon));
    if (name === null) return;
    const rest = colon === -1 ? bytes.subarray(bytes.length) : bytes.subarray(colon + 1);
    const value = rest[0] === SPACE ? rest.subarray(1) : rest;
    if (name !== 'data') {
      const text = Buffer.from(value).toString('utf8');
      if (name === 'event') type = text;
      else if (name === 'retry') retryMs = /^[0-9]{1,9}$/.test(text) ? Number(text) : retryMs;
      else if (value.length <= ID_BYTES && !text.includes('\0')) id = text;
      return;
    }
    if (hasData) data.add(Buffer.from([LINE_FEED]));
    data.add(value);
    hasData = true;
  }

  function event(): StreamEvent | null {
    // An event without data says where the stream is all the same.
    lastEventId = id;
    const found = hasData ? { type, data: data.bytes() } : null;
    data.clear();
    type = '';
    hasData = false;
    return found;
  }

  return {
    take: (piece, onEvent) => {
      let start = isAfterReturn && piece[0] === LINE_FEED ? 1 : 0;
      if (piece.length > 0) isAfterReturn = false;
      for (let at = start; at < piece.length; at += 1) {
        const byte = piece[at];
        if (byte !== LINE_FEED && byte !== RETURN) continue;
        line.add(piece.subarray(start, at));
        const whole = line.bytes();
        line.clear();
        if (byte === RETURN && piece[at + 1] === LINE_FEED) at += 1;
        else if (byte === RETURN) isAfterReturn = at + 1 === piece.length;
        start = at + 1;
        if (!isEmpty(whole, isFirstLine)) field(whole);
        else {
          isFirstLine = false;
          const found = event();
          if (found !== null && !onEvent(found)) return;
        }
      }
      line.add(piece.subarray(start));
    },
    place: () => ({ lastEventId, retryMs }),
  };
}

/** A byte order mark alone is an empty line too. */
function isEmpty(line: Uint8Array, isFirst: boolean): boolean {
  return line.length === 0 || (isFirst && BOM.equals(line));
}

type FieldName = 'data' | 'event' | 'id' | 'retry';
const FIELD_NAMES: ReadonlySet<string> = new Set<FieldName>(['data', 'event', 'id', 'retry']);

/** Null for a field that says nothing here, comments among them. */
function nameOf(bytes: Uint8Array): FieldName | null {
  const name = bytes.length <= 5 ? Buffer.from(bytes).toString('latin1') : '';
  return isFieldName(name) ? name : null;
}

function isFieldName(name: string): name is FieldName {
  return FIELD_NAMES.has(name);
}
