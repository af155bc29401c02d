import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { ENVELOPE_LIMITS, readRunEnvelope } from '../explain/read-envelope.ts';
import { findText, objectOf } from '../analysis/members.ts';
import type { KnownEnd } from './run-times.ts';

/** Bytes of the end of a trace: the last event of a usual run has some 2,000. */
const TAIL_BYTES = 16_384;
const NEWLINE = 0x0a;
const TAIL_LIMITS = { bytes: TAIL_BYTES, depth: 64, nodes: 10_000 };

/**
 * How a run ended, by its envelope and else by the last line of its normal trace; null where that cannot be seen at a
 * glance. Read at once and not by promises, which for so little take several times as long. Final links are not
 * followed.
 */
export function readRunEnd(root: string, runRef: string): KnownEnd {
  const envelope = readTail(join(root, 'envelopes', `${runRef}.json`), ENVELOPE_LIMITS.bytes);
  if (envelope !== null) {
    const read = envelope.isWhole ? readRunEnvelope(envelope.bytes) : null;
    return read?.ok === true ? endOf(read.run.status) : null;
  }
  const trace = readTail(join(root, 'traces', `${runRef}.jsonl`), TAIL_BYTES);
  return trace === null ? null : endOfTrace(trace.bytes, runRef);
}

function endOfTrace(bytes: Buffer, runRef: string): KnownEnd {
  if (bytes.at(-1) !== NEWLINE) return null;
  const start = bytes.lastIndexOf(NEWLINE, -2);
  if (start < 0) return null;
  const parsed = parseJson(bytes.subarray(start + 1, -1), TAIL_LIMITS);
  const event = parsed.ok ? valueOf(parsed.root) : null;
  if (!isJsonObject(event)) return null;
  const isEnd = findText(event, 'type') === 'run-stopped' && findText(event, 'run_id') === runRef;
  return isEnd ? endOf(findText(objectOf(event, 'data'), 'outcome')) : null;
}

function endOf(word: string | undefined): KnownEnd {
  return word === 'ok' || word === 'error' ? word : null;
}

interface Tail {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** At most so many bytes of the end of a file; null where there is none that can be read. */
function readTail(path: string, most: number): Tail | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return null;
    const length = Math.min(facts.size, most);
    const bytes = Buffer.allocUnsafe(length);
    const read = readSync(descriptor, bytes, 0, length, facts.size - length);
    return { bytes: bytes.subarray(0, read), isWhole: read === facts.size };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
