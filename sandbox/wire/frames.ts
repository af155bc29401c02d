import { StringDecoder } from 'node:string_decoder';

/**
 * Frames on the one pipe between supervisor and sandbox host.
 *
 * Layout: `u32 length of the rest | u8 channel | u16 header length | header (words, UTF-8) | body (text, UTF-8)`,
 * integers big-endian. The one long text of a message travels as the body, by itself, so that a program's
 * result is never escaped and parsed a second time.
 */

/** `host`: the supervisor calls, the host answers. `broker`: the host calls, the supervisor answers. */
export type Channel = 'host' | 'broker';

export interface Frame {
  readonly channel: Channel;
  readonly header: string;
  readonly body: string;
}

/** Bytes of a header: an id, a method name and a few short arguments. */
export const MAX_HEADER_BYTES = 1024;

/**
 * Bytes of a body towards the supervisor. The largest is a reply that holds a value of `terminal_result_bytes`
 * (documents.md §5: ceiling 16,000,000) inside a JSON string, which can double it, and its prints.
 */
export const MAX_BODY_BYTES_FROM_HOST = 40_000_000;

/** Bytes of a body towards the host: compiled bundles and data grants. */
export const MAX_BODY_BYTES_FROM_SUPERVISOR = 128_000_000;

const PREFIX_BYTES = 4;
const FIXED_BYTES = 3;
const CHANNELS: readonly Channel[] = ['host', 'broker'];

/**
 * One frame as bytes. Throws a RangeError for a header beyond `MAX_HEADER_BYTES`: headers are built by this program.
 */
export function encodeFrame(frame: Frame): Buffer {
  const headerBytes = Buffer.byteLength(frame.header);
  if (headerBytes > MAX_HEADER_BYTES) throw new RangeError(`frame header of ${headerBytes} bytes`);
  const bodyBytes = Buffer.byteLength(frame.body);
  const rest = FIXED_BYTES + headerBytes + bodyBytes;
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + rest);
  bytes.writeUInt32BE(rest, 0);
  bytes.writeUInt8(CHANNELS.indexOf(frame.channel), PREFIX_BYTES);
  bytes.writeUInt16BE(headerBytes, PREFIX_BYTES + 1);
  bytes.write(frame.header, PREFIX_BYTES + FIXED_BYTES);
  bytes.write(frame.body, PREFIX_BYTES + FIXED_BYTES + headerBytes);
  return bytes;
}

/** What a chunk of the stream came to: whole frames, or proof that the other side does not speak this language. */
export type ReadResult =
  | { readonly status: 'frames'; readonly frames: readonly Frame[] }
  | { readonly status: 'violation'; readonly reason: string };

export interface FrameReader {
  push(chunk: Buffer): ReadResult;
}

/** Bytes of a body from which on it is read as it comes, so that no turn of the event loop reads the whole. */
const LONG_BODY_BYTES = 262_144;

/** The body of a frame that is not whole. */
interface LongBody extends Omit<Frame, 'body'> {
  readonly decoder: StringDecoder;
  readonly pieces: string[];
  left: number;
}

/**
 * Reads frames out of a stream cut anywhere. Holds at most one unfinished frame; a length beyond the bound is refused
 * at its prefix, before a byte of it is kept. After a violation the reader must not be used again.
 */
export function createFrameReader(maxBodyBytes: number): FrameReader {
  const maxRest = FIXED_BYTES + MAX_HEADER_BYTES + maxBodyBytes;
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = PREFIX_BYTES;
  let long: LongBody | null = null;

  function joined(): Buffer {
    const [first] = chunks;
    return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, held);
  }

  /** What of a chunk is not of the long body; null: all of it was, and the body goes on. */
  function readLong(body: LongBody, chunk: Buffer, frames: Frame[]): Buffer | null {
    const part = chunk.subarray(0, body.left);
    body.pieces.push(body.decoder.write(part));
    body.left -= part.length;
    if (body.left > 0) return null;
    const { channel, header, decoder, pieces } = body;
    frames.push({ channel, header, body: pieces.join('') + decoder.end() });
    long = null;
    return chunk.subarray(part.length);
  }

  return {
    push(chunk) {
      const frames: Frame[] = [];
      const rested = long === null ? chunk : readLong(long, chunk, frames);
      if (rested === null) return { status: 'frames', frames };
      chunks.push(rested);
      held += rested.length;
      if (held < wanted) return { status: 'frames', frames };
      let bytes = joined();
      for (;;) {
        if (bytes.length < PREFIX_BYTES) {
          wanted = PREFIX_BYTES;
          break;
        }
        const rest = bytes.readUInt32BE(0);
        if (rest < FIXED_BYTES || rest > maxRest) return violation(`frame length ${rest}`);
        const end = PREFIX_BYTES + rest;
        wanted = Math.min(end, PREFIX_BYTES + FIXED_BYTES + MAX_HEADER_BYTES + LONG_BODY_BYTES);
        if (bytes.length < wanted) break;
        const channel = CHANNELS[bytes.readUInt8(PREFIX_BYTES)];
        const headerBytes = bytes.readUInt16BE(PREFIX_BYTES + 1);
        if (channel === undefined) return violation('unknown channel');
        if (headerBytes > MAX_HEADER_BYTES || FIXED_BYTES + headerBytes > rest) return violation('header length');
        const headerStart = PREFIX_BYTES + FIXED_BYTES;
        const bodyStart = headerStart + headerBytes;
        const header = bytes.toString('utf8', headerStart, bodyStart);
        if (bytes.length < end) {
          long = { channel, header, decoder: new StringDecoder('utf8'), pieces: [], left: end - bodyStart };
          readLong(long, bytes.subarray(bodyStart), frames);
          bytes = bytes.subarray(bytes.length);
          wanted = PREFIX_BYTES;
          break;
        }
        frames.push({ channel, header, body: bytes.toString('utf8', bodyStart, end) });
        bytes = bytes.subarray(end);
      }
      chunks = bytes.length === 0 ? [] : [bytes];
      held = bytes.length;
      return { status: 'frames', frames };
    },
  };
}

function violation(reason: string): ReadResult {
  return { status: 'violation', reason };
}
