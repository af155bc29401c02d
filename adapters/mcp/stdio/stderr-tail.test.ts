import { expect } from 'chai';
import { stderrTail } from './stderr-tail.ts';

/** `\\xff` is a byte that no text has. */
const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text.split('\\xff').flatMap((part, at) => (at === 0 ? [] : [Buffer.of(0xff)]).concat(Buffer.from(part))),
  );

describe('what a server writes on its standard error (providers.md §7.8)', () => {
  const rows: readonly (readonly [
    string,
    number,
    readonly string[],
    readonly string[],
    { readonly text: string; readonly isTruncated: boolean } | null,
  ])[] = [
    ['is told of one exchange', 10, ['old'], ['new'], { text: 'new', isTruncated: false }],
    ['is nothing where nothing was written', 10, ['old'], [], null],
    ['is whole at just its bound', 3, [], ['a', 'bc'], { text: 'abc', isTruncated: false }],
    ['is cut from its front', 3, ['old'], ['ab', 'cd'], { text: 'bcd', isTruncated: true }],
    ['is not kept where nobody wants it', 0, [], ['abc'], null],
    ['is text even where a character was cut', 3, [], ['éé'], { text: 'é', isTruncated: true }],
    ['is no longer as text than its bound', 4, [], ['\\xff\\xff'], { text: '\uFFFD', isTruncated: true }],
    [
      'is whole where bytes that are no text have room',
      6,
      [],
      ['\\xff\\xff'],
      { text: '\uFFFD\uFFFD', isTruncated: false },
    ],
    ['is the end of one long piece', 3, ['old'], ['abcdefgh'], { text: 'fgh', isTruncated: true }],
    ['is whole where it goes round', 5, ['old!'], ['ab', 'cde'], { text: 'abcde', isTruncated: false }],
    [
      'is told from where it was asked, not from where it is kept',
      5,
      ['old!'],
      ['ab'],
      { text: 'ab', isTruncated: false },
    ],
  ];
  for (const [what, bytes, before, meanwhile, expected] of rows) {
    it(what, () => {
      const tail = stderrTail(bytes);
      for (const chunk of before) tail.add(bytesOf(chunk));
      const mark = tail.mark();
      for (const chunk of meanwhile) tail.add(bytesOf(chunk));
      expect(tail.since(mark)).to.deep.equal(expected);
    });
  }
});
