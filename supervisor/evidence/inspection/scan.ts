import { createHash } from 'node:crypto';
import { valueOf } from '../../../contract/json/node.ts';
import { doPaced } from '../../../contract/json/paced.ts';
import { parseJson, readJson } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import { sealContainer } from './container.ts';
import { slicedUpdate } from './long-record.ts';
import { headerChain, RECORD_HEAD_BYTES, recordChain } from './proven-prefix.ts';

/** Levels of a record (evidence.md §6). */
const LIMITS = { bytes: Number.MAX_SAFE_INTEGER, depth: 64, nodes: Number.MAX_SAFE_INTEGER };
const SEAL_HEAD = '{"seal":';

/** What one line of an inspection file proved to be. `record` is a part of the line. Nothing follows a seal. */
export type ScannedLine =
  | { readonly kind: 'header' | 'sealed' | 'broken' }
  | { readonly kind: 'record'; readonly record: Buffer };

/** Proves an inspection file line by line: header, chain, seal, counts and digest (evidence.md §6, "Reader"). */
export interface InspectionScan {
  /**
   * The next line, without its line feed, once the one before is scanned. After a seal or what is broken every line is
   * broken. A long line takes several turns of the event loop.
   */
  line(bytes: Buffer): Promise<ScannedLine>;
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
  const hashLine = async (line: Buffer): Promise<void> => {
    await doPaced(slicedUpdate(digest, line), EVENT_LOOP_PACE);
    digest.update('\n');
  };
  return {
    line: async (line) => {
      if (isOver) return over('broken');
      if (chain === null) {
        chain = headerChain(line);
        if (chain === null) return over('broken');
        await hashLine(line);
        return { kind: 'header' };
      }
      if (line.toString('latin1', 0, SEAL_HEAD.length) === SEAL_HEAD) {
        const seal = sealContainer({ chain, records, evidenceBytes }, digest.digest('hex'));
        return over(line.equals(seal.subarray(0, -1)) ? 'sealed' : 'broken');
      }
      chain = await recordChain(chain, line);
      if (chain === null) return over('broken');
      await hashLine(line);
      records += 1;
      evidenceBytes += line.length + 1;
      return { kind: 'record', record: line.subarray(RECORD_HEAD_BYTES, -1) };
    },
  };
}

/** The object that a header says; null where it is none. */
export function inspectionHeader(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(bytes, LIMITS);
  const value = parsed.ok ? valueOf(parsed.root) : null;
  return isJsonObject(value) ? value : null;
}

/** The object that a record says, which may be long; null where it is none. */
export async function inspectionObject(bytes: Uint8Array): Promise<JsonObject | null> {
  const read = await readJson(bytes, LIMITS, EVENT_LOOP_PACE);
  return read.ok && isJsonObject(read.value) ? read.value : null;
}
