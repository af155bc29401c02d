import { createHash } from 'node:crypto';
import { parseJson } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { sealContainer } from './container.ts';
import { headerChain, RECORD_HEAD_BYTES, recordChain } from './proven-prefix.ts';
import { INSPECTION_BOUNDS } from './writer.ts';

/** Bytes of a whole file: what one run may record, its header and its seal. */
export const INSPECTION_FILE_BYTES = INSPECTION_BOUNDS.evidenceBytes + 2048;

/** Levels of a record (evidence.md §6). */
const RECORD_DEPTH = 64;

export type InspectionReading =
  | { readonly ok: true; readonly records: readonly JsonObject[] }
  /** `unsealed`: a run that did not come to its end. `broken`: what its own chain does not prove. */
  | { readonly ok: false; readonly fault: 'unsealed' | 'broken' };

/**
 * Reads a whole inspection file and proves it: header, chain, seal, counts and digest (evidence.md §6, "Reader"). Gives the
 * records in whose text one of `mentions` stands, in their order; the others are proven and let go.
 */
export function readInspection(bytes: Uint8Array, mentions: readonly string[]): InspectionReading {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: JsonObject[] = [];
  let chain: Buffer | null = null;
  let count = 0;
  let evidenceBytes = 0;
  for (let start = 0; start < file.length;) {
    const feed = file.indexOf(0x0a, start);
    if (feed === -1) return UNSEALED;
    const line = file.subarray(start, feed);
    if (chain === null) {
      chain = headerChain(line);
      if (chain === null) return BROKEN;
    } else if (line.indexOf(SEAL_HEAD) === 0) {
      const seal = sealContainer({ chain, records: count, evidenceBytes }, createHash('sha256').update(file.subarray(0, start)).digest('hex'));
      return file.subarray(start).equals(seal) ? { ok: true, records } : BROKEN;
    } else {
      chain = recordChain(chain, line);
      if (chain === null) return BROKEN;
      count += 1;
      evidenceBytes += line.length + 1;
      const record = line.subarray(RECORD_HEAD_BYTES, -1);
      if (mentions.some((text) => record.includes(text))) {
        const read = objectIn(record);
        if (read === null) return BROKEN;
        records.push(read);
      }
    }
    start = feed + 1;
  }
  return UNSEALED;
}

const SEAL_HEAD = '{"seal":';
const BROKEN: InspectionReading = { ok: false, fault: 'broken' };
const UNSEALED: InspectionReading = { ok: false, fault: 'unsealed' };

function objectIn(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(bytes, { bytes: bytes.length, depth: RECORD_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  const value = parsed.ok ? valueOf(parsed.root) : null;
  return isJsonObject(value) ? value : null;
}
