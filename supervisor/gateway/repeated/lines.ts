import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJsonText } from '../../../contract/json/parse.ts';
import { integerOf, isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { Era } from '../../../contract/mcp/era.ts';

/** The result that a call was answered with. */
export interface StoredAnswer {
  readonly era: Era;
  /** JSON. */
  readonly result: string;
}

/** A call that was made with a key. */
export interface KeyedCall {
  /** Digest of its tool and key: hex, with the salt of the index. */
  readonly call: string;
  /** Digest of its arguments, alike. */
  readonly given: string;
  readonly runRef: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** `unknown` once nobody can say how it ended. */
  readonly state: 'running' | 'ended' | 'unknown';
  /** Null: not kept. */
  readonly answer: StoredAnswer | null;
}

/** Bytes of an answer that is kept (gateway.md §12). */
export const STORED_ANSWER_BYTES = 1_048_576;
/** Bytes of a line: an answer of which every byte is escaped, and the rest. */
const LINE_BYTES = 6 * STORED_ANSWER_BYTES + 4096;
const LIMITS = documentLimits(LINE_BYTES);
const SALT = /^[0-9a-f]{64}$/;

export function saltLine(salt: string): Buffer {
  return lineOf({ salt });
}

/** What is known of a call from here on. */
export function callLine({ answer, ...facts }: KeyedCall): Buffer {
  return lineOf(answer === null ? facts : { ...facts, answer: answer.result, era: answer.era });
}

/** That a call never began. */
export function forgetLine(call: string): Buffer {
  return lineOf({ call, state: 'forgotten' });
}

function lineOf(record: object): Buffer {
  const json = jsonFromPlain(record);
  if (json === undefined) throw new TypeError('a line of the index is plain data');
  return Buffer.from(`${canonicalJson(json)}\n`);
}

/**
 * What files say, the oldest first: the last of each call; a call that had started is `unknown` now. Null without a
 * salt; lines that are not whole are left out.
 */
export function readCallIndex(
  files: readonly Uint8Array[],
): { readonly salt: string; readonly calls: ReadonlyMap<string, KeyedCall> } | null {
  const calls = new Map<string, KeyedCall>();
  let salt: string | null = null;
  for (const line of files.flatMap((bytes) => new TextDecoder().decode(bytes).split('\n'))) {
    const parsed = parseJsonText(line, LIMITS);
    const record = parsed.ok ? valueOf(parsed.root) : undefined;
    if (!isJsonObject(record)) continue;
    const [named, id] = [record.get('salt'), record.get('call')];
    if (typeof named === 'string' && SALT.test(named)) salt ??= named;
    if (typeof id !== 'string') continue;
    if (record.get('state') === 'forgotten') calls.delete(id);
    else keep(calls, callOf(id, record));
  }
  return salt === null ? null : { salt, calls };
}

function keep(calls: Map<string, KeyedCall>, call: KeyedCall | null): void {
  if (call !== null) calls.set(call.call, call);
}

function callOf(call: string, record: JsonObject): KeyedCall | null {
  const [input, runRef, state, answer, era] = ['given', 'runRef', 'state', 'answer', 'era'].map((name) =>
    record.get(name),
  );
  const startedAt = integerOf(record.get('begunAt'));
  if (typeof input !== 'string' || typeof runRef !== 'string' || typeof startedAt !== 'number') return null;
  const stored =
    typeof answer === 'string' && (era === 'modern' || era === 'legacy') ? ({ era, result: answer } as const) : null;
  return {
    call,
    given: input,
    runRef,
    begunAt: startedAt,
    state: state === 'ended' ? 'ended' : 'unknown',
    answer: stored,
  };
}
