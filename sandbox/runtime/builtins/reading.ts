import type { Effects } from '../effects.ts';
import { nullError, wrongType } from '../errors.ts';
import { fixed, type Row } from './row.ts';

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) throw nullError('read-string: argument 1 must be a string, not nil');
  throw wrongType('read-string', 1, 'a string', value);
}

/** `read-string`: the reader is the language's own, reached through the effects. */
export function reading(effects: Effects): readonly Row[] {
  return [
    fixed(
      'read-string',
      's|opts s',
      'The first form of a text, as data.',
      (source: unknown) => effects.readForm(text(source), 'lisp', null),
      (options: unknown, source: unknown) => effects.readForm(text(source), 'lisp', options),
    ),
  ];
}

/** `clojure.edn/read-string`: data only; nil gives nil. */
export function ednReading(effects: Effects): readonly Row[] {
  return [
    fixed(
      'read-string',
      's|opts s',
      'The first form of a text of plain data.',
      (source: unknown) => (source === null ? null : effects.readForm(text(source), 'edn', null)),
      (options: unknown, source: unknown) => (source === null ? null : effects.readForm(text(source), 'edn', options)),
    ),
  ];
}
