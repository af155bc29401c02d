import { badValue, memoryExceeded, stringOutOfBounds, wrongType } from '../errors.ts';
import type { Effects } from '../effects.ts';
import { flatText, ROPE_PARTS } from '../flat-text.ts';
import { toIntIndex } from '../numbers/index-number.ts';
import { boundedString, displayString, plainString, printString, STRING_LIMIT } from '../print.ts';
import { Keyword, keyword, keywordFromText } from '../values/keyword.ts';
import { LispSymbol, symbol, symbolFromText } from '../values/symbol.ts';
import { Var } from '../values/var.ts';
import { fixed, type Row, variadic, withEffect } from './row.ts';

/**
 * A text of so many pieces is made flat at once: as a rope it takes 32 bytes of memory for each of them. One of fewer
 * wastes little; of one of more there are few, and anyone who reads it makes it flat.
 */
const FLAT_PIECES = { least: 8, most: 16_384 };

/** `str` of several values. */
export function str(args: readonly unknown[]): string {
  if (args.length > ROPE_PARTS) return strOfMany(args);
  let text = '';
  for (const arg of args) {
    text += displayString(arg);
    if (text.length > STRING_LIMIT) throw memoryExceeded('a string');
  }
  return args.length < FLAT_PIECES.least || args.length > FLAT_PIECES.most ? text : flatText(text);
}

function strOfMany(args: readonly unknown[]): string {
  let text = '';
  for (let from = 0; from < args.length; from += ROPE_PARTS) {
    let recent = '';
    for (const arg of args.slice(from, from + ROPE_PARTS)) {
      recent += displayString(arg);
      if (text.length + recent.length > STRING_LIMIT) throw memoryExceeded('a string');
    }
    text += flatText(recent);
  }
  return text;
}

function substring(text: unknown, from: unknown, to: unknown): string {
  if (typeof text !== 'string') throw wrongType('subs', 1, 'a string', text);
  const start = toIntIndex('subs', 2, from);
  const end = to === undefined ? text.length : toIntIndex('subs', 3, to);
  if (start < 0 || end < start || end > text.length) {
    throw stringOutOfBounds(`begin ${start}, end ${end}, length ${text.length}`);
  }
  return text.slice(start, end);
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Keyword || value instanceof LispSymbol) return value.name;
  throw wrongType('name', 1, 'a string, keyword or symbol', value);
}

function namespaceOf(value: unknown): string | null {
  if (value instanceof Keyword || value instanceof LispSymbol) return value.namespace;
  throw wrongType('namespace', 1, 'a keyword or symbol', value);
}

function toKeyword(value: unknown): unknown {
  if (value instanceof Keyword) return value;
  if (typeof value === 'string') return keywordFromText(value);
  return value instanceof LispSymbol ? keyword(value.namespace, value.name) : null;
}

/** A part of a two-part name: a string, or nil for the namespace. */
function part(operation: string, position: number, value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongType(operation, position, 'a string', value);
}

function toSymbol(value: unknown): unknown {
  if (value instanceof LispSymbol) return value;
  if (typeof value === 'string') return symbolFromText(value);
  if (value instanceof Keyword) return symbol(value.namespace, value.name);
  if (value instanceof Var) return symbol(value.namespace, value.name);
  throw badValue('no conversion to symbol');
}

function joined(args: readonly unknown[], show: (value: unknown) => string): string {
  let text = '';
  for (let i = 0; i < args.length; i++) text = boundedString(`${text}${i === 0 ? '' : ' '}${show(args[i])}`);
  return text;
}

/** Strings, names and text forms of values. */
export function strings(effects: Effects): readonly Row[] {
  return [
    variadic(
      'str',
      '|x|x & ys',
      'The texts of the values one after the other; nil is empty.',
      0,
      str,
      () => '',
      displayString,
      (a: unknown, b: unknown) => boundedString(displayString(a) + displayString(b)),
    ),
    fixed(
      'subs',
      's start|s start end',
      'The part of a string between two indexes.',
      (text: unknown, from: unknown) => substring(text, from, undefined),
      substring,
    ),
    fixed('name', 'x', 'The name of a keyword or symbol, or the string itself.', nameOf),
    fixed('namespace', 'x', 'The namespace of a keyword or symbol, or nil.', namespaceOf),
    fixed(
      'keyword',
      'name|ns name',
      'The keyword of a text, or of a namespace and a name.',
      toKeyword,
      (ns: unknown, name: unknown) => keyword(ns === null ? null : part('keyword', 1, ns), part('keyword', 2, name)),
    ),
    fixed(
      'symbol',
      'name|ns name',
      'The symbol of a text, or of a namespace and a name.',
      toSymbol,
      (ns: unknown, name: unknown) => symbol(ns === null ? null : part('symbol', 1, ns), part('symbol', 2, name)),
    ),
    ...withEffect('state', [
      fixed(
        'gensym',
        '|prefix-string',
        'A symbol not used before.',
        () => symbolFromText(`G__${effects.nextNumber()}`),
        (prefix: unknown) => symbolFromText(`${displayString(prefix)}${effects.nextNumber()}`),
      ),
    ]),
    variadic('pr-str', '& xs', 'The values as a reader reads them.', 0, (args) => joined(args, printString)),
    variadic(
      'prn-str',
      '& xs',
      'The values as a reader reads them, and a newline.',
      0,
      (args) => `${joined(args, printString)}\n`,
    ),
    variadic('print-str', '& xs', 'The values as a person reads them.', 0, (args) => joined(args, plainString)),
    variadic(
      'println-str',
      '& xs',
      'The values as a person reads them, and a newline.',
      0,
      (args) => `${joined(args, plainString)}\n`,
    ),
  ];
}

/** Functions that print to the evaluation's output. */
export function printing(effects: Effects): readonly Row[] {
  const print = (text: string): null => {
    effects.write(text);
    return null;
  };
  return withEffect('print', [
    variadic('print', '& more', 'Prints values as a person reads them.', 0, (args) => print(joined(args, plainString))),
    variadic('println', '& more', 'Prints values as a person reads them, and a newline.', 0, (args) =>
      print(`${joined(args, plainString)}\n`),
    ),
    variadic('pr', '|x|x & more', 'Prints values as a reader reads them.', 0, (args) =>
      print(joined(args, printString)),
    ),
    variadic('prn', '& more', 'Prints values as a reader reads them, and a newline.', 0, (args) =>
      print(`${joined(args, printString)}\n`),
    ),
    fixed('newline', '', 'Prints a newline.', () => print('\n')),
    fixed('flush', '', 'Does nothing: output is never held back.', () => null),
  ]);
}
