import { collectedBytes, type CollectedBytes } from '../../http/collected-bytes.ts';
import { StreamLines } from './stream-lines.ts';

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

const [LINE_FEED, COLON, SPACE] = [0x0a, 0x3a, 0x20];

/**
 * Reads server-sent events as bytes: lines that end in CR, LF or both, comments, and fields (providers.md §7.1). Holds
 * one event of at most `maxBytes`, and takes time that its bytes bound; anyone who reads a stream bounds these.
 */
export function eventReader(maxBytes: number): EventReader {
  const lines = new StreamLines(maxBytes);
  const fields = new EventFields(maxBytes);
  return {
    take: (piece, onEvent) =>
      lines.take(piece, (line) => {
        if (line.length > 0) {
          fields.add(line);
          return true;
        }
        const event = fields.complete();
        return event === null || onEvent(event);
      }),
    place: () => fields.place,
  };
}

/** The fields of the event that is read, and what holds beyond it. */
class EventFields {
  readonly #data: CollectedBytes;
  #type = '';
  #hasData = false;
  #id = '';
  #lastEventId = '';
  #retryMs: number | null = null;

  constructor(maxBytes: number) {
    this.#data = collectedBytes(maxBytes);
  }

  get place(): StreamPlace {
    return { lastEventId: this.#lastEventId, retryMs: this.#retryMs };
  }

  add(line: Uint8Array): void {
    const colon = line.indexOf(COLON);
    const name = nameOf(colon === -1 ? line : line.subarray(0, colon));
    if (name === null) return;
    const rest = colon === -1 ? line.subarray(line.length) : line.subarray(colon + 1);
    const value = rest[0] === SPACE ? rest.subarray(1) : rest;
    if (name === 'data') this.#addData(value);
    else this.#set(name, value);
  }

  #addData(value: Uint8Array): void {
    if (this.#hasData) this.#data.add(Buffer.from([LINE_FEED]));
    this.#data.add(value);
    this.#hasData = true;
  }

  #set(name: Exclude<FieldName, 'data'>, value: Uint8Array): void {
    const text = Buffer.from(value).toString('utf8');
    if (name === 'event') this.#type = text;
    else if (name === 'retry') this.#retryMs = /^[0-9]{1,9}$/.test(text) ? Number(text) : this.#retryMs;
    else if (value.length <= ID_BYTES && !text.includes('\0')) this.#id = text;
  }

  /** Ends the event; null for one without data, which says where the stream is all the same. */
  complete(): StreamEvent | null {
    this.#lastEventId = this.#id;
    const event = this.#hasData ? { type: this.#type, data: this.#data.bytes() } : null;
    this.#data.clear();
    this.#type = '';
    this.#hasData = false;
    return event;
  }
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
