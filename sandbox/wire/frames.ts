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
/** Where the header begins in a frame, and before which byte the body does. */
const HEADER_AT = PREFIX_BYTES + FIXED_BYTES;
const BODY_AT_MOST = HEADER_AT + MAX_HEADER_BYTES;
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
  return new StreamReader(maxBodyBytes);
}

class StreamReader implements FrameReader {
  readonly #maxRest: number;
  /** Bytes of a frame that is not whole, as they came. */
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** How many of them there must be before anything can be read. */
  #wanted = PREFIX_BYTES;
  #long: LongBody | null = null;

  constructor(maxBodyBytes: number) {
    this.#maxRest = FIXED_BYTES + MAX_HEADER_BYTES + maxBodyBytes;
  }

  push(chunk: Buffer): ReadResult {
    const frames: Frame[] = [];
    const rested = this.#long === null ? chunk : this.#readLong(this.#long, chunk, frames);
    if (rested === null) return { status: 'frames', frames };
    this.#chunks.push(rested);
    this.#buffered += rested.length;
    if (this.#buffered < this.#wanted) return { status: 'frames', frames };
    const left = this.#readFrames(this.#joined(), frames);
    if (typeof left === 'string') return { status: 'violation', reason: left };
    this.#chunks = left.length === 0 ? [] : [left];
    this.#buffered = left.length;
    return { status: 'frames', frames };
  }

  #joined(): Buffer {
    const first = this.#chunks[0];
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#buffered);
  }

  /** Reads the frames that are whole, and begins a long one; the bytes that are left, or why these are no frames. */
  #readFrames(bytes: Buffer, frames: Frame[]): Buffer | string {
    let left = bytes;
    while (left.length >= PREFIX_BYTES) {
      const rest = left.readUInt32BE(0);
      if (rest < FIXED_BYTES || rest > this.#maxRest) return `frame length ${rest}`;
      const end = PREFIX_BYTES + rest;
      this.#wanted = Math.min(end, BODY_AT_MOST + LONG_BODY_BYTES);
      if (left.length < this.#wanted) return left;
      const channel = CHANNELS[left.readUInt8(PREFIX_BYTES)];
      const headerBytes = left.readUInt16BE(PREFIX_BYTES + 1);
      if (channel === undefined) return 'unknown channel';
      if (headerBytes > MAX_HEADER_BYTES || FIXED_BYTES + headerBytes > rest) return 'header length';
      const bodyStart = HEADER_AT + headerBytes;
      const header = left.toString('utf8', HEADER_AT, bodyStart);
      if (left.length < end) {
        this.#long = { channel, header, decoder: new StringDecoder('utf8'), pieces: [], left: end - bodyStart };
        this.#readLong(this.#long, left.subarray(bodyStart), frames);
        left = left.subarray(left.length);
      } else {
        frames.push({ channel, header, body: left.toString('utf8', bodyStart, end) });
        left = left.subarray(end);
      }
    }
    this.#wanted = PREFIX_BYTES;
    return left;
  }

  /** What of a chunk is not of the long body; null: all of it was, and the body goes on. */
  #readLong(body: LongBody, chunk: Buffer, frames: Frame[]): Buffer | null {
    const part = chunk.subarray(0, body.left);
    body.pieces.push(body.decoder.write(part));
    body.left -= part.length;
    if (body.left > 0) return null;
    const { channel, header, decoder, pieces } = body;
    frames.push({ channel, header, body: pieces.join('') + decoder.end() });
    this.#long = null;
    return chunk.subarray(part.length);
  }
}
