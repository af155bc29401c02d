import { expect } from 'chai';
import { scrubbedWords } from './scrubbed-words.ts';
import { Scrubber } from './scrubber.ts';

const SECRET = 's3cret-0123456789';
const scrubber = new Scrubber([SECRET]);
const end = (text: string, isTruncated = false) =>
  scrubbedWords({ said: '', stderr: { text, isTruncated } }, scrubber).stderr;

describe('what people are told of a server that did not start (world.md §2.4)', () => {
  it('holds no credential', () => {
    expect(scrubbedWords({ said: `a ${SECRET}` }, scrubber)).to.deep.equal({ said: 'a [redacted]' });
    expect(end(`key=${SECRET}\n`)).to.deep.equal({ text: 'key=[redacted]\n', isTruncated: false });
  });

  for (const left of [4, 5, SECRET.length - 1])
    it(`nor the last ${left} characters of one whose beginning was cut off`, () => {
      expect(end(`${SECRET.slice(-left)} then`, true)).to.deep.equal({ text: '[redacted] then', isTruncated: true });
    });

  it('keeps what merely looks like the end of one where nothing was cut off', () => {
    expect(end(`${SECRET.slice(-5)} then`)).to.deep.equal({ text: '56789 then', isTruncated: false });
  });

  for (const [bytes, stored] of [
    [2047, 2047],
    [2048, 2048],
    [2049, 2048],
  ] as const)
    it(`of ${bytes} bytes has ${stored}`, () => {
      const text = `${'a'.repeat(bytes - 1)}z`;
      expect(end(text)).to.deep.equal({ text: text.slice(-stored), isTruncated: bytes > stored });
    });

  it('is cut behind a credential that became longer, and never within a character', () => {
    const short = new Scrubber(['keys']);
    const found = scrubbedWords({ said: '', stderr: { text: `é${'keys'.repeat(512)}`, isTruncated: false } }, short);
    expect(Buffer.byteLength(found.stderr?.text ?? '')).to.equal(2048);
    const accented = end(`${'é'.repeat(1024)}a`);
    expect(accented).to.deep.equal({ text: `${'é'.repeat(1023)}a`, isTruncated: true });
  });

  it('says at most 512 characters besides', () => {
    for (const length of [511, 512, 513])
      expect(scrubbedWords({ said: 'a'.repeat(length) }, scrubber).said).to.have.length(Math.min(512, length));
  });
});
