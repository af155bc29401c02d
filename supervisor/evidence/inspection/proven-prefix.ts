import { createHash } from 'node:crypto';
import { doPaced } from '../../../contract/json/paced.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import { CHAIN_DOMAIN, HEADER_BYTES } from './container.ts';
import { slicedUpdate } from './long-record.ts';

/** How much of an inspection file its own chain proves (evidence.md §6). */
export interface ProvenPrefix {
  /** From the start, whole lines only; 0 without a header. */
  readonly bytes: number;
  readonly records: number;
  /** What is behind: nothing, the seal, the beginning of a line, or what the chain does not prove. */
  readonly rest: 'none' | 'seal' | 'torn' | 'broken';
}

const HEADER = /^\{"created":"[^"]*","format":"svcins","format_version":1,/;
const RECORD_HEAD = /^\{"chain":"([0-9a-f]{64})","record":$/;
/** Bytes of a record's line before the record, which one brace follows. */
export const RECORD_HEAD_BYTES = '{"chain":"","record":'.length + 64;
const SEAL_HEAD = '{"seal":';
const LINE_FEED = 0x0a;

/**
 * Reads a file that may end anywhere, as a killed run leaves it, in chunks of any size. Holds one line at a time; stops
 * at the first line that its chain does not prove, or that is longer than `lineBytes`.
 */
export async function readProvenPrefix(chunks: AsyncIterable<Uint8Array>, lineBytes: number): Promise<ProvenPrefix> {
  let chain: Buffer | null = null;
  let bytes = 0;
  let records = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const at = (rest: ProvenPrefix['rest']): ProvenPrefix => ({ bytes, records, rest });

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = Buffer.concat([...pending, chunk.subarray(start, end)]);
      [pending, pendingBytes] = [[], 0];
      start = end + 1;
      if (chain !== null && line.toString('latin1', 0, SEAL_HEAD.length) === SEAL_HEAD) return at('seal');
      const next: Buffer | null = chain === null ? headerChain(line) : await recordChain(chain, line);
      if (next === null) return at('broken');
      if (chain !== null) records += 1;
      chain = next;
      bytes += line.length + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > lineBytes) return at('broken');
  }
  return at(pendingBytes === 0 ? 'none' : 'torn');
}

/** The chain that a header begins; null for a line that is none. */
export function headerChain(line: Buffer): Buffer | null {
  if (line.length > HEADER_BYTES || !HEADER.test(line.toString('utf8'))) return null;
  return createHash('sha256').update(CHAIN_DOMAIN).update(line).digest();
}

/**
 * The chain behind a record; null where the line is none, or says another. A long line is hashed in several turns of
 * the event loop.
 */
export async function recordChain(before: Buffer, line: Buffer): Promise<Buffer | null> {
  const [, claimed] = RECORD_HEAD.exec(line.toString('latin1', 0, RECORD_HEAD_BYTES)) ?? [];
  if (claimed === undefined || line.at(-1) !== 0x7d) return null;
  const record = line.subarray(RECORD_HEAD_BYTES, -1);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(record.length));
  const hash = createHash('sha256').update(before).update(length);
  await doPaced(slicedUpdate(hash, record), EVENT_LOOP_PACE);
  const chain = hash.digest();
  return chain.toString('hex') === claimed ? chain : null;
}
