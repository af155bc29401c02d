import type { Effects } from '../effects.ts';
import { javaClassName } from '../classes.ts';
import { type LispError, memoryExceeded, valueError, wrongType } from '../errors.ts';
import { decimalOf, exponentText, fixedText, roundDigits } from '../numbers/decimal.ts';
import { boundedString, displayString } from '../print.ts';
import { isTruthy } from '../truth.ts';
import { Char } from '../values/char.ts';
import { isFloating, isInteger, toFloat } from '../values/double.ts';
import { type Row, variadic, withEffect } from './row.ts';

/** Width and precision at most (functions.md §14). */
const SIZE_LIMIT = 1_000_000;

/** One `%…` of a format text. */
interface Directive {
  readonly flags: string;
  readonly width: number | null;
  readonly precision: number | null;
  readonly conversion: string;
}

function fault(message: string): LispError {
  return valueError('java.util.IllegalFormatException', message);
}

const DIRECTIVE = /%(\d+\$)?([-#+ 0,(<]*)(\d+)?(\.\d+)?([a-zA-Z%])/y;

function size(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (value > SIZE_LIMIT) throw memoryExceeded('a format width');
  return value;
}

/** Puts text into its width: to the right unless `-`. */
function padded(text: string, { flags, width }: Directive): string {
  if (width === null) return text;
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function cased(text: string, conversion: string): string {
  return conversion === conversion.toUpperCase() ? text.toUpperCase() : text;
}

/** General conversions: precision cuts the text. */
function general(text: string, directive: Directive): string {
  if (/[+ 0,(#]/.test(directive.flags)) throw fault(`Conversion = ${directive.conversion}, Flags = ${directive.flags}`);
  const cut = directive.precision === null ? text : text.slice(0, directive.precision);
  return padded(cased(cut, directive.conversion), directive);
}

/** Sign, grouping, zero filling and brackets of a number given by its digits. */
function signed(negative: boolean, magnitude: string, directive: Directive): string {
  const { flags, width } = directive;
  let digits = flags.includes(',')
    ? magnitude.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
    : magnitude;
  const brackets = negative && flags.includes('(');
  const prefix = negative ? (brackets ? '(' : '-') : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const suffix = brackets ? ')' : '';
  if (flags.includes('0') && width !== null) digits = digits.padStart(width - prefix.length - suffix.length, '0');
  return padded(prefix + digits + suffix, directive);
}

/** What each conversion takes, and what to write for a value of another kind. */
const TAKES: Readonly<Record<string, string>> = {
  d: 'an integer; write %s, %.0f for a double, or (long x)',
  x: 'an integer; write (long x)',
  o: 'an integer; write (long x)',
  f: 'a double; write %d for an integer, or (double x)',
  e: 'a double; write (double x)',
  g: 'a double; write (double x)',
  c: 'a char; write %s',
};

function badArgument(directive: Directive, value: unknown): LispError {
  const { conversion } = directive;
  return fault(
    `${conversion} != ${javaClassName(value)}: %${conversion} takes ${TAKES[conversion.toLowerCase()] ?? 'another value'}`,
  );
}

/** A specifier for which there is no value; `input` counts those after the text. */
function missingArgument(specifier: string, position: number, input: number): LispError {
  const wanted =
    position < 0 ? 'there is no value before it' : `it takes value ${position + 1}, and the call gives ${input}`;
  return fault(`Format specifier '${specifier}': ${wanted}`);
}

function decimalInteger(value: unknown, directive: Directive): string {
  if (directive.precision !== null) throw fault(String(directive.precision));
  if (directive.flags.includes('#')) throw fault(`Conversion = d, Flags = ${directive.flags}`);
  if (value === null) return padded('null', directive);
  if (!isInteger(value)) throw badArgument(directive, value);
  const wide = BigInt(value);
  return signed(wide < 0n, String(wide < 0n ? -wide : wide), directive);
}

function bitInteger(value: unknown, directive: Directive): string {
  const { conversion, flags, width, precision } = directive;
  if (precision !== null) throw fault(String(precision));
  if (/[+ ,(]/.test(flags)) throw fault(`Conversion = ${conversion}, Flags = ${flags}`);
  if (value === null) return padded(cased('null', conversion), directive);
  if (!isInteger(value)) throw badArgument(directive, value);
  const wide = BigInt(value);
  const fits = BigInt.asIntN(64, wide) === wide;
  const radix = conversion === 'o' ? 8 : 16;
  const text = (fits ? BigInt.asUintN(64, wide) : wide < 0n ? -wide : wide).toString(radix);
  const sign = !fits && wide < 0n ? '-' : '';
  const prefix = sign + (flags.includes('#') ? (radix === 8 ? '0' : '0x') : '');
  const filled = flags.includes('0') && width !== null ? text.padStart(width - prefix.length, '0') : text;
  return padded(cased(prefix + filled, conversion), directive);
}

/** Floating conversions: half up on the shortest decimal digits. */
function floating(value: unknown, directive: Directive): string {
  const { conversion, flags } = directive;
  if (value === null) return padded(cased('null', conversion), directive);
  if (!isFloating(value)) throw badArgument(directive, value);
  const float = toFloat(value);
  if (!Number.isFinite(float)) return wordFor(float, directive);
  const decimal = decimalOf(float);
  const precision = directive.precision ?? 6;
  let text: string;
  const point = flags.includes('#') && precision === 0 ? '.' : '';
  if (conversion === 'f') text = fixedText(decimal, precision) + point;
  else if (conversion.toLowerCase() === 'e') {
    if (flags.includes(',')) throw fault(`Conversion = ${conversion}, Flags = ,`);
    text = exponentText(decimal, precision);
  } else {
    if (flags.includes('#')) throw fault(`Conversion = ${conversion}, Flags = #`);
    text = generalFloat(float, precision === 0 ? 1 : precision);
  }
  return cased(signed(decimal.negative, text, directive), conversion === 'f' ? 'x' : conversion);
}

function generalFloat(float: number, precision: number): string {
  const decimal = decimalOf(float);
  if (float === 0) return fixedText(decimal, precision - 1);
  const rounded = roundDigits(decimal, precision);
  if (rounded.point <= -4 || rounded.point > precision) return exponentText(decimal, precision - 1);
  return fixedText(rounded, precision - rounded.point);
}

function wordFor(float: number, directive: Directive): string {
  const plain = { ...directive, flags: directive.flags.replace(/[0,]/g, '') };
  const text = float !== float ? padded('NaN', plain) : signed(float < 0, 'Infinity', plain);
  return cased(text, directive.conversion === 'f' ? 'x' : directive.conversion);
}

function character(value: unknown, directive: Directive): string {
  if (directive.precision !== null) throw fault(String(directive.precision));
  if (value !== null && !(value instanceof Char)) throw badArgument(directive, value);
  return general(value === null ? 'null' : value.text, directive);
}

function converted(value: unknown, directive: Directive): string {
  switch (directive.conversion) {
    case 's':
    case 'S':
      return general(value === null ? 'null' : displayString(value), directive);
    case 'd':
      return decimalInteger(value, directive);
    case 'x':
    case 'X':
    case 'o':
      return bitInteger(value, directive);
    case 'f':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return floating(value, directive);
    case 'c':
    case 'C':
      return character(value, directive);
    case 'b':
    case 'B':
      return general(String(isTruthy(value)), directive);
    default:
      throw fault(
        `Conversion = '${directive.conversion}'; there are %s %d %x %o %f %e %g %c %b %n %%, and DateTimeFormatter for dates`,
      );
  }
}

function refuseBadFlags(directive: Directive): void {
  const { flags, width } = directive;
  if (new Set(flags).size !== flags.length) throw fault(`Flags = '${flags}'`);
  if (flags.includes('-') && flags.includes('0')) throw fault(`Flags = '${flags}'`);
  if (flags.includes('+') && flags.includes(' ')) throw fault(`Flags = '${flags}'`);
  if (/[-0]/.test(flags) && width === null) throw fault(`%${flags}${directive.conversion}`);
}

/** `String.format` of java.util.Formatter, root locale (functions.md §14). */
export function formatText(template: string, args: readonly unknown[]): string {
  let text = '';
  let ordinary = 0;
  let last = -1;
  let at = 0;
  for (let percent = template.indexOf('%'); percent !== -1; percent = template.indexOf('%', at)) {
    DIRECTIVE.lastIndex = percent;
    const found = DIRECTIVE.exec(template);
    if (found === null) throw fault(`Conversion = '%'`);
    const [all, index, flags = '', width, precision, conversion = ''] = found;
    text += template.slice(at, percent);
    at = percent + all.length;
    const directive: Directive = {
      flags: flags.replace('<', ''),
      width: size(width),
      precision: size(precision?.slice(1)),
      conversion,
    };
    refuseBadFlags(directive);
    if (conversion === 'n') {
      if (directive.width !== null || directive.precision !== null || flags !== '') throw fault(all);
      text += '\n';
    } else if (conversion === '%') text += padded('%', directive);
    else {
      if (index !== undefined) last = Number(index.slice(0, -1)) - 1;
      else if (!flags.includes('<')) last = ordinary++;
      if (last < 0 || last >= args.length) throw missingArgument(all, last, args.length);
      text = boundedString(text + converted(args[last], directive));
    }
  }
  return boundedString(text + template.slice(at));
}

function format(operation: string, args: readonly unknown[]): string {
  const [template, ...values] = args;
  if (typeof template !== 'string') throw wrongType(operation, 1, 'a string', template);
  return formatText(template, values);
}

export function formatting(effects: Effects): readonly Row[] {
  return [
    variadic('format', 'fmt & args', 'A text with values put in where it says.', 1, (args) => format('format', args)),
    ...withEffect('print', [
      variadic('printf', 'fmt & args', 'Prints a text with values put in where it says.', 1, (args) => {
        effects.write(format('printf', args));
        return null;
      }),
    ]),
  ];
}
