import { expect } from 'chai';
import { pageHeadings } from './headings.ts';

describe('headings of a page', () => {
  it('have anchors as hosts of Markdown make them, no two of which are equal', () => {
    const page = '# The `svc` command\n\n## Options\n\n## [Options](x.md) #\n\n## C++, über & co.\n\n## !\n';
    expect(pageHeadings(page)).to.deep.equal([
      { line: 1, text: 'The svc command', level: 1, anchor: 'the-svc-command' },
      { line: 3, text: 'Options', level: 2, anchor: 'options' },
      { line: 5, text: 'Options', level: 2, anchor: 'options-1' },
      { line: 7, text: 'C++, über & co.', level: 2, anchor: 'c-über--co' },
      { line: 9, text: '!', level: 2, anchor: 'section' },
    ]);
  });

  it('are none in blocks of code, whatever fences these have', () => {
    const page = '# A\n\n````sh\n# no\n```\n# no\n````\n\n~~~\n# no\n~~~\n\n## B\n';
    expect(pageHeadings(page).map(({ text }) => text)).to.deep.equal(['A', 'B']);
  });
});
