import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { withoutByteOrderMark } from '../../contract/byte-order-mark.ts';
import { diagnostic, fixedSource, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Refused } from '../../contract/outcome.ts';
import type { InputStream } from '../../supervisor/api/run.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { isInputPair, splitPair } from '../declaration/input-pair.ts';
import { readUpTo } from '../process/read-stream.ts';

/** Bytes of an input (documents.md §1): no file that goes into one may have more. */
const FILE_BYTES = 2_000_000;

export type BuiltInput = { readonly ok: true; readonly stream: InputStream } | Refused;

/** Whether the line builds its input of several values, in place of naming one document (first-day.md §1). */
export function buildsInput({ options }: CommandArguments): boolean {
  return (
    options.has('--input-text') ||
    options.has('--input-json') ||
    (options.get('--input') ?? []).some((value) => isInputPair(value))
  );
}

/** The input object that `--input KEY=VALUE`, `--input-text` and `--input-json` make together, each file read once. */
export async function buildInput({ options }: CommandArguments, signal: AbortSignal): Promise<BuiltInput> {
  const members = new Map<string, JsonValue>();
  for (const pair of options.get('--input') ?? []) {
    const [key, text] = splitPair(pair);
    members.set(key, jsonOf(Buffer.from(text)) ?? text);
  }
  for (const option of ['--input-text', '--input-json'] as const)
    for (const pair of options.get(option) ?? []) {
      const [key, path] = splitPair(pair);
      const read = await readUpTo(createReadStream(path), FILE_BYTES + 1, signal);
      const member = read.ok ? memberOf(option, read.bytes) : UNREADABLE;
      if ('hint' in member)
        return { ok: false, diagnostic: member.diagnostic, hint: `${option} ${key}=${basename(path)}: ${member.hint}` };
      members.set(key, member.value);
    }
  const bytes = Buffer.from(canonicalJson(members));
  return {
    ok: true,
    stream: { name: 'input', read: async (limit) => ({ ok: true, bytes: bytes.subarray(0, limit) }) },
  };
}

interface Refusal {
  readonly diagnostic: Diagnostic;
  readonly hint: string;
}

const source = fixedSource('external_input');
const UNREADABLE: Refusal = {
  diagnostic: diagnostic('reference_missing', { source }),
  hint: 'the file cannot be read',
};
const TOO_LARGE: Refusal = { ...UNREADABLE, hint: `the file has more than ${FILE_BYTES} bytes` };
const NO_TEXT: Refusal = { ...UNREADABLE, hint: 'the file is not UTF-8' };
const NO_JSON: Refusal = { diagnostic: diagnostic('invalid_json', { source, path: '' }), hint: 'the file is not JSON' };

/** What a file says of its key, or what is wrong with it. */
function memberOf(option: '--input-text' | '--input-json', bytes: Uint8Array): { readonly value: JsonValue } | Refusal {
  if (bytes.length > FILE_BYTES) return TOO_LARGE;
  if (option === '--input-json') {
    const value = jsonOf(withoutByteOrderMark(bytes));
    return value === undefined ? NO_JSON : { value };
  }
  const text = textOf(bytes);
  return text === null ? NO_TEXT : { value: text };
}

/** Without the mark that some editors write before a text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function jsonOf(bytes: Uint8Array): JsonValue | undefined {
  const parsed = parseJson(bytes, documentLimits(FILE_BYTES));
  return parsed.ok ? valueOf(parsed.root) : undefined;
}
