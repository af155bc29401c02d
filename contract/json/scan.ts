import { refuse, skipSpace, unitAt, type Cursor, type OpenString } from './cursor.ts';
import type { DuplicateKey, JsonFault, JsonLimits } from './fault.ts';
import type { JsonMember, JsonNode } from './node.ts';
import { pointerToOffset } from './pointer.ts';
import { scanNumber } from './scan-number.ts';
import { resumeString, scanString } from './scan-string.ts';
import { doAll, type Done, type Sliced } from './sliced.ts';
import { isJsonFloat } from './value.ts';

/** A tree, with its first repeated key if there is one: whether that is a fault is for the reader to say. */
export type JsonScan =
  | { readonly ok: true; readonly root: JsonNode; readonly duplicate: DuplicateKey | null }
  | { readonly ok: false; readonly fault: JsonFault };

interface OpenArray {
  readonly kind: 'array';
  readonly start: number;
  readonly items: JsonNode[];
}

interface OpenObject {
  readonly kind: 'object';
  readonly start: number;
  readonly members: JsonMember[];
  awaits: 'key' | 'value';
  /** The key that waits for its value. */
  key: string;
  keyStart: number;
  keyEnd: number;
  /** Keys so far, made only once there are too many to compare one by one. */
  keys: Set<string> | null;
}

interface Scanner extends Cursor {
  readonly limits: JsonLimits;
  readonly open: (OpenArray | OpenObject)[];
  nodes: number;
  /** The repetition in the object that starts first: an object comes before its children, and those in order. */
  repeated: { readonly objectStart: number; readonly offset: number } | null;
}

/** Up to here comparing keys pairwise is cheaper than a Set. */
const PAIRWISE_KEYS = 8;

/**
 * Reads one JSON text into a tree, in linear time and without recursion. The text is well-formed UTF-16, and
 * `limits.bytes` is the caller's to check (parse.ts does both).
 *
 * The first fault in the order of the text is reported. A repeated key is reported only of a text that is JSON and
 * within its limits, an object's own before those of its children (documents.md §1).
 */
export function scanJson(text: string, limits: JsonLimits): JsonScan {
  return doAll(slicedScan(text, limits));
}

/**
 * As `scanJson`, in slices. A unit of its work is a unit of the text; one number, or one stretch of space, is passed
 * whole.
 */
export function slicedScan(text: string, limits: JsonLimits): Sliced<JsonScan> {
  const scanner: Scanner = {
    text,
    index: 0,
    shift: 0,
    stopAt: 0,
    token: null,
    fault: null,
    limits,
    open: [],
    nodes: 0,
    repeated: null,
  };
  return { advance: (units) => advance(scanner, units) };
}

function advance(scanner: Scanner, units: number): Done<JsonScan> | null {
  const { text } = scanner;
  const isLast = units >= text.length - scanner.index;
  scanner.stopAt = isLast ? text.length : scanner.index + units;
  let root: JsonNode | null | undefined = null;
  while (root === null) {
    if (!isLast && scanner.index >= scanner.stopAt) {
      return null;
    }
    const value = scanner.token === null ? scanValue(scanner) : resumeToken(scanner, scanner.token);
    root = value === undefined || value === null ? value : attach(scanner, value);
  }
  skipSpace(scanner);
  if (root !== undefined && scanner.index < text.length) {
    root = refuse(scanner, 'syntax');
  }
  if (root === undefined) {
    return { result: { ok: false, fault: scanner.fault ?? { kind: 'syntax', offset: position(scanner) } } };
  }
  return { result: { ok: true, root, duplicate: duplicateIn(root, scanner) } };
}

/** Goes on with the string in which the last slice ended, and says what `scanValue` does. */
function resumeToken(scanner: Scanner, token: OpenString): JsonNode | null | undefined {
  const value = resumeString(scanner, token);
  if (value === undefined || value === null) {
    return value;
  }
  const top = scanner.open.at(-1);
  if (top?.kind === 'object' && top.awaits === 'key') {
    return acceptKey(scanner, top, value) ? null : undefined;
  }
  return { kind: 'string', start: token.start, end: position(scanner), value };
}

/**
 * A whole value; null after the opening of a container that has content, and where the slice ended in a string;
 * undefined at a fault.
 */
function scanValue(scanner: Scanner): JsonNode | null | undefined {
  skipSpace(scanner);
  const unit = unitAt(scanner);
  if (unit === -1) {
    return refuse(scanner, 'syntax');
  }
  if (scanner.open.length >= scanner.limits.depth) {
    return refuse(scanner, 'too_deep');
  }
  if (!countNode(scanner)) {
    return undefined;
  }
  switch (unit) {
    case 0x7b:
      return openObject(scanner);
    case 0x5b:
      return openArray(scanner);
    case 0x22: {
      const start = position(scanner);
      const value = scanString(scanner);
      return typeof value === 'string' ? { kind: 'string', start, end: position(scanner), value } : value;
    }
    case 0x74:
      return scanWord(scanner, 'true', true);
    case 0x66:
      return scanWord(scanner, 'false', false);
    case 0x6e:
      return scanWord(scanner, 'null', null);
    default: {
      const start = position(scanner);
      const value = scanNumber(scanner);
      if (value === undefined) {
        return undefined;
      }
      const end = position(scanner);
      return isJsonFloat(value) ? { kind: 'float', start, end, value } : { kind: 'integer', start, end, value };
    }
  }
}

function scanWord(scanner: Scanner, word: string, value: boolean | null): JsonNode | undefined {
  if (!scanner.text.startsWith(word, scanner.index)) {
    return refuse(scanner, 'syntax');
  }
  const start = position(scanner);
  scanner.index += word.length;
  const end = position(scanner);
  return value === null ? { kind: 'null', start, end, value } : { kind: 'boolean', start, end, value };
}

function openArray(scanner: Scanner): JsonNode | null {
  const start = position(scanner);
  scanner.index += 1;
  skipSpace(scanner);
  if (unitAt(scanner) === 0x5d) {
    scanner.index += 1;
    return { kind: 'array', start, end: position(scanner), items: [] };
  }
  scanner.open.push({ kind: 'array', start, items: [] });
  return null;
}

function openObject(scanner: Scanner): JsonNode | null | undefined {
  const start = position(scanner);
  scanner.index += 1;
  skipSpace(scanner);
  if (unitAt(scanner) === 0x7d) {
    scanner.index += 1;
    return { kind: 'object', start, end: position(scanner), members: [] };
  }
  const object: OpenObject = {
    kind: 'object',
    start,
    members: [],
    awaits: 'key',
    key: '',
    keyStart: 0,
    keyEnd: 0,
    keys: null,
  };
  scanner.open.push(object);
  return scanKey(scanner, object) ? null : undefined;
}

/** Reads a key and its colon, or as much of the key as the slice holds; false at a fault. */
function scanKey(scanner: Scanner, object: OpenObject): boolean {
  skipSpace(scanner);
  if (unitAt(scanner) !== 0x22) {
    refuse(scanner, 'syntax');
    return false;
  }
  if (!countNode(scanner)) {
    return false;
  }
  object.awaits = 'key';
  object.keyStart = position(scanner);
  const key = scanString(scanner);
  if (typeof key !== 'string') {
    return key === null;
  }
  return acceptKey(scanner, object, key);
}

/** Takes a key that was read, and reads its colon; false at a fault. */
function acceptKey(scanner: Scanner, object: OpenObject, key: string): boolean {
  object.awaits = 'value';
  object.key = key;
  object.keyEnd = position(scanner);
  const earlier = scanner.repeated;
  if ((earlier === null || object.start < earlier.objectStart) && repeats(object, key)) {
    scanner.repeated = { objectStart: object.start, offset: object.keyStart };
  }
  skipSpace(scanner);
  if (unitAt(scanner) !== 0x3a) {
    refuse(scanner, 'syntax');
    return false;
  }
  scanner.index += 1;
  return true;
}

/**
 * Puts a whole value where it belongs and closes whatever ends with it. Returns the root once that is whole, null
 * when another value must follow, undefined at a fault.
 */
function attach(scanner: Scanner, value: JsonNode): JsonNode | null | undefined {
  let node = value;
  for (let top = scanner.open.at(-1); top !== undefined; top = scanner.open.at(-1)) {
    if (top.kind === 'array') {
      top.items.push(node);
    } else {
      top.members.push({ key: top.key, keyStart: top.keyStart, keyEnd: top.keyEnd, value: node });
    }
    skipSpace(scanner);
    const unit = unitAt(scanner);
    if (unit === 0x2c) {
      scanner.index += 1;
      return top.kind === 'array' || scanKey(scanner, top) ? null : undefined;
    }
    if (unit !== (top.kind === 'array' ? 0x5d : 0x7d)) {
      return refuse(scanner, 'syntax');
    }
    scanner.index += 1;
    scanner.open.pop();
    const { start } = top;
    const end = position(scanner);
    node =
      top.kind === 'array'
        ? { kind: 'array', start, end, items: top.items }
        : { kind: 'object', start, end, members: top.members };
  }
  return node;
}

/** Whether an object holds the key already; remembers it. */
function repeats(object: OpenObject, key: string): boolean {
  const { members } = object;
  if (object.keys === null && members.length < PAIRWISE_KEYS) {
    for (const member of members) {
      if (member.key === key) {
        return true;
      }
    }
    return false;
  }
  object.keys ??= new Set(members.map((member) => member.key));
  const found = object.keys.has(key);
  object.keys.add(key);
  return found;
}

function countNode(scanner: Scanner): boolean {
  scanner.nodes += 1;
  if (scanner.nodes > scanner.limits.nodes) {
    refuse(scanner, 'too_many_nodes');
    return false;
  }
  return true;
}

function duplicateIn(root: JsonNode, { repeated }: Scanner): DuplicateKey | null {
  return repeated === null
    ? null
    : { kind: 'duplicate_key', offset: repeated.offset, pointer: pointerToOffset(root, repeated.objectStart) };
}

function position(scanner: Scanner): number {
  return scanner.index + scanner.shift;
}
