import { keywordKey, textKey } from '../../../contract/argument-keys.ts';
import { buildPointer } from '../../../contract/json/pointer.ts';
import { typeName } from '../classes.ts';
import { refuseEndless } from '../endless.ts';
import { Atom, Delay, Reduced, Volatile } from '../values/atom.ts';
import { memoryExceeded } from '../errors.ts';
import { flatText, ROPE_PARTS } from '../flat-text.ts';
import { finiteText, float32Text } from '../numbers/double-text.ts';
import { printString, STRING_LIMIT } from '../print.ts';
import { visit } from '../sequence.ts';
import { Char } from '../values/char.ts';
import { Collection } from '../values/collection.ts';
import { BoxedDouble, Float32, isInteger } from '../values/double.ts';
import { Keyword } from '../values/keyword.ts';
import { LispMap } from '../values/map.ts';
import { LispSymbol } from '../values/symbol.ts';
import { Temporal } from '../values/temporal.ts';

/** Elements that a lazy seq may have at the boundary (language.md §19). */
const LAZY_LIMIT = 1_000_000;
/** Steps and characters of a JSON pointer in a message. */
const POSITION_STEPS = 8;
const STEP_BYTES = 48;
const DEPTH_LIMIT = 10_000;

/** Which boundary: they differ in keys and in what they refuse (language.md §19). */
export type JsonBoundary = 'result' | 'generate' | 'tool';

/** Why a value cannot cross. */
export interface ProjectionFault {
  readonly reason: 'collision' | 'unwritable' | 'surrogate';
  readonly message: string;
}

export type Projection =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: ProjectionFault };

/** Carries a fault out of the recursion; never leaves this file. */
class Refusal {
  readonly fault: ProjectionFault;
  constructor(fault: ProjectionFault) {
    this.fault = fault;
  }
}

/** Compares by UTF-8 bytes: as units, but surrogates above everything else. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xIsSurrogate = x >= 0xd800 && x <= 0xdfff;
    const yIsSurrogate = y >= 0xd800 && y <= 0xdfff;
    return xIsSurrogate === yIsSurrogate ? x - y : xIsSurrogate ? 1 : -1;
  }
  return a.length - b.length;
}

/** A JSON string with as few escapes as JSON allows; the text has no lone surrogates. */
export function jsonString(text: string): string {
  return JSON.stringify(text);
}

class JsonWriter {
  readonly #boundary: JsonBoundary;
  readonly #writeKey: ((key: unknown) => unknown) | null;
  readonly #position: string[] = [];
  #size = 0;

  constructor(boundary: JsonBoundary, writeKey: ((key: unknown) => unknown) | null) {
    this.#boundary = boundary;
    this.#writeKey = writeKey;
  }

  refuse(reason: ProjectionFault['reason'], what: string): never {
    const steps = this.#position.slice(0, POSITION_STEPS).map((step) => step.slice(0, STEP_BYTES));
    const rest = this.#position.length > POSITION_STEPS ? '/…' : '';
    throw new Refusal({ reason, message: steps.length === 0 ? what : `${what} at ${buildPointer(steps)}${rest}` });
  }

  string(text: string): string {
    if (!text.isWellFormed()) this.refuse('surrogate', 'a text holds half of a surrogate pair alone');
    return this.counted(jsonString(text));
  }

  counted(text: string): string {
    this.#size += text.length;
    if (this.#size > 4 * STRING_LIMIT) throw memoryExceeded('a JSON text');
    return text;
  }

  value(value: unknown): string {
    if (typeof value === 'string') return this.string(value);
    if (value === null || typeof value === 'boolean' || isInteger(value)) return this.counted(String(value));
    if (typeof value === 'number') return this.float(value);
    if (value instanceof Keyword || value instanceof LispSymbol) return this.string(value.text);
    if (value instanceof LispMap) return this.object(value);
    if (value instanceof Collection) return this.array(value);
    if (value instanceof BoxedDouble) return this.float(value.value);
    if (value instanceof Float32)
      return Number.isFinite(value.value) ? this.counted(float32Text(value)) : this.float(value.value);
    if (value instanceof Char) return this.string(value.text);
    if (value instanceof Temporal) return this.string(value.json());
    return this.opaque(value);
  }

  /** Functions, references and similar: their print form, only at the result boundary. */
  opaque(value: unknown): string {
    if (this.#boundary !== 'result') this.refuse('unwritable', `${describeOpaque(value)} has no JSON form`);
    return this.string(printString(value));
  }

  float(value: number): string {
    if (!Number.isFinite(value)) this.refuse('unwritable', `${printString(value)} has no JSON form`);
    return this.counted(finiteText(value));
  }

  array(collection: Collection): string {
    let text = '[';
    let recent = '';
    let index = 0;
    refuseEndless(collection);
    visit(collection, (element) => {
      if (index >= LAZY_LIMIT * 10) throw memoryExceeded('a JSON array');
      this.enter(String(index));
      recent += (index === 0 ? '' : ',') + this.value(element);
      this.#position.pop();
      index++;
      if (index % ROPE_PARTS !== 0) return;
      text += flatText(recent);
      recent = '';
    });
    return `${text}${recent}]`;
  }

  enter(step: string): void {
    if (this.#position.push(step) > DEPTH_LIMIT) throw memoryExceeded('the depth of a JSON value');
  }

  object(map: LispMap): string {
    const members: { key: string; text: string; keyword: string | null }[] = [];
    map.visit((key, element) => {
      const written = this.key(key);
      this.enter(written);
      members.push({ key: written, text: this.value(element), keyword: key instanceof Keyword ? key.text : null });
      this.#position.pop();
    });
    members.sort((a, b) => compareUtf8(a.key, b.key));
    for (let i = 1; i < members.length; i++) {
      const [before, here] = [members[i - 1], members[i]];
      if (before === undefined || here === undefined || before.key !== here.key) continue;
      // Who knows the tool names both keys, a text and a keyword of the same letters.
      const own = before.keyword === null ? here : before;
      if (this.#boundary !== 'tool' || own.keyword === null)
        this.refuse('collision', `two keys are written "${here.key.slice(0, STEP_BYTES)}"`);
      own.key = keywordKey(own.keyword);
    }
    return `{${members.map((member) => `${this.string(member.key)}:${member.text}`).join(',')}}`;
  }

  key(input: unknown): string {
    const key = this.#writeKey === null ? input : this.#writeKey(input);
    const text = keyText(key);
    if (text === null && this.#boundary !== 'tool')
      this.refuse('unwritable', `a key must be text or an integer, not ${describeOpaque(key)}`);
    const written = text ?? printString(key);
    if (this.#boundary !== 'tool') return written;
    // Which property a keyword means is known where the tool's schema is; without a hyphen it can be but one.
    return key instanceof Keyword && written.includes('-') ? keywordKey(written) : textKey(written);
  }
}

function keyText(key: unknown): string | null {
  if (typeof key === 'string') return key;
  if (key instanceof Keyword || key instanceof LispSymbol || key instanceof Char) return key.text;
  return isInteger(key) ? String(key) : null;
}

function describeOpaque(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Atom || value instanceof Volatile) return 'a reference';
  if (value instanceof Delay || value instanceof Reduced) return 'a delay';
  return `a value of type ${typeName(value)}`;
}

/** The canonical JSON text of a value at a boundary: keys by UTF-8 bytes, no white space, floats keep `.0`. */
export function writeJson(
  value: unknown,
  boundary: JsonBoundary,
  writeKey: ((key: unknown) => unknown) | null = null,
): Projection {
  try {
    return { ok: true, text: new JsonWriter(boundary, writeKey).value(value) };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { ok: false, fault: thrown.fault };
    throw thrown;
  }
}
