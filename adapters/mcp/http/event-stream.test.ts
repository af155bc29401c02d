import { expect } from 'chai';
import { eventReader } from './event-stream.ts';

const STREAM =
  '\uFEFF: hello\ndata: one\n\nid: 7\r\nretry: 5\r\ndata:two\r\ndata:  lines\r\n\r\nevent: other\rdata\r\rdata: é\n\nevent: lost\n\ndatax: no\ndata : no\n\ndata: not ended';
const EVENTS = [
  ['', 'one'],
  ['', 'two\n lines'],
  ['other', ''],
  ['', 'é'],
];

function read(pieces: readonly Uint8Array[], maxBytes = 1000): readonly (readonly string[])[] {
  const reader = eventReader(maxBytes);
  const events: string[][] = [];
  for (const piece of pieces) {
    reader.take(piece, ({ type, data }) => {
      events.push([type, Buffer.from(data).toString('utf8')]);
      return true;
    });
  }
  return events;
}

describe('events of a stream (providers.md §7.1)', () => {
  it('are found with any ends of lines, a byte order mark, comments and unknown fields', () => {
    expect(read([Buffer.from(STREAM)])).to.deep.equal(EVENTS);
  });

  it('are the same wherever the stream is cut', () => {
    const bytes = Buffer.from(STREAM);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(read([bytes.subarray(0, at), Buffer.alloc(0), bytes.subarray(at)]), String(at)).to.deep.equal(EVENTS);
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).to.deep.equal(EVENTS);
  });

  it('end where nobody wants more', () => {
    const reader = eventReader(1000);
    let count = 0;
    reader.take(Buffer.from('data: a\n\ndata: b\n\n'), () => {
      count += 1;
      return false;
    });
    expect(count).to.equal(1);
  });

  it('are found after a byte order mark that is alone', () => {
    expect(read([Buffer.from('\uFEFF\n\ndata: a\n\n')])).to.deep.equal([['', 'a']]);
  });

  it('take no longer the more of them there are', () => {
    const events = 200_000;
    expect(read([Buffer.from('data:\n\n'.repeat(events))]).length).to.equal(events);
    expect(read(Array.from({ length: events }, () => Buffer.from('x')))).to.deep.equal([]);
  });
});
