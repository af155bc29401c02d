import { refuseEndless } from './endless.ts';
import { typeName } from './classes.ts';
import { castError, LispError, memoryExceeded } from './errors.ts';
import { functionFacts } from './functions.ts';
import { doubleText, float32Text, readableDoubleText } from './numbers/double-text.ts';
import { ownToString } from './own-methods.ts';
import { visit } from './sequence.ts';
import { Atom, Delay, Reduced, Volatile } from './values/atom.ts';
import { Char } from './values/char.ts';
import { Collection } from './values/collection.ts';
import { BoxedDouble, Float32 } from './values/double.ts';
import { ClassValue } from './values/java.ts';
import { Keyword } from './values/keyword.ts';
import { LispMap } from './values/map.ts';
import { MultiMethod } from './values/multimethod.ts';
import { Regex } from './regex/regex.ts';
import { Queue } from './values/queue.ts';
import { LispRecord } from './values/record.ts';
import { Reified } from './values/reified.ts';
import { LispSet } from './values/set.ts';
import { LispSymbol } from './values/symbol.ts';
import { Temporal } from './values/temporal.ts';
import { Var } from './values/var.ts';
import { Vector } from './values/vector.ts';
import { isInterface } from './java/class-relations.ts';

/** Units a string may have (language.md §20: 16 MB). */
export const STRING_LIMIT = 16_777_216;

/** Depth at which a structure that contains itself through an atom is cut (language.md §18). */
const CYCLE_DEPTH = 64;

/** Passes a string on unless it is larger than the language allows. */
export function boundedString(text: string): string {
  if (text.length > STRING_LIMIT) throw memoryExceeded('a string');
  return text;
}

const CHAR_NAMES: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'newline',
  12: 'formfeed',
  13: 'return',
  32: 'space',
};

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\b': '\\b',
};

/** A string literal. */
export function quotedString(text: string): string {
  let quoted = '"';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const escape = ESCAPES[text.charAt(i)];
    if (escape === undefined) continue;
    quoted += text.slice(from, i) + escape;
    from = i + 1;
  }
  return `${quoted}${text.slice(from)}"`;
}

/** Collects the text of one print; `readable` quotes strings and names chars. */
class Printer {
  text = '';
  readonly readable: boolean;
  #depth = 0;
  #references = 0;

  constructor(readable: boolean) {
    this.readable = readable;
  }

  print(value: unknown): void {
    if (typeof value === 'string') this.text += this.readable ? quotedString(value) : value;
    else if (value instanceof Char)
      this.text += this.readable ? `\\${CHAR_NAMES[value.code] ?? value.text}` : value.text;
    else if (value instanceof Collection) this.collection(value);
    else if (value instanceof LispError) this.exception(value);
    else if (value instanceof Atom || value instanceof Volatile || value instanceof Reduced) {
      this.reference(value.javaName, 'ready', value.value);
    } else if (value instanceof Delay) this.delay(value);
    else this.text += scalarText(value);
    if (this.text.length > STRING_LIMIT) throw memoryExceeded('printed text');
  }

  collection(value: Collection): void {
    if (this.#references > 0 && this.#depth >= CYCLE_DEPTH) {
      this.text += '...';
      return;
    }
    this.#depth++;
    if (value instanceof Vector) this.elements('[', value, ']');
    else if (value instanceof LispMap) this.map(value);
    else if (value instanceof LispSet) this.elements('#{', value, '}');
    else if (value instanceof Queue) this.elements('#object[clojure.lang.PersistentQueue (', value, ')]');
    else this.elements('(', value, ')');
    this.#depth--;
  }

  elements(open: string, value: Collection, close: string): void {
    this.text += open;
    let separator = '';
    refuseEndless(value);
    visit(value, (element) => {
      this.text += separator;
      separator = ' ';
      this.print(element);
    });
    this.text += close;
  }

  map(value: LispMap): void {
    this.text += value instanceof LispRecord ? `#${value.type.name}{` : '{';
    let separator = '';
    value.visit((key, element) => {
      this.text += separator;
      separator = ', ';
      this.print(key);
      this.text += ' ';
      this.print(element);
    });
    this.text += '}';
  }

  reference(className: string, status: string, value: unknown): void {
    if (this.#depth >= CYCLE_DEPTH) {
      this.text += '...';
      return;
    }
    this.#depth++;
    this.#references++;
    this.text += `#object[${className} {:status :${status}, :val `;
    this.print(value);
    this.text += '}]';
    this.#references--;
    this.#depth--;
  }

  delay(value: Delay): void {
    if (value.failure !== null) this.reference(value.javaName, 'failed', value.failure);
    else if (value.body === null) this.reference(value.javaName, 'ready', value.value);
    else this.reference(value.javaName, 'pending', null);
  }

  exception(error: LispError): void {
    const chain = [error];
    for (let cause = error.cause; cause instanceof LispError && chain.length < CYCLE_DEPTH; cause = cause.cause) {
      chain.push(cause);
    }
    const root = chain.at(-1) ?? error;
    this.text += '#error {:cause ';
    this.print(root.message);
    if (root.data !== null) this.member(', :data ', root.data);
    this.text += ', :via [';
    for (const [i, link] of chain.entries()) {
      this.text += `${i === 0 ? '' : ' '}{:type ${link.className}`;
      if (link.message !== null) this.member(', :message ', link.message);
      if (link.data !== null) this.member(', :data ', link.data);
      this.text += '}';
    }
    this.text += ']}';
  }

  member(label: string, value: unknown): void {
    this.text += label;
    this.print(value);
  }
}

/** Values that print the same way everywhere inside other text. */
function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? String(value) : readableDoubleText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'function':
      return `#object[${functionFacts(value)?.name ?? 'fn'}]`;
    default:
      return value === null ? 'nil' : objectText(value);
  }
}

function objectText(value: unknown): string {
  if (value instanceof Keyword) return `:${value.text}`;
  if (value instanceof LispSymbol) return value.text;
  if (value instanceof BoxedDouble) return readableDoubleText(value.value);
  if (value instanceof Float32) {
    return Number.isFinite(value.value) ? float32Text(value) : readableDoubleText(value.value);
  }
  if (value instanceof Regex) return `#"${escapedPattern(value.source)}"`;
  if (value instanceof Temporal) return value.print();
  if (value instanceof ClassValue) return value.name;
  if (value instanceof Var) return `#'${value.namespace}/${value.name}`;
  if (value instanceof MultiMethod) return `#object[${value.name}]`;
  if (typeof value === 'object' && value !== null && 'printed' in value && typeof value.printed === 'string') {
    return value.printed;
  }
  return '#object[java.lang.Object]';
}

/** Quotes inside a pattern are escaped unless they already are. */
function escapedPattern(source: string): string {
  let text = '';
  for (let i = 0; i < source.length; i++) {
    const unit = source.charAt(i);
    if (unit === '\\' && i + 1 < source.length) {
      text += unit + source.charAt(i + 1);
      i++;
    } else text += unit === '"' ? '\\"' : unit;
  }
  return text;
}

function printed(value: unknown, readable: boolean): string {
  const printer = new Printer(readable);
  printer.print(value);
  return printer.text;
}

/** `pr-str` of one value. */
export function printString(value: unknown): string {
  return printed(value, true);
}

/** One value as `print` and `println` show it: nested strings and chars raw. */
export function plainString(value: unknown): string {
  return typeof value === 'string' ? value : printed(value, false);
}

/** `str` of one value: nil is empty, strings and chars are themselves, collections print readably. */
export function displayString(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) ? String(value) : doubleText(value);
    case 'object':
      return value === null ? '' : displayObject(value);
    default:
      return scalarText(value);
  }
}

function displayObject(value: object): string {
  if (value instanceof Keyword || value instanceof LispSymbol) return objectText(value);
  if (value instanceof Char) return value.text;
  if (value instanceof BoxedDouble) return doubleText(value.value);
  if (value instanceof Float32) return float32Text(value);
  if (value instanceof Regex) return value.source;
  if (value instanceof Temporal) return value.display();
  if (value instanceof ClassValue) return `${isInterface(value.name) ? 'interface' : 'class'} ${value.name}`;
  if (value instanceof LispError) return errorText(value);
  if (value instanceof LispRecord || value instanceof Reified) return objectString(value);
  return printed(value, true);
}

/** `(str x)` of a record or the object of a `reify`: what its own `toString` gives, else its print form (A7). */
function objectString(value: LispRecord | Reified): string {
  const own = ownToString(value);
  if (own === null) return printed(value, true);
  const text = own(value);
  if (typeof text === 'string') return text;
  throw castError(`toString: the result must be a string, not ${typeName(text)}`);
}

/** `(str e)`: class and message; ExceptionInfo adds its data. */
export function errorText(error: LispError): string {
  const text = error.message === null ? error.className : `${error.className}: ${error.message}`;
  return error.data === null ? text : `${text} ${printString(error.data)}`;
}
