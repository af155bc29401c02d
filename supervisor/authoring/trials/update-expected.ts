import { readFile } from 'node:fs/promises';
import { BYTE_ORDER_MARK } from '../../../contract/byte-order-mark.ts';
import { resolvePointer, buildPointer } from '../../../contract/json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { replaceFile } from '../../../system/replace-file.ts';
import { prettyJson } from './pretty-json.ts';
import { parseDocument } from '../../documents/json-document.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { TrialResult } from './trial.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Writes the values that runs came to in the place of those that cases expected, and changes nothing else of their
 * files. Gives the results whose cases are now as their runs: only those that missed nothing but values. A private
 * value is written nowhere.
 */
export async function updateExpected(results: readonly TrialResult[]): Promise<ReadonlySet<TrialResult>> {
  const able = results.filter(isUpdatable);
  const updated = new Set<TrialResult>();
  for (const file of new Set(able.map(({ trial }) => trial.subject.file))) {
    const own = able.filter(({ trial }) => trial.subject.file === file);
    if (await rewrite(file, own)) for (const result of own) updated.add(result);
  }
  return updated;
}

function isUpdatable({ status, runs }: TrialResult): boolean {
  const [run, ...others] = runs;
  if (status !== 'failed' || run === undefined || others.length > 0 || run.attempt.isPrivate) return false;
  return run.misses.every(({ expectation }) => expectation === 'value' || expectation === 'matches');
}

async function rewrite(file: string, results: readonly TrialResult[]): Promise<boolean> {
  const bytes = await readFile(file);
  const mark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(Buffer.from(BYTE_ORDER_MARK))
    ? BYTE_ORDER_MARK.length
    : 0;
  const parsed = parseDocument(bytes.subarray(mark), MAX_BYTES.cases);
  if (!parsed.ok) return false;
  const { root } = parsed.document;
  const edits = results.flatMap(({ trial, runs }): readonly Edit[] => {
    const actual = runs[0]?.attempt.value ?? null;
    const { at, expect } = trial.subject;
    return (['value', 'matches'] as const).flatMap((member) => {
      const expected = expect[member];
      const node = resolvePointer(root, buildPointer([...at, 'expect', member]));
      if (expected === undefined || node === undefined) return [];
      const value = member === 'value' ? actual : asMuchOf(expected, actual);
      return [
        { start: node.start, end: node.end, text: prettyJson(value, indentAt(bytes.subarray(mark), node.start)) },
      ];
    });
  });
  let text = bytes.subarray(mark);
  for (const { start, end, text: replacement } of edits.toSorted((left, right) => right.start - left.start))
    text = Buffer.concat([text.subarray(0, start), Buffer.from(replacement), text.subarray(end)]);
  await replaceFile(file, Buffer.concat([bytes.subarray(0, mark), text]), { ifNew: 0o644 });
  return true;
}

/** Of the value, the members that were expected of it. */
function asMuchOf(expected: JsonValue, actual: JsonValue): JsonValue {
  if (isJsonObject(expected) && isJsonObject(actual))
    return new Map(
      [...expected].flatMap(([key, member]) => {
        const found = actual.get(key);
        return found === undefined ? [] : [[key, asMuchOf(member, found)] as const];
      }),
    );
  if (isJsonArray(expected) && isJsonArray(actual))
    return actual.map((item, index) => {
      const other = expected[index];
      return other === undefined ? item : asMuchOf(other, item);
    });
  return actual;
}

/** White space before the first character of the line. */
function indentAt(bytes: Uint8Array, offset: number): string {
  const before = Buffer.from(bytes.subarray(0, offset)).toString('utf8');
  return /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
}
