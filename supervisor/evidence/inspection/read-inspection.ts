import type { JsonObject } from '../../../contract/json/value.ts';
import { inspectionObject, inspectionScan } from './scan.ts';
import { INSPECTION_BOUNDS } from './writer.ts';

/** Bytes of a whole file: what one run may record, its header and its seal. */
export const INSPECTION_FILE_BYTES = INSPECTION_BOUNDS.evidenceBytes + 2048;

export type InspectionReading =
  | { readonly ok: true; readonly records: readonly JsonObject[] }
  /** `unsealed`: a run that did not come to its end. `broken`: what its own chain does not prove. */
  | { readonly ok: false; readonly fault: 'unsealed' | 'broken' };

/**
 * Reads a whole inspection file and proves it: header, chain, seal, counts and digest (evidence.md §6, "Reader"). Gives
 * the records in whose text one of `mentions` is, in their order; the others are proven and let go.
 */
export async function proveInspection(bytes: Uint8Array, mentions: readonly string[]): Promise<InspectionReading> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: JsonObject[] = [];
  const scan = inspectionScan();
  for (let start = 0; start < file.length;) {
    const feed = file.indexOf(0x0a, start);
    if (feed === -1) return UNSEALED;
    const scanned = await scan.line(file.subarray(start, feed));
    start = feed + 1;
    if (scanned.kind === 'broken') return BROKEN;
    if (scanned.kind === 'sealed') return start === file.length ? { ok: true, records } : BROKEN;
    if (scanned.kind === 'record' && mentions.some((text) => scanned.record.includes(text))) {
      const read = await inspectionObject(scanned.record);
      if (read === null) return BROKEN;
      records.push(read);
    }
  }
  return UNSEALED;
}

const BROKEN: InspectionReading = { ok: false, fault: 'broken' };
const UNSEALED: InspectionReading = { ok: false, fault: 'unsealed' };
