import { createHash } from 'node:crypto';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { sealContainer } from './container.ts';
import { headerChain, RECORD_HEAD_BYTES, recordChain } from './proven-prefix.ts';

/** Levels of a record (evidence.md §6). */
const RECORD_DEPTH = 64;
const SEAL_HEAD = '{"seal":';

/** What one line of an inspection file proved to be. `record` is a part of the line. Nothing follows a seal. */
export type ScannedLine =
  { readonly kind: 'header' | 'sealed' | 'broken' } | { readonly kind: 'record'; readonly record: Buffer };

/** Proves an inspection file line by line: header, chain, seal, counts and digest (evidence.md §6, "Reader"). */
export interface InspectionScan {
  /** The next line, without its line feed. After a seal or what is broken every line is broken. */
  line(bytes: Buffer): ScannedLine;
}

export function inspectionScan(): InspectionScan {
  const digest = createHash('sha256');
  let chain: Buffer | null = null;
  let isOver = false;
  let records = 0;
  let evidenceBytes = 0;

  const over = (kind: 'sealed' | 'broken'): ScannedLine => {
    isOver = true;
    return { kind };
  };
  const taken = (line: Buffer): void => {
    digest.update(line).update('\n');
  };
  return {
    line: (line) => {
      if (isOver) return over('broken');
      if (chain === null) {
        chain = headerChain(line);
        if (chain === null) return over('broken');
        taken(line);
        return { kind: 'header' };
      }
      if (line.toString('latin1', 0, SEAL_HEAD.length) === SEAL_HEAD) {
        const seal = sealContainer({ chain, records, evidenceBytes }, digest.digest('hex'));
        return over(line.equals(seal.subarray(0, -1)) ? 'sealed' : 'broken');
      }
      chain = recordChain(chain, line);
      if (chain === null) return over('broken');
      taken(line);
      records += 1;
      evidenceBytes += line.length + 1;
      return { kind: 'record', record: line.subarray(RECORD_HEAD_BYTES, -1) };
    },
  };
}

/** The object that a header or a record says; null where it is none. */
export function inspectionObject(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(bytes, { bytes: bytes.length, depth: RECORD_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  const value = parsed.ok ? valueOf(parsed.root) : null;
  return isJsonObject(value) ? value : null;
}
