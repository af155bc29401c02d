/** What the messages of nREPL are made of. */
export type BencodeValue = string | number | readonly BencodeValue[] | BencodeMap;
export interface BencodeMap {
  readonly [key: string]: BencodeValue;
}

/** A value as it was read: no member of a map that was sent is one that JavaScript gave it. */
export type ReadBencode = string | number | readonly ReadBencode[] | ReadBencodeMap;
export type ReadBencodeMap = ReadonlyMap<string, ReadBencode>;

/** A text that is not the one that this encoding has for its value. */
export class BencodeFault extends Error {}

/** Bounds of one message: bytes, values, and how deep they lie. */
export const MOST_MESSAGE_BYTES = 1_048_576;
const MOST_VALUES = 4096;
const MOST_DEPTH = 16;
/** Digits of an integer or a length that is not too large to be read. */
const MOST_DIGITS = 15;

const [END, INTEGER, LIST, MAP, COLON] = [0x65, 0x69, 0x6c, 0x64, 0x3a];
const [ZERO, NINE] = [0x30, 0x39];

export function encodeBencode(value: BencodeValue): Buffer {
  const parts: (string | Buffer)[] = [];
  write(value, parts);
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function write(value: BencodeValue, parts: (string | Buffer)[]): void {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    parts.push(`${bytes.length}:`, bytes);
  } else if (typeof value === 'number') parts.push(`i${Math.trunc(value)}e`);
  else if (isList(value)) {
    parts.push('l');
    for (const item of value) write(item, parts);
    parts.push('e');
  } else {
    parts.push('d');
    const keys = Object.keys(value).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const key of keys) {
      write(key, parts);
      write(value[key] ?? '', parts);
    }
    parts.push('e');
  }
}

function isList(value: BencodeValue): value is readonly BencodeValue[] {
  return Array.isArray(value);
}

/** A list or map that has not ended. */
type Open =
  | { readonly kind: 'list'; readonly items: ReadBencode[] }
  | { readonly kind: 'map'; readonly members: Map<string, ReadBencode>; key: string | null };

/**
 * Reads messages, which are maps, from bytes as they arrive, each byte once. Throws `BencodeFault` for what is no
 * message or exceeds its bounds; there is nothing to read after that.
 */
export function bencodeReader(): (chunk: Buffer) => readonly ReadBencodeMap[] {
  let chunks: Buffer[] = [];
  let available = 0;
  /** Bytes without which nothing can be read: the rest of a text of known length. */
  let needed = 1;
  let open: Open[] = [];
  let messageBytes = 0;
  let values = 0;

  function add(value: ReadBencode, found: ReadBencodeMap[]): void {
    values += 1;
    if (values > MOST_VALUES) throw new BencodeFault('a message has too many values');
    const into = open.at(-1);
    if (into === undefined) {
      if (!(value instanceof Map)) throw new BencodeFault('a message is a map');
      found.push(value);
      [messageBytes, values] = [0, 0];
    } else if (into.kind === 'list') into.items.push(value);
    else if (into.key === null) {
      if (typeof value !== 'string') throw new BencodeFault('a key is a text');
      into.key = value;
    } else {
      into.members.set(into.key, value);
      into.key = null;
    }
  }

  function begin(container: Open): void {
    if (open.length >= MOST_DEPTH) throw new BencodeFault('a message is too deep');
    open.push(container);
  }

  function close(found: ReadBencodeMap[]): void {
    const ended = open.pop();
    if (ended === undefined || (ended.kind === 'map' && ended.key !== null))
      throw new BencodeFault('an end without a beginning');
    add(ended.kind === 'list' ? ended.items : ended.members, found);
  }

  /** Reads one token; its length, or null where more bytes are needed. */
  function readToken(bytes: Buffer, at: number, found: ReadBencodeMap[]): number | null {
    switch (bytes[at]) {
      case LIST:
        begin({ kind: 'list', items: [] });
        return 1;
      case MAP:
        begin({ kind: 'map', members: new Map(), key: null });
        return 1;
      case END:
        close(found);
        return 1;
      case INTEGER: {
        const digits = readDigits(bytes, at + 1, END);
        if (digits === null) return null;
        add(digits.value, found);
        return digits.length + 2;
      }
      default:
        return readText(bytes, at, found);
    }
  }

  function readText(bytes: Buffer, at: number, found: ReadBencodeMap[]): number | null {
    const digits = readDigits(bytes, at, COLON);
    if (digits === null) return null;
    if (digits.value < 0) throw new BencodeFault('a text has no such length');
    const length = digits.length + 1 + digits.value;
    if (messageBytes + length > MOST_MESSAGE_BYTES) throw new BencodeFault('a message is too long');
    if (bytes.length - at < length) {
      needed = length;
      return null;
    }
    add(bytes.toString('utf8', at + digits.length + 1, at + length), found);
    return length;
  }

  return (chunk) => {
    chunks.push(chunk);
    available += chunk.length;
    if (available < needed) return [];
    const bytes = Buffer.concat(chunks);
    const found: ReadBencodeMap[] = [];
    let at = 0;
    needed = 1;
    while (at < bytes.length) {
      // The first byte that no message begins with is the last one that is looked at.
      if (open.length === 0 && bytes[at] !== MAP) throw new BencodeFault('a message is a map');
      const length = readToken(bytes, at, found);
      if (length === null) break;
      at += length;
      messageBytes = open.length === 0 ? 0 : messageBytes + length;
      if (messageBytes > MOST_MESSAGE_BYTES) throw new BencodeFault('a message is too long');
    }
    chunks = [bytes.subarray(at)];
    available = bytes.length - at;
    return found;
  };
}

/** An integer up to the byte that ends it; null where that has not come. */
function readDigits(
  bytes: Buffer,
  from: number,
  end: number,
): { readonly value: number; readonly length: number } | null {
  for (let at = from; at < bytes.length && at - from <= MOST_DIGITS; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === end) {
      const text = bytes.toString('latin1', from, at);
      if (!/^(?:0|-?[1-9]\d*)$/.test(text)) throw new BencodeFault('an integer is not written so');
      return { value: Number(text), length: at - from };
    }
    if ((byte < ZERO || byte > NINE) && !(byte === 0x2d && at === from && end === END))
      throw new BencodeFault('an integer is not written so');
  }
  if (bytes.length - from > MOST_DIGITS) throw new BencodeFault('an integer is too long');
  return null;
}
