import { expect } from 'chai';
import { stderrTail } from './stderr-tail.ts';

describe('what a server writes on its standard error (providers.md §7.8)', () => {
  const rows: readonly (readonly [string, number, readonly string[], readonly string[], { readonly text: string; readonly isTruncated: boolean } | null])[] = [
    ['is told of one exchange', 10, ['old'], ['new'], { text: 'new', isTruncated: false }],
    ['is nothing where nothing was written', 10, ['old'], [], null],
    ['is whole at just its bound', 3, [], ['a', 'bc'], { text: 'abc', isTruncated: false }],
    ['is cut from its front', 3, ['old'], ['ab', 'cd'], { text: 'bcd', isTruncated: true }],
    ['is not kept where nobody wants it', 0, [], ['abc'], null],
    ['is text even where a character was cut', 1, [], ['é'], { text: '\uFFFD', isTruncated: true }],
  ];
  for (const [what, bytes, before, meanwhile, expected] of rows) {
    it(what, () => {
      const tail = stderrTail(bytes);
      for (const chunk of before) tail.add(Buffer.from(chunk));
      const mark = tail.mark();
      for (const chunk of meanwhile) tail.add(Buffer.from(chunk));
      expect(tail.since(mark)).to.deep.equal(expected);
    });
  }
});
