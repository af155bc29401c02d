import { functionFacts } from '../../runtime/functions.ts';
import { LispError } from '../../runtime/errors.ts';
import { doubleText, float32Text } from '../../runtime/numbers/double-text.ts';
import { displayString, printString } from '../../runtime/print.ts';
import { visit } from '../../runtime/sequence.ts';
import { Atom, Delay, Volatile } from '../../runtime/values/atom.ts';
import { Char } from '../../runtime/values/char.ts';
import { Collection } from '../../runtime/values/collection.ts';
import { BoxedDouble, Float32 } from '../../runtime/values/double.ts';
import { ClassValue } from '../../runtime/values/java.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import { Regex } from '../../runtime/values/regex.ts';
import { LispSymbol } from '../../runtime/values/symbol.ts';
import { Temporal } from '../../runtime/values/temporal.ts';
import { Var } from '../../runtime/values/var.ts';
import { compareBytes, jsonString } from './json-text.ts';
import { Program } from '../link/program.ts';

/** Elements of a lazy seq that are realised at the boundary (language.md §19). */
const SEQUENCE_CAP = 1_000_000;
/** Steps of a position that a refusal names, and units of each. */
const POSITION_STEPS = 8;
const STEP_LENGTH = 48;

/** Which columns of language.md §19 apply. */
export type Destination = 'result' | 'tool-argument';

export type Projection =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

/** A value the boundary refuses; caught by `project` alone. */
class Refusal extends Error {
  readonly reason: string;
  readonly position: string;
  constructor(reason: string, what: string, path: readonly string[]) {
    const shown = path.slice(0, POSITION_STEPS).map((step) => step.slice(0, STEP_LENGTH));
    const position = shown.length === 0 ? 'the value itself' : shown.join(' ');
    super(`${what} at ${position}`);
    this.reason = reason;
    this.position = position;
  }
}

/** Canonical JSON text of a value, or the refusal that language.md §19 asks for. */
export function project(value: unknown, destination: Destination): Projection {
  const writer = new Writer(destination);
  try {
    return { ok: true, text: writer.text(value, 0) };
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    return { ok: false, reason: fault.reason, message: fault.message, details: { position: fault.position } };
  }
}

class Writer {
  readonly #destination: Destination;
  readonly #path: string[] = [];

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  text(value: unknown, depth: number): string {
    switch (typeof value) {
      case 'string':
        return this.#string(value);
      case 'boolean':
        return String(value);
      case 'bigint':
        return String(value);
      case 'number':
        if (Number.isInteger(value)) return String(value);
        return this.#finite(value, doubleText(value));
      case 'object':
        return value === null ? 'null' : this.#object(value, depth);
      default:
        return this.#opaque(value);
    }
  }

  #finite(value: number, text: string): string {
    if (!Number.isFinite(value)) throw this.#refuse('projection_error', 'an infinite or undefined number');
    return text;
  }

  #string(text: string): string {
    if (!text.isWellFormed()) throw this.#refuse('invalid_java_string', 'a string with a lone surrogate');
    return jsonString(text);
  }

  #refuse(reason: string, what: string): Refusal {
    return new Refusal(this.#destination === 'tool-argument' ? 'invalid_tool_args' : reason, what, this.#path);
  }

  #object(value: object, depth: number): string {
    if (value instanceof Collection) return this.#collection(value, depth);
    if (value instanceof Keyword || value instanceof LispSymbol) return this.#string(value.text);
    if (value instanceof Char) return this.#string(value.text);
    if (value instanceof BoxedDouble) return this.#finite(value.value, doubleText(value.value));
    if (value instanceof Float32) return this.#finite(value.value, float32Text(value));
    if (value instanceof Temporal) return this.#string(value.json());
    if (value instanceof Program && this.#destination === 'result') return value.projection;
    return this.#opaque(value);
  }

  #opaque(value: unknown): string {
    const shown =
      functionFacts(value) !== null ||
      typeof value === 'function' ||
      value instanceof Var ||
      value instanceof Regex ||
      value instanceof Atom ||
      value instanceof Volatile ||
      value instanceof Delay ||
      value instanceof LispError ||
      value instanceof MultiMethod ||
      value instanceof ClassValue;
    if (shown && this.#destination === 'result') return this.#string(printString(value));
    throw this.#refuse('projection_error', `a value without a JSON form (${printString(value).slice(0, 48)})`);
  }

  #collection(value: Collection, depth: number): string {
    if (value instanceof LispMap) return this.#map(value, depth);
    const parts: string[] = [];
    visit(value, (element) => {
      if (parts.length >= SEQUENCE_CAP) throw this.#refuse('projection_error', `more than ${SEQUENCE_CAP} elements`);
      this.#path.push(`[${parts.length}]`);
      parts.push(this.text(element, depth + 1));
      this.#path.pop();
    });
    return `[${parts.join(',')}]`;
  }

  #map(map: LispMap, depth: number): string {
    const members = new Map<string, string>();
    map.visit((key, value) => {
      const name = this.#key(key);
      if (members.has(name)) throw this.#refuse('public_projection_collision', `two keys that both become ${name.slice(0, STEP_LENGTH)}`);
      this.#path.push(name);
      members.set(name, this.text(value, depth + 1));
      this.#path.pop();
    });
    const names = [...members.keys()].toSorted(compareBytes);
    return `{${names.map((name) => `${jsonString(name)}:${members.get(name) ?? 'null'}`).join(',')}}`;
  }

  #key(key: unknown): string {
    const text = this.#keyText(key);
    if (!text.isWellFormed()) throw this.#refuse('invalid_java_string', 'a key with a lone surrogate');
    return this.#destination === 'tool-argument' ? text.replaceAll('-', '_') : text;
  }

  #keyText(key: unknown): string {
    if (typeof key === 'string') return key;
    if (key instanceof Keyword || key instanceof LispSymbol || key instanceof Char) return key.text;
    if (typeof key === 'bigint' || (typeof key === 'number' && Number.isInteger(key))) return displayString(key);
    if (this.#destination === 'tool-argument') return printString(key);
    throw this.#refuse('projection_error', `a key that is no text (${printString(key).slice(0, STEP_LENGTH)})`);
  }
}
