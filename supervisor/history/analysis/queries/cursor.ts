import { createHash } from 'node:crypto';
import { answer, refuseQuery, type Answer } from '../answer.ts';

/** What a cursor belongs to: another query cannot use it, nor the same one over another capture (evidence.md §7). */
export interface CursorBinding {
  /** Canonical text of operation, order and filters. */
  readonly query: string;
  readonly snapshotHash: string;
}

const POSITION_BYTES = 6;
const BOUND_BYTES = 12;
const CHECK_BYTES = 8;
const FORM = /^[A-Za-z0-9_-]{51}$/;

/** Opaque to callers, 51 characters: where a page begins, what it is a page of, and a check against damage. */
export function cursorAt(position: number, { query, snapshotHash }: CursorBinding): string {
  const place = Buffer.alloc(POSITION_BYTES);
  place.writeUIntBE(position, 0, POSITION_BYTES);
  const body = Buffer.concat([place, bound(query), bound(snapshotHash)]);
  return Buffer.concat([body, check(body)]).toString('base64url');
}

/**
 * Where the page begins; `invalid_query` of a damaged cursor or of another query, `source_changed` of another capture.
 */
export function positionOf(cursor: string, { query, snapshotHash }: CursorBinding): Answer<number> {
  if (!FORM.test(cursor)) return refuseQuery('invalid_query');
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(0, -CHECK_BYTES);
  if (bytes.toString('base64url') !== cursor || !check(body).equals(bytes.subarray(-CHECK_BYTES)))
    return refuseQuery('invalid_query');
  if (!bound(query).equals(body.subarray(POSITION_BYTES, POSITION_BYTES + BOUND_BYTES)))
    return refuseQuery('invalid_query');
  if (!bound(snapshotHash).equals(body.subarray(POSITION_BYTES + BOUND_BYTES))) return refuseQuery('source_changed');
  return answer(body.readUIntBE(0, POSITION_BYTES));
}

function bound(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, BOUND_BYTES);
}

function check(body: Buffer): Buffer {
  return createHash('sha256').update('svc.cursor.v1\0').update(body).digest().subarray(0, CHECK_BYTES);
}
