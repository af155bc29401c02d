import { createHash, type Hash } from 'node:crypto';
import { canonicalJson, canonicalScalar, canonicalString, writeCanonical } from './canonical.ts';
import { doPaced, type Pace } from './paced.ts';
import type { Sliced } from './sliced.ts';
import { compareUtf8 } from './utf8.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from './value.ts';

/** As for `JsonFloat`: each file of the program has a class of its own. */
const SERIALIZED = Symbol.for('svc.serialized-json');

/**
 * A JSON value that nobody changes any more, with its canonical text and the digest of that, each made once: when it is
 * first asked for. So a value goes from where it enters to all that check, send, record, hash or measure it.
 */
export class SerializedJson<Value extends JsonValue = JsonValue> {
  #value: { readonly known: Value } | { readonly make: () => Value };
  #text: string | Promise<string> | null;
  readonly #write: (pace: Pace) => string | Promise<string>;
  #digest: string | Promise<string> | null = null;

  private constructor(
    value: { readonly known: Value } | { readonly make: () => Value },
    text: string | null,
    write: (pace: Pace) => string | Promise<string>,
  ) {
    this.#value = value;
    this.#text = text;
    this.#write = write;
  }

  /** A value whose text nobody has yet. */
  static of<Value extends JsonValue>(value: Value): SerializedJson<Value> {
    return new SerializedJson<Value>({ known: value }, null, (pace) => writeCanonical(value, pace));
  }

  /** A value with its text, which is canonical: our own code wrote it. */
  static read<Value extends JsonValue>(value: Value, text: string): SerializedJson<Value> {
    return new SerializedJson<Value>({ known: value }, text, () => text);
  }

  /** An object of such parts; their texts are put together, and none is written again. */
  static object(members: Iterable<JsonPart>): SerializedJson<JsonObject> {
    const parts = [...members];
    const make = (): JsonObject => new Map(parts.map(([key, part]) => [key, isSerialized(part) ? part.value : part]));
    return new SerializedJson<JsonObject>({ make }, null, (pace) => writeObject(parts, pace));
  }

  get [SERIALIZED](): true {
    return true;
  }

  get value(): Value {
    if ('make' in this.#value) this.#value = { known: this.#value.make() };
    return this.#value.known;
  }

  /** Its canonical text; that of a large value is written in several turns. */
  text(pace: Pace): string | Promise<string> {
    if (this.#text === null) {
      const writing = this.#write(pace);
      this.#text = typeof writing === 'string' ? writing : this.#keepText(writing);
    }
    return this.#text;
  }

  /** `sha256:` and 64 hex digits of its text; a long one is hashed in several turns. */
  digest(pace: Pace): string | Promise<string> {
    if (this.#digest === null) {
      const text = this.text(pace);
      this.#digest = typeof text === 'string' ? digestOf(text, pace) : text.then((written) => digestOf(written, pace));
    }
    return this.#digest;
  }

  /** Once it is there, nobody waits for it any more. */
  async #keepText(writing: Promise<string>): Promise<string> {
    const text = await writing;
    this.#text = text;
    return text;
  }
}

/** A member of an object that is put together. */
export type JsonPart = readonly [key: string, value: JsonValue | SerializedJson];

/**
 * The canonical text of a small object, as of an event: its members are written one by one, and only those that are not
 * plain texts and numbers as trees.
 */
export function flatObjectText(object: JsonObject): string {
  return joinMembers(
    [...object].map(([key, value]) => [key, isTree(value) ? canonicalJson(value) : canonicalScalar(value)] as const),
  );
}

/**
 * Adds a text to a digest, in slices. A unit of the work is a unit of the text.
 */
export function slicedHash(hash: Hash, text: string): Sliced<Hash> {
  let next = 0;
  return {
    advance: (units) => {
      const end = endOfPiece(text, next + units);
      hash.update(next === 0 && end === text.length ? text : text.slice(next, end));
      next = end;
      return next < text.length ? null : { result: hash };
    },
  };
}

/** Where a piece of a text ends that should end there: not between the two units of one character. */
export function endOfPiece(text: string, end: number): number {
  const isCut = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return Math.min(text.length, isCut ? end + 1 : end);
}

function digestOf(text: string, pace: Pace): string | Promise<string> {
  const hashing = doPaced(slicedHash(createHash('sha256'), text), pace);
  return hashing instanceof Promise ? hashing.then(nameOf) : nameOf(hashing);
}

function nameOf(hash: Hash): string {
  return `sha256:${hash.digest('hex')}`;
}

function isSerialized(part: JsonValue | SerializedJson): part is SerializedJson {
  return typeof part === 'object' && part !== null && SERIALIZED in part;
}

function isTree(value: JsonValue): value is JsonArray | JsonObject {
  return isJsonArray(value) || isJsonObject(value);
}

function writeObject(parts: readonly JsonPart[], pace: Pace): string | Promise<string> {
  const written: (readonly [string, string])[] = [];
  const waiting: Promise<readonly [string, string]>[] = [];
  for (const [key, part] of parts) {
    const text = isSerialized(part) ? part.text(pace) : writePart(part, pace);
    if (typeof text === 'string') written.push([key, text]);
    else waiting.push(text.then((later) => [key, later] as const));
  }
  return waiting.length === 0
    ? joinMembers(written)
    : Promise.all(waiting).then((later) => joinMembers([...written, ...later]));
}

function writePart(value: JsonValue, pace: Pace): string | Promise<string> {
  const isLong = typeof value === 'string' && value.length > pace.units;
  return isTree(value) || isLong ? writeCanonical(value, pace) : canonicalScalar(value);
}

/** The canonical text of an object of members whose canonical texts are there. */
export function joinMembers(members: readonly (readonly [key: string, text: string])[]): string {
  const sorted = members.toSorted(([left], [right]) => compareUtf8(left, right));
  return `{${sorted.map(([key, text]) => `${canonicalString(key)}:${text}`).join(',')}}`;
}
