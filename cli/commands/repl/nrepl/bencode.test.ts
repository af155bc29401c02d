import { expect } from 'chai';
import fc from 'fast-check';
import { bencodeReader, encodeBencode, type ReadBencode } from './bencode.ts';

function read(text: string): readonly ReadBencode[] {
  return bencodeReader()(Buffer.from(text));
}

function plain(value: ReadBencode): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map((item: ReadBencode) => plain(item)) : value;
}

const value = fc.letrec<{ value: string | number | unknown[] | Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

describe('bencode (messages of nREPL)', () => {
  it('writes texts by their bytes and keys in order', () => {
    expect(encodeBencode({ status: ['done'], 'new-session': 'é', n: -3 }).toString()).to.equal(
      'd1:ni-3e11:new-session2:é6:statusl4:doneee',
    );
  });

  it('reads messages as they arrive, however they are cut', () => {
    const text = 'd2:op5:cloneed4:code2:é2:idi7e4:listli1ed1:a0:eee';
    const messages = [{ op: 'clone' }, { code: 'é', id: 7, list: [1, { a: '' }] }];
    for (let size = 1; size < text.length; size += 1) {
      const reader = bencodeReader();
      const bytes = Buffer.from(text);
      const found = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        reader(bytes.subarray(at * size, (at + 1) * size)),
      ).flat();
      expect(found.map((message) => plain(message))).to.deep.equal(messages);
    }
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(value, (member) => {
        const written = encodeBencode({ member: Object(JSON.parse(JSON.stringify({ member }))).member });
        expect(bencodeReader()(written).map((message) => plain(message))).to.deep.equal([{ member }]);
      }),
    );
  });

  const REFUSED: Readonly<Record<string, string>> = {
    'another protocol': 'POST / HTTP/1.1\r\n',
    'a text that is no message': '3:abc',
    'a list that is no message': 'le',
    'a key that is no text': 'di1e1:ae',
    'a key without a value': 'd1:ae',
    'a length with zeros before it': 'd02:ab1:ce',
    'a length below zero': 'd-1:ae',
    'a length beyond the message': 'd9999999:a',
    'a length that is no number': `d${'9'.repeat(40)}:a`,
    'an integer that is none': 'd1:ai1.5ee',
    'an integer without digits': 'd1:aiee',
    'a negative zero': 'd1:ai-0ee',
    'an integer without end': `d1:ai${'1'.repeat(50)}`,
    'lists without end': `d1:a${'l'.repeat(100)}`,
    'too many values': `d1:al${'0:'.repeat(5000)}ee`,
    'too many bytes': `d1:al${`500000:${'x'.repeat(500_000)}`.repeat(3)}ee`,
  };
  for (const [title, text] of Object.entries(REFUSED))
    it(`refuses ${title}`, () => {
      expect(() => read(text)).to.throw();
    });

  it('refuses or reads any bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('d', 'l', 'e', 'i', '1', '2', ':', 'a', '-', '0'), { maxLength: 30 }),
        (parts) => {
          try {
            read(parts.join(''));
          } catch (error) {
            expect(error)
              .to.have.property('message')
              .that.is.a('string')
              .and.matches(/^(?:a|an) /);
          }
        },
      ),
    );
  });

  it('keeps keys that JavaScript has a meaning for to themselves', () => {
    const [message] = read('d9:__proto__1:x11:constructor1:ye');
    expect(message instanceof Map && [...message.keys()]).to.deep.equal(['__proto__', 'constructor']);
  });
});
