/** What of a message decides where it goes, found without building any of its values. */
export interface Peeked {
  /** An integer; null for any other value; absent where the message has none. */
  readonly id?: number | null;
  readonly hasMethod: boolean;
  /** `params.progressToken` of a notification, where it is an integer. */
  readonly progressToken: number | null;
  /** Of a request: its id as it is there, and its method; null for what cannot be answered. */
  readonly question: { readonly idText: string; readonly method: string } | null;
}

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
/** Digits of an integer that is looked at; more is no id of ours. */
const DIGITS = 16;
/** Of the id of a request and of its method, that are looked at. */
const WORD_BYTES = 256;

/**
 * Reads id and method of one message, in time that its bytes bound and in no memory: the thread that holds the sockets
 * decides by it whose message this is, and a worker reads it strictly later. Null for what is no object. Of a repeated
 * member the last one counts; the strict reader refuses such a message.
 */
export function peek(bytes: Uint8Array): Peeked | null {
  let depth = 0;
  /** Whether the next text is a key, at the two levels that are looked at. */
  let isKey = false;
  let key = '';
  let isInParams = false;
  const found: { id?: number | null; hasMethod: boolean; progressToken: number | null } = {
    hasMethod: false,
    progressToken: null,
  };
  const words = { id: '', method: '' };
  let at = 0;
  while (isSpace(bytes[at])) at += 1;
  if (bytes[at] !== OPEN_OBJECT) return null;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = textEnd(bytes, at);
      if (end === -1) return null;
      if (isKey)
        key = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, Math.min(end - at - 1, 32)).toString('latin1');
      at = end;
    } else if (byte === OPEN_OBJECT) {
      if (depth === 1) isInParams = key === 'params';
      depth += 1;
      isKey = depth === 1 || (depth === 2 && isInParams);
    } else if (byte === OPEN_ARRAY) {
      depth += 1;
      isKey = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      isKey = false;
      if (depth === 1) isInParams = false;
      if (depth === 0) break;
    } else if (byte === COMMA) {
      isKey = depth === 1 || (depth === 2 && isInParams);
    } else if (byte === COLON && isKey) {
      isKey = false;
      if (depth === 1 && key === 'id') {
        found.id = integerAt(bytes, at + 1);
        words.id = wordAt(bytes, at + 1);
      } else if (depth === 1 && key === 'method') {
        found.hasMethod = true;
        words.method = wordAt(bytes, at + 1);
      }
      if (depth === 2 && key === 'progressToken') found.progressToken = integerAt(bytes, at + 1);
    }
  }
  if (depth !== 0 || at >= bytes.length) return null;
  for (at += 1; at < bytes.length; at += 1) if (!isSpace(bytes[at])) return null;
  return { ...found, question: found.hasMethod && found.id !== undefined ? requestOf(words) : null };
}

/** Null where the id is neither a text nor a number, or the method no text. */
function requestOf({ id, method }: { readonly id: string; readonly method: string }): Peeked['question'] {
  const [isId, name] = [/^(?:".*"|-?[0-9]{1,16})$/s.test(id) && plainOf(id) !== null, plainOf(method)];
  return isId && typeof name === 'string' ? { idText: id, method: name } : null;
}

function plainOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text or the number that begins there, as it is; empty for anything else, and for one that is too long. */
function wordAt(bytes: Uint8Array, start: number): string {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  const isText = bytes[at] === QUOTE;
  const end = isText ? textEnd(bytes, at) + 1 : at + DIGITS + 1;
  if (end === 0 || end - at > WORD_BYTES) return '';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(bytes.length, end) - at).toString('utf8');
  return isText ? text : (/^-?[0-9]{1,16}(?![0-9.eE+-])/.exec(text)?.[0] ?? '');
}

/** Index of the quote that ends a text, -1 where none does. */
function textEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return -1;
}

function integerAt(bytes: Uint8Array, start: number): number | null {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(bytes.length - at, DIGITS + 1)).toString(
    'latin1',
  );
  const [digits] = /^[0-9]{1,16}(?![0-9.eE+-])/.exec(text) ?? [];
  const value = Number(digits ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : null;
}
