import { castError, LimitSignal, wrongType } from '../errors.ts';
import { invoke1 } from '../invoke.ts';
import { get } from '../lookup.ts';
import { JsonFault, jsonError, type KeyReader, readJson } from '../json/read.ts';
import { writeJson } from '../json/write.ts';
import { keyword, keywordFromText } from '../values/keyword.ts';
import { arrayMap } from '../values/map-builder.ts';
import { vector } from '../values/vector.ts';
import { fixed, type Row, variadic } from './row.ts';

const KEY_FN = keyword(null, 'key-fn');

/** The second argument of `parse-string`: true for keywords, a function, or nothing. */
function keyReader(option: unknown): KeyReader {
  if (option === true) return keywordFromText;
  return option === null || option === false ? (key) => key : (key) => invoke1(option, key);
}

function parse(operation: string, text: unknown, readKey: KeyReader): unknown {
  if (text === null) return null;
  if (typeof text !== 'string') throw wrongType(operation, 1, 'a string', text);
  const value = readJson(text, readKey);
  if (value instanceof JsonFault) throw jsonError(value);
  return value;
}

function parseLines(text: unknown, readKey: KeyReader): unknown {
  if (text === null) return null;
  if (typeof text !== 'string') throw wrongType('parse-lines', 1, 'a string', text);
  const values: unknown[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const value = readJson(line, readKey);
    values.push(value instanceof JsonFault ? null : value);
  }
  return vector(values);
}

function generate(args: readonly unknown[]): string {
  const options = args.slice(1);
  const keyFunction = options.length % 2 === 0 ? get(arrayMap(options), KEY_FN) : null;
  const written = writeJson(args[0], 'generate', keyFunction === null ? null : (key) => invoke1(keyFunction, key));
  if (written.ok) return written.text;
  const { message } = written.fault;
  if (written.fault.reason === 'surrogate') throw new LimitSignal('invalid_java_string', message);
  throw castError(`generate-string: ${message}`);
}

const parseDoc = 'The value of a JSON text, perhaps with its keys changed.';
const generateDoc = 'The JSON text of a value.';

export function json(): readonly Row[] {
  return [
    fixed(
      'parse-string',
      's|s key-fn',
      parseDoc,
      (text: unknown) => parse('parse-string', text, keyReader(null)),
      (text: unknown, option: unknown) => parse('parse-string', text, keyReader(option)),
    ),
    fixed(
      'read-str',
      's|s option key-fn',
      parseDoc,
      (text: unknown) => parse('read-str', text, keyReader(null)),
      (text: unknown, name: unknown, f: unknown) => parse('read-str', text, keyReader(name === KEY_FN ? f : null)),
    ),
    fixed(
      'parse-lines',
      's|s key-fn',
      'A vector of the values of all lines that are not blank; a bad line is nil.',
      (text: unknown) => parseLines(text, keyReader(null)),
      (text: unknown, option: unknown) => parseLines(text, keyReader(option)),
    ),
    variadic('generate-string', 'x & options', generateDoc, 1, generate),
    variadic('write-str', 'x & options', generateDoc, 1, generate),
  ];
}
