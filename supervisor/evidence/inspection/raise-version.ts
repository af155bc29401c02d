import { createHash, type Hash } from 'node:crypto';
import { doPaced } from '../../../contract/json/paced.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import {
  APPROVALS_VERSION,
  beginContainer,
  INSPECTION_VERSION,
  type ContainerIdentity,
  type ContainerState,
} from './container.ts';
import { slicedRecord, slicedUpdate } from './long-record.ts';
import { RECORD_HEAD_BYTES } from './proven-prefix.ts';

const CHUNK_BYTES = 1_048_576;
const LINE_FEED = 0x0a;
/** Behind the payload, which may hold the same words. */
const VERSION_MEMBER = `"schema_version":${INSPECTION_VERSION},"sequence":`;

/** Bytes that were written, to be read and replaced; as the sink of the writer. */
export interface WrittenFile {
  read(position: number, length: number): Promise<Uint8Array | null>;
  overwrite(position: number, bytes: Uint8Array): Promise<boolean>;
}

/**
 * Writes a file again as one of the version that has records of approvals: every line in its place, with as many bytes
 * as before, since only digits of the version and of the chain change. Null where that fails: the file is lost. A run
 * that is killed meanwhile leaves a prefix that nothing proves.
 */
export async function raiseVersion(
  file: WrittenFile,
  identity: ContainerIdentity,
  bytes: number,
): Promise<{ readonly state: ContainerState; readonly digest: Hash } | null> {
  const header = beginContainer(identity, APPROVALS_VERSION);
  const digest = createHash('sha256').update(header.line);
  if (!(await file.overwrite(0, header.line))) return null;
  let { state } = header;
  let lineStart = header.line.length;
  let buffered: Uint8Array[] = [];
  for (let position = lineStart; position < bytes;) {
    const chunk = await file.read(position, Math.min(CHUNK_BYTES, bytes - position));
    if (chunk === null || chunk.length === 0) return null;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = Buffer.concat([...buffered, chunk.subarray(start, end)]);
      buffered = [];
      start = end + 1;
      const step = await doPaced(slicedRecord(state, raisedRecord(line)), EVENT_LOOP_PACE);
      if (!(await file.overwrite(lineStart, step.line))) return null;
      await doPaced(slicedUpdate(digest, step.line), EVENT_LOOP_PACE);
      ({ state } = step);
      lineStart += step.line.length;
    }
    buffered.push(chunk.subarray(start));
    position += chunk.length;
  }
  return { state, digest };
}

function raisedRecord(line: Buffer): string {
  const record = line.toString('utf8', RECORD_HEAD_BYTES, line.length - 1);
  const at = record.lastIndexOf(VERSION_MEMBER);
  if (at === -1) throw new Error('a record that was written has its version');
  const raised = VERSION_MEMBER.replace(String(INSPECTION_VERSION), String(APPROVALS_VERSION));
  return `${record.slice(0, at)}${raised}${record.slice(at + VERSION_MEMBER.length)}`;
}
