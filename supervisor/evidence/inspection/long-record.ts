import { createHash, type Hash } from 'node:crypto';
import { endOfPiece } from '../../../contract/json/serialized.ts';
import type { Sliced } from '../../../contract/json/sliced.ts';
import { RECORD_CLOSE, recordOpening, type ContainerState, type ContainerStep } from './container.ts';

/**
 * As `appendRecord`, in slices. A unit of its work is a unit of the text that is encoded, or a byte of it that is put.
 */
export function slicedRecord(state: ContainerState, text: string): Sliced<ContainerStep> {
  const pieces: Uint8Array[] = [];
  let next = 0;
  let chaining: Chaining | null = null;
  return {
    advance: (units) => {
      let left = units;
      while (next < text.length && left > 0) {
        const end = endOfPiece(text, next + left);
        pieces.push(Buffer.from(text.slice(next, end)));
        left -= end - next;
        next = end;
      }
      if (left <= 0) return null;
      chaining ??= beginChaining(state, pieces);
      return hashPieces(chaining, left) ? { result: finishRecord(state, chaining) } : null;
    },
  };
}

/** Adds bytes to a digest, in slices. A unit of the work is a byte. */
export function slicedUpdate(digest: Hash, bytes: Uint8Array): Sliced<null> {
  let next = 0;
  return {
    advance: (units) => {
      const end = Math.min(bytes.length, next + units);
      digest.update(bytes.subarray(next, end));
      next = end;
      return next < bytes.length ? null : { result: null };
    },
  };
}

interface Chaining {
  readonly hash: Hash;
  readonly pieces: readonly Uint8Array[];
  /** The first piece that is not hashed. */
  next: number;
}

function beginChaining({ chain }: ContainerState, pieces: readonly Uint8Array[]): Chaining {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(pieces.reduce((bytes, piece) => bytes + piece.length, 0)));
  return { hash: createHash('sha256').update(chain).update(length), pieces, next: 0 };
}

/** Whether all are hashed. A piece is hashed whole: it has three bytes for each unit of a slice, at most. */
function hashPieces(chaining: Chaining, units: number): boolean {
  let left = units;
  for (; left > 0; chaining.next += 1) {
    const piece = chaining.pieces[chaining.next];
    if (piece === undefined) return true;
    chaining.hash.update(piece);
    left -= piece.length;
  }
  return false;
}

function finishRecord(state: ContainerState, { hash, pieces }: Chaining): ContainerStep {
  const chain = hash.digest();
  const line = Buffer.concat([Buffer.from(recordOpening(chain)), ...pieces, Buffer.from(RECORD_CLOSE)]);
  return { state: { chain, records: state.records + 1, evidenceBytes: state.evidenceBytes + line.length }, line };
}
