import { isRunSelector } from '../declaration/default-document.ts';
import { isInputPair, splitPair } from '../declaration/input-pair.ts';
import type { ValueGrammar } from '../declaration/types.ts';

/** cli.md §1 rule 7. */
const PATH_BYTES_MAX = 4096;
const NAME = /^[a-z][a-z0-9._-]{0,127}$/;
const LOGICAL = /^[a-z0-9][a-z0-9._-]{0,127}(?:\/[a-z0-9][a-z0-9._-]{0,127}){0,15}$/;
const RUN_REFERENCE = /^cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
/** Characters of KEY=VALUE; what is longer is a file. */
const PAIR_CHARACTERS_MAX = 65_536;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;
const POINTER_LENGTH_MAX = 8192;
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export type GrammarFault = 'invalid' | 'unusable-file-name';

/** What is wrong with a value, or undefined. Never throws, whatever the value. */
export function grammarFault(grammar: ValueGrammar, value: string): GrammarFault | undefined {
  if (grammar.kind === 'path') return pathFault(grammar.use, value);
  return isAccepted(grammar, value) ? undefined : 'invalid';
}

function isAccepted(grammar: Exclude<ValueGrammar, { kind: 'path' }>, value: string): boolean {
  switch (grammar.kind) {
    case 'integer':
      return DECIMAL.test(value) && Number(value) >= grammar.minimum && Number(value) <= grammar.maximum;
    case 'choice':
      return grammar.of.includes(value);
    case 'text':
      return hasLength(value, grammar.minimum, grammar.maximum);
    case 'name':
      return NAME.test(value);
    case 'logical':
      return LOGICAL.test(value);
    case 'run-reference':
      return RUN_REFERENCE.test(value);
    case 'run-selector':
      return isRunSelector(value);
    case 'digest':
      return DIGEST.test(value);
    case 'timestamp':
      return isTimestamp(value);
    case 'pointer':
      return value.length <= POINTER_LENGTH_MAX && POINTER.test(value);
    case 'resource':
      return isResource(value);
    case 'input':
      return isInputPair(value) ? hasLength(value, 1, PAIR_CHARACTERS_MAX) : isPath(value);
    case 'input-file':
      return isInputPair(value) && isPath(splitPair(value)[1]);
  }
}

/** Characters are code points. The first test spares counting what is far too long anyway. */
function hasLength(value: string, minimum: number, maximum: number): boolean {
  if (value.length > maximum * 2) return false;
  const { length } = Array.from(value);
  return length >= minimum && length <= maximum;
}

function pathFault(
  use: 'source' | 'destination' | 'directory' | 'application',
  value: string,
): GrammarFault | undefined {
  if (!isPath(value)) return 'invalid';
  if (use !== 'destination') return undefined;
  const last = value.slice(value.lastIndexOf('/') + 1);
  return value === '-' || last === '' || last === '.' || last === '..' ? 'unusable-file-name' : undefined;
}

function isPath(value: string): boolean {
  return (
    value !== '' &&
    !value.includes('\0') &&
    value.length <= PATH_BYTES_MAX &&
    Buffer.byteLength(value) <= PATH_BYTES_MAX
  );
}

/** RFC 3339, and a day that exists. */
function isTimestamp(value: string): boolean {
  const [, year, month, day] = TIMESTAMP.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === `${year}-${month}-${day}`;
}

/** `NAME=DIRECTORY` of the repl. */
function isResource(value: string): boolean {
  const split = value.indexOf('=');
  return split > 0 && NAME.test(value.slice(0, split)) && isPath(value.slice(split + 1));
}
