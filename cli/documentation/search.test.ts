import { expect } from 'chai';
import { PROSE_PAGES } from '../../contract/envelope/docs-pages.ts';
import { lastSegment, searchPages } from './search.ts';

const among = (pages: Readonly<Record<string, string>>) => (term: string) =>
  searchPages(term, (page) => pages[page] ?? null);

describe('a search of the documentation (cli.md §7)', () => {
  it('is literal, and blind to case in any script', () => {
    const search = among({ cli: 'a.b\nAXB\nÄrger und ΣΟΦΟΣ\nstraße' });
    expect(search('A.B').matches).to.deep.equal([{ page: 'cli', line: 1, text: 'a.b' }]);
    for (const [term, line] of [
      ['äRGER', 3],
      ['σοφος', 3],
      ['STRASSE', 4],
    ] as const)
      expect(
        search(term).matches.map((match) => match.line),
        term,
      ).to.deep.equal([line]);
    expect(search('c')).to.deep.equal({ matches: [], omittedMatches: 0, omittedPages: 0 });
  });

  it('shows pages with such a title first, then those with a heading, then those with more lines, then as they are listed', () => {
    const search = among({
      limits: '# All of x',
      concepts: '\nx',
      quickstart: '\nx\nx',
      gateway: 'a line\n## The x',
      'agent-guide': '\nx',
      'schema-host': 'x',
    });
    expect(search('x').matches.map(({ page }) => page)).to.deep.equal([
      'limits',
      'gateway',
      'quickstart',
      'quickstart',
      'agent-guide',
      'concepts',
    ]);
  });

  it('shows three lines of each of ten pages, and counts the rest', () => {
    for (const [lines, pages, expected] of [
      [3, 10, [30, 0, 0]],
      [4, 10, [30, 10, 0]],
      [3, 11, [30, 3, 1]],
      [2, 9, [18, 0, 0]],
    ] as const) {
      const named = new Set(PROSE_PAGES.slice(0, pages));
      const found = searchPages('x', (page) => (named.has(page) ? 'x\n'.repeat(lines) : null));
      expect([found.matches.length, found.omittedMatches, found.omittedPages]).to.deep.equal(expected);
    }
  });

  it('shows 160 characters of a line, and no part of one', () => {
    const textOf = (line: string) => among({ cli: line })('x').matches[0]?.text;
    for (const length of [159, 160]) expect(textOf(`  ${'x'.repeat(length)}  `)).to.have.length(length);
    expect(textOf('x'.repeat(161))).to.have.length(160);
    expect(textOf(`${'x'.repeat(159)}🙂`)).to.equal('x'.repeat(159));
  });

  it('has a shorter term to offer where a name has several parts', () => {
    expect(['kernel/eval', 'limits.llm_cost', 'x', 'a/', ''].map(lastSegment)).to.deep.equal([
      'eval',
      'llm_cost',
      null,
      null,
      null,
    ]);
  });
});
