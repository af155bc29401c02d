import { Char } from '../../runtime/values/char.ts';
import { BoxedDouble, Float32 } from '../../runtime/values/double.ts';
import { JavaDate } from '../../runtime/values/date.ts';
import { Uuid } from '../../runtime/values/uuid.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { Seq } from '../../runtime/values/seq.ts';
import { LispSet } from '../../runtime/values/set.ts';
import { LispSymbol } from '../../runtime/values/symbol.ts';
import { Vector } from '../../runtime/values/vector.ts';
import { Regex } from '../../runtime/regex/regex.ts';
import { toArray } from '../../runtime/sequence.ts';
import { stringLiteral } from '../code-text.ts';

/** Writes constants of a program as JavaScript expressions over the support functions. */
export interface ConstantWriter {
  /** The name under which a support function is known in this block. */
  support(name: string): string;
  /** The name or the text of a constant. */
  constant(value: unknown): string;
}

/** True for constants that are written in place rather than once at the head of the block. */
export function isInline(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && value.length <= 80;
}

export function constantExpression(value: unknown, writer: ConstantWriter): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return stringLiteral(value);
  const support = (name: string): string => writer.support(name);
  if (value instanceof BoxedDouble) return `${support('double')}(${numberLiteral(value.value)})`;
  if (value instanceof Float32) return `new ${support('Float32')}(${numberLiteral(value.value)})`;
  if (value instanceof Char) return `${support('char')}(${value.code})`;
  if (value instanceof Keyword) return writer.constant(value);
  if (value instanceof LispSymbol) return `${support('symbol')}(${nameLiterals(value)}${metadata(value.meta, writer)})`;
  if (value instanceof Regex) return `${support('regex')}(${stringLiteral(value.source)})`;
  if (value instanceof Vector) return collection('vector', toArray(value), value.meta, writer);
  if (value instanceof LispMap) return collection('mapLiteral', flatEntries(value), value.meta, writer);
  if (value instanceof LispSet) return collection('setLiteral', toArray(value), value.meta, writer);
  if (value instanceof Seq) return collection('list', toArray(value), value.meta, writer);
  if (value instanceof JavaDate) return `${support('date')}(${numberLiteral(value.ms)})`;
  if (value instanceof Uuid) return `${support('uuid')}(${stringLiteral(value.text)})`;
  throw new TypeError('a constant of a kind that the reader never makes');
}

function numberLiteral(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isNaN(value)
    ? 'NaN'
    : value === Infinity
      ? 'Infinity'
      : value === -Infinity
        ? '-Infinity'
        : String(value);
}

function nameLiterals(value: { readonly namespace: string | null; readonly name: string }): string {
  const namespace = value.namespace === null ? 'null' : stringLiteral(value.namespace);
  return `${namespace}, ${stringLiteral(value.name)}`;
}

function metadata(meta: unknown, writer: ConstantWriter): string {
  return meta === null ? '' : `, ${constantExpression(meta, writer)}`;
}

function collection(name: string, elements: readonly unknown[], meta: unknown, writer: ConstantWriter): string {
  const items = elements.map((element) => constantExpression(element, writer)).join(', ');
  return `${writer.support(name)}([${items}]${metadata(meta, writer)})`;
}

function flatEntries(map: LispMap): unknown[] {
  const flat: unknown[] = [];
  map.visit((key, value) => {
    flat.push(key, value);
    return false;
  });
  return flat;
}
