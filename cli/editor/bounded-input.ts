import { Transform, type TransformCallback } from 'node:stream';

/** Bytes of one message, and of its header: beyond them nobody speaks the protocol. */
export const MESSAGE_BYTES_MAX = 16_000_000;
const HEADER_BYTES_MAX = 4096;

const HEADER_END = Buffer.from('\r\n\r\n');

/** Passes messages of the protocol on; fails where one is larger than anything that is taken. */
export class BoundedInput extends Transform {
  #header = Buffer.alloc(0);
  /** Bytes that the message still has. */
  #left = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const body = rest.subarray(0, this.#left);
        this.push(body);
        this.#left -= body.length;
        rest = rest.subarray(body.length);
        continue;
      }
      const header = Buffer.concat([this.#header, rest]);
      const end = header.indexOf(HEADER_END);
      if (end < 0 ? header.length > HEADER_BYTES_MAX : end > HEADER_BYTES_MAX) {
        done(new Error(`a header has more than ${String(HEADER_BYTES_MAX)} bytes`));
        return;
      }
      if (end < 0) {
        this.#header = header;
        break;
      }
      const length = Number(
        /^content-length:\s*(\d{1,15})\s*$/im.exec(header.subarray(0, end).toString('latin1'))?.[1],
      );
      if (!(length <= MESSAGE_BYTES_MAX)) {
        done(new Error(`a message has no length, or more than ${String(MESSAGE_BYTES_MAX)} bytes`));
        return;
      }
      this.push(header.subarray(0, end + HEADER_END.length));
      this.#header = Buffer.alloc(0);
      this.#left = length;
      rest = header.subarray(end + HEADER_END.length);
    }
    done();
  }
}
