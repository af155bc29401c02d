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
  const tokens = new TokenReader();
  let chunks: Buffer[] = [];
  let available = 0;
  return (chunk) => {
    chunks.push(chunk);
    available += chunk.length;
    if (available < tokens.needed) return [];
    const { found, rest } = tokens.read(Buffer.concat(chunks));
    chunks = [rest];
    available = rest.length;
    return found;
  };
}

/** Reads tokens; knows how much of a message it has read. */
class TokenReader {
  readonly #values = new ValueBuilder();
  #messageBytes = 0;
  #needed = 1;

  /** Bytes without which nothing can be read: the rest of a text of known length. */
  get needed(): number {
    return this.#needed;
  }

  /** The messages that end in these bytes, and what is left of them. */
  read(bytes: Buffer): { readonly found: readonly ReadBencodeMap[]; readonly rest: Buffer } {
    const found: ReadBencodeMap[] = [];
    let at = 0;
    this.#needed = 1;
    while (at < bytes.length) {
      // The first byte that no message begins with is the last one that is looked at.
      if (!this.#values.isInside && bytes[at] !== MAP) throw new BencodeFault('a message is a map');
      const length = this.#readToken(bytes, at);
      if (length === null) break;
      at += length;
      this.#count(length);
      const message = this.#values.takeMessage();
      if (message !== null) found.push(message);
    }
    return { found, rest: bytes.subarray(at) };
  }

  #count(length: number): void {
    this.#messageBytes = this.#values.isInside ? this.#messageBytes + length : 0;
    if (this.#messageBytes > MOST_MESSAGE_BYTES) throw new BencodeFault('a message is too long');
  }

  /** Reads one token; its length, or null where more bytes are needed. */
  #readToken(bytes: Buffer, at: number): number | null {
    switch (bytes[at]) {
      case LIST:
        this.#values.begin({ kind: 'list', items: [] });
        return 1;
      case MAP:
        this.#values.begin({ kind: 'map', members: new Map(), key: null });
        return 1;
      case END:
        this.#values.end();
        return 1;
      case INTEGER: {
        const digits = readDigits(bytes, at + 1, END);
        if (digits === null) return null;
        this.#values.add(digits.value);
        return digits.length + 2;
      }
      default:
        return this.#readText(bytes, at);
    }
  }

  #readText(bytes: Buffer, at: number): number | null {
    const digits = readDigits(bytes, at, COLON);
    if (digits === null) return null;
    if (digits.value < 0) throw new BencodeFault('a text has no such length');
    const length = digits.length + 1 + digits.value;
    if (this.#messageBytes + length > MOST_MESSAGE_BYTES) throw new BencodeFault('a message is too long');
    if (bytes.length - at < length) {
      this.#needed = length;
      return null;
    }
    this.#values.add(bytes.toString('utf8', at + digits.length + 1, at + length));
    return length;
  }
}

/** Puts the values of one message after the other together. */
class ValueBuilder {
  readonly #open: Open[] = [];
  #count = 0;
  #message: ReadBencodeMap | null = null;

  /** Whether a message is open. */
  get isInside(): boolean {
    return this.#open.length > 0;
  }

  begin(container: Open): void {
    if (this.#open.length >= MOST_DEPTH) throw new BencodeFault('a message is too deep');
    this.#open.push(container);
  }

  end(): void {
    const ended = this.#open.pop();
    if (ended === undefined || (ended.kind === 'map' && ended.key !== null))
      throw new BencodeFault('an end without a beginning');
    this.add(ended.kind === 'list' ? ended.items : ended.members);
  }

  add(value: ReadBencode): void {
    this.#count += 1;
    if (this.#count > MOST_VALUES) throw new BencodeFault('a message has too many values');
    const into = this.#open.at(-1);
    if (into === undefined) {
      if (!(value instanceof Map)) throw new BencodeFault('a message is a map');
      this.#message = value;
      this.#count = 0;
    } else if (into.kind === 'list') into.items.push(value);
    else if (into.key === null) {
      if (typeof value !== 'string') throw new BencodeFault('a key is a text');
      into.key = value;
    } else {
      into.members.set(into.key, value);
      into.key = null;
    }
  }

  /** The message that has just ended; null where none has. */
  takeMessage(): ReadBencodeMap | null {
    const message = this.#message;
    this.#message = null;
    return message;
  }
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
